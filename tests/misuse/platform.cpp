// SPDX-License-Identifier: Apache-2.0
#include "tests/misuse/misuse.h"

namespace sare::test {

std::vector<address_range> platform::ranges() {
    return {{0, 0x1000, 3}, {0x10000, 0x4000, 1}};
}

experiment platform::asked() {
    using config::value;
    const auto network = value::map({{"topology", value::scalar("mesh")},
                                     {"dims", value::list({value::scalar("2"), value::scalar("2")})},
                                     {"link_wake", value::scalar("3")}});
    return experiment::read(value::map({{"network", network}}), "");
}

platform::platform()
    : mesh("mesh", 2, 2, with_vcs(4), 4),
      map(mesh.engine, ranges()),
      transport(map),
      near_bridge("near", mesh.nics[0], map),
      far_bridge("far", mesh.nics[3], map),
      managers("managers", mesh.nics[0], map),
      subordinates("subordinates", mesh.nics[1], map, axi_pair<>::by_phases()),
      cpu("cpu"),
      ram("ram", 0x1000, always(5)),
      manager("manager"),
      subordinate("subordinate", 0x4000, always(5)),
      system{{1}, {2}},
      at_cache("at_cache", mesh.nics[0], transport),
      at_home("at_home", mesh.nics[1], transport),
      at_memory("at_memory", mesh.nics[2], transport),
      cache("cache", 32, system),
      home("home", 32, system),
      memory_node("memory_node", 32),
      processor("processor"),
      chi_ram("chi_ram", 0x1000, always(5)),
      left("left", 2, sc_core::sc_time(1, sc_core::SC_NS)),
      right("right", 2, sc_core::sc_time(3, sc_core::SC_NS)),
      between("between", *left.edge, *right.edge),
      asked_for(asked()),
      composed("composed", asked_for, 2),
      clock("clock", mesh.engine),
      bursts(make_workload("burst", 4, {{"messages", "3"}})) {
    cpu.socket.bind(near_bridge.initiators);
    far_bridge.memory.bind(ram.socket);
    manager.socket.bind(managers.managers);
    subordinates.subordinates.bind(subordinate.socket);
    cache.socket.bind(at_cache.node);
    home.socket.bind(at_home.node);
    memory_node.socket.bind(at_memory.node);
    processor.socket.bind(cache.cpu);
    memory_node.memory.bind(chi_ram.socket);
    sc_core::sc_spawn([this] {
        for (;;) {
            sc_core::wait(begin);
            try {
                job();
            } catch (const std::exception&) {
                thrown = std::current_exception();
            }
            done = true;
        }
    });
}

void platform::elaborate() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    mesh.engine.set_workload(traffic);
    composed.engine().set_workload(*bursts, true);
    go_on();
}

void platform::go_on() {
    sc_core::sc_start(200, sc_core::SC_NS);
}

bool platform::in_process(const std::function<void()>& f) {
    if (!done) return false;                   // one before it waits still
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // it waits for what begins
    job = f;
    done = false;
    thrown = nullptr;
    begin.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start(3, sc_core::SC_US);
    if (thrown) std::rethrow_exception(thrown);
    return done;
}

}  // namespace sare::test
