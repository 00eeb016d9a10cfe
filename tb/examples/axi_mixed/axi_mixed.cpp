// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/rtl_end.h"
#include "cosim/axi/tlm/pin_manager.h"
#include "tb/examples/ram.h"
#include "tlm/axi/axi_bridge.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/network/network.h"

#include <cstdio>

/// An AXI manager in RTL (axi_master.sv) at node 0 of a 3x3 mesh writes and reads a TLM memory at node 8.
namespace {

namespace axi = sare::axi;

/// axi_master.sv, Verilated as the first of axi_mesh, which it shares the compiled library with.
std::shared_ptr<sare::cosim::rtl_library> library() {
    sare::cosim::rtl_request r{
        "axi_master", {{"AddrWidth", "32"}, {"DataWidth", "64"}, {"IdWidth", "4"}, {"Base", "32'd4096"}}};
    r.sources = AXI_MASTER;
    return sare::cosim::rtl_library::get(r);
}
unsigned number(axi::rtl_manager& m, const char* pin, std::uint32_t width = 32) {
    return static_cast<unsigned>(m.port().pin(pin).get(0, width));
}

}  // namespace

int sc_main(int, char**) {
    const auto e = sare::experiment::read(
        sare::config::parse_yaml("{network: {topology: mesh, dims: [3, 3]}, router: {vcs: 2}}",
                                 "the network"),
        ".");
    sare::network net("net", e, 2);
    sare::memory_map addresses(net.engine(), {{0, 0x10000, 8}});
    axi::bridge<64> at0("at0", net.nic_module(0), addresses), at8("at8", net.nic_module(8), addresses);
    ram<64, axi::protocol> memory("memory");
    at8.subordinates.bind(memory.socket);

    // The RTL's pins, its clock, and the adapter that makes transactions of what stands on them.
    const sc_core::sc_time period = net.engine().period();
    sc_core::sc_clock clock("clock", period, 0.5, period / 2);
    sc_core::sc_signal<axi::forward_pins> forward;
    sc_core::sc_signal<axi::backward_pins> backward;
    axi::rtl_manager master("master", library(), axi::format(), axi::format().id_width);
    axi::pin_manager<64> adapter("adapter");
    master.clock(clock);
    master.out(forward);
    master.in(backward);
    adapter.clock(clock);
    adapter.in(forward);
    adapter.out(backward);
    adapter.socket.bind(at0.managers);

    while (number(master, "done_o", 1) == 0 && net.engine().cycle() < 200000) sc_core::sc_start(100 * period);
    const unsigned wrong = number(master, "errors_o");
    std::printf("cycle %llu: %u beats read, %u wrong\n",
                static_cast<unsigned long long>(net.engine().cycle()), number(master, "beats_o"), wrong);
    return number(master, "done_o", 1) != 0 && wrong == 0 ? 0 : 1;
}
