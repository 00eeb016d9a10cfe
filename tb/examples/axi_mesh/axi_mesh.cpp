// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/network_parts.h"
#include "cosim/axi/random/end_modules.h"
#include "cosim/axi/rtl_end.h"
#include "tb/examples/axi_mesh/noise.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/network/network.h"

#include <cstdio>
#include <deque>

/// Two AXI managers in RTL (axi_master.sv) at nodes 0 and 3 of a 4x4 mesh write and read the memories at
/// nodes 9 and 14, through bridges and NICs in RTL, while the other nodes send traffic of their own.
namespace {

namespace axi = sare::axi;

/// axi_master.sv, Verilated.
std::shared_ptr<sare::cosim::rtl_library> master(const axi::format& f, std::uint64_t base) {
    sare::cosim::rtl_request r{"axi_master", {}};
    r.parameters = {{"AddrWidth", std::to_string(f.addr_width)},
                    {"DataWidth", std::to_string(f.data_width)},
                    {"IdWidth", std::to_string(f.id_width)},
                    {"Base", std::to_string(f.addr_width) + "'d" + std::to_string(base)}};
    r.sources = AXI_MASTER;
    return sare::cosim::rtl_library::get(r);
}
bool done(axi::rtl_manager& m) {
    return m.port().pin("done_o").get(0, 1) != 0;
}
unsigned number(axi::rtl_manager& m, const char* pin) {
    return static_cast<unsigned>(m.port().pin(pin).get(0, 32));
}

struct port_signals {
    sc_core::sc_signal<axi::forward_pins> forward;
    sc_core::sc_signal<axi::backward_pins> backward;
};

/// Clock, pins and a checker at a port; `end` is the module there.
template <class End>
std::unique_ptr<axi::checker_module> bind(End& end, port_signals& pins, sc_core::sc_clock& clock,
                                          std::uint32_t data_width) {
    auto rules = std::make_unique<axi::checker_module>(sc_core::sc_gen_unique_name("rules"), data_width);
    rules->forward(pins.forward);
    rules->backward(pins.backward);
    rules->clock(clock);
    end.clock(clock);
    return rules;
}

}  // namespace

int sc_main(int, char**) {
    // One VC a class and one way: the network keeps order, so an ID may have many transactions under way.
    const auto e =
        sare::experiment::read(sare::config::parse_document("network: {topology: mesh, dims: [4, 4]}\n"
                                                            "router: {vcs: 2}\n"
                                                            "cosim: {flit_width: 72}\n",
                                                            "axi_mesh"),
                               "");
    axi::manager_params manager;
    manager.widths.flit_width = 72;  // a beat of 64 bits and its strobes
    manager.keeps_order = true;
    manager.map = {{0x00000, 0x0ffff, 9}, {0x10000, 0x1ffff, 14}};
    axi::subordinate_params subordinate;
    subordinate.widths = manager.widths;

    axi::network_parts nodes(e);
    for (const std::uint32_t n : {0, 3}) nodes.add_manager(n, manager);
    for (const std::uint32_t n : {9, 14}) nodes.add_subordinate(n, subordinate);
    sare::network net("net", e, 2, sare::network::most_bound, nodes.maker());
    const sc_core::sc_time period = net.engine().period();
    sc_core::sc_clock clock("clock", period, 0.5, period / 2);

    std::deque<axi::rtl_manager> masters;
    std::deque<axi::memory_module> memories;
    std::deque<port_signals> pins;
    std::vector<std::unique_ptr<axi::checker_module>> rules;
    for (const std::uint32_t n : {0, 3}) {
        auto& m = masters.emplace_back(("master" + std::to_string(n)).c_str(),
                                       master(manager.widths, n * 0x5000 + 0x1000), manager.widths,
                                       manager.widths.id_width);
        auto& wires = pins.emplace_back();
        rules.push_back(bind(m, wires, clock, manager.widths.data_width));
        m.out(wires.forward);
        m.in(wires.backward);
        nodes.manager(n).clock(clock);
        nodes.manager(n).from_manager(wires.forward);
        nodes.manager(n).to_manager(wires.backward);
    }
    for (const std::uint32_t n : {9, 14}) {
        auto& m = memories.emplace_back(
            ("memory" + std::to_string(n)).c_str(),
            axi::random_memory(manager.widths, {}, axi::random_memory::write_order::none, 1, n));
        auto& wires = pins.emplace_back();
        rules.push_back(bind(m, wires, clock, manager.widths.data_width));
        m.in(wires.forward);
        m.out(wires.backward);
        nodes.subordinate(n).clock(clock);
        nodes.subordinate(n).to_subordinate(wires.forward);
        nodes.subordinate(n).from_subordinate(wires.backward);
    }

    sare::examples::noise others({1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 15}, 0.2);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine().set_workload(others);
    while (!(done(masters[0]) && done(masters[1])) && net.engine().cycle() < 200000)
        sc_core::sc_start(100 * period);

    bool right = true;
    for (axi::rtl_manager& m : masters) {
        std::printf("%s: %u beats read, %u wrong\n", m.basename(), number(m, "beats_o"),
                    number(m, "errors_o"));
        right = right && done(m) && number(m, "errors_o") == 0;
    }
    for (const auto& r : rules) {
        std::printf("%s: %llu writes, %llu reads, %s\n", r->basename(),
                    static_cast<unsigned long long>(r->rules.writes()),
                    static_cast<unsigned long long>(r->rules.reads()),
                    r->rules.first_violation().empty() ? "no violation" : r->rules.first_violation().c_str());
        right = right && r->rules.first_violation().empty();
    }
    std::printf("cycle %llu: %s\n", static_cast<unsigned long long>(net.engine().cycle()),
                right ? "all right" : "WRONG");
    return right ? 0 : 1;
}
