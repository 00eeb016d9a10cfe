// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/rtl/bridge_rtl.h"
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

/// axi_master.sv, Verilated, as a clocked module.
class rtl_master final : public axi::clocked {
  public:
    sc_core::sc_out<axi::forward_pins> out{"out"};
    sc_core::sc_in<axi::backward_pins> in{"in"};

    explicit rtl_master(const sc_core::sc_module_name& name)
        : clocked(name), m_library(build()), m_rtl(*m_library, axi::format(), axi::format().id_width, false) {
        m_rtl.reset();
    }
    bool done() const { return m_rtl.pin("done_o").get(0, 1) != 0; }
    std::uint64_t beats() const { return m_rtl.pin("beats_o").get(0, 32); }
    std::uint64_t errors() const { return m_rtl.pin("errors_o").get(0, 32); }

  private:
    static std::shared_ptr<sare::cosim::rtl_library> build() {
        // As the first of axi_mesh, which it shares the compiled library with.
        sare::cosim::rtl_request r{
            "axi_master", {{"AddrWidth", "32"}, {"DataWidth", "64"}, {"IdWidth", "4"}, {"Base", "32'd4096"}}};
        r.sources = AXI_MASTER;
        return sare::cosim::rtl_library::get(r);
    }
    void start_of_simulation() override { out.write(m_rtl.forward()); }
    void edge() override {
        m_rtl.drive(in.read());
        m_rtl.clock();
        out.write(m_rtl.forward());
    }

    std::shared_ptr<sare::cosim::rtl_library> m_library;
    axi::axi_port_rtl m_rtl;
};

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
    rtl_master master("master");
    axi::pin_manager<64> adapter("adapter");
    master.clock(clock);
    master.out(forward);
    master.in(backward);
    adapter.clock(clock);
    adapter.in(forward);
    adapter.out(backward);
    adapter.socket.bind(at0.managers);

    while (!master.done() && net.engine().cycle() < 200000) sc_core::sc_start(100 * period);
    std::printf(
        "cycle %llu: %llu beats read, %llu wrong\n", static_cast<unsigned long long>(net.engine().cycle()),
        static_cast<unsigned long long>(master.beats()), static_cast<unsigned long long>(master.errors()));
    return master.done() && master.errors() == 0 ? 0 : 1;
}
