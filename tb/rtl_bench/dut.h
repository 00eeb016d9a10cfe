// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_library.h"
#include "tb/rtl_bench/setting.h"
#include "tb/rtl_bench/signals.h"

#include <deque>
#include <string>

namespace sare::bench {

/// The Verilated sare_router as a SystemC module: at each rising edge of the clock it reads its input signals
/// and then drives its outputs, like any clocked process.
class dut final : public sc_core::sc_module {
  public:
    sc_core::sc_in<bool> clock{"clock"};
    std::deque<sc_core::sc_in<flit_pins>> flit_in;  ///< flits into the router, by input port
    /// Credits that the router gets for its outputs, as masks of VCs, by output port.
    std::deque<sc_core::sc_in<std::uint32_t>> credit_in;
    std::deque<sc_core::sc_out<flit_pins>> flit_out;  ///< flits out of the router, by output port
    /// Credits that the router gives for its inputs, as masks of VCs, by input port.
    std::deque<sc_core::sc_out<std::uint32_t>> credit_out;

    /// Builds the RTL, resets the router and writes its routing table. `table`: output port of each
    /// destination node; `waves`: file for waves; empty: none. Throws cosim::rtl_error if the RTL cannot be
    /// built.
    dut(const sc_core::sc_module_name& name, const setting& s, const std::vector<std::uint32_t>& table,
        const std::string& waves);
    ~dut() override;

    /// Returns the text of the assertion of the RTL that has failed and so ended the simulation; empty: none
    /// has failed.
    const std::string& failure() const { return m_failure; }

  private:
    /// The pins of all ports in one direction.
    struct pins {
        cosim::rtl_pin valid, head, tail, vc, data, destination, vc_base, length, port, vcs, credit;
    };
    pins pins_of(const std::string& direction) const;
    void reset(const std::vector<std::uint32_t>& table);
    void edge();
    void drive(std::uint32_t port, const flit_pins& f);
    flit_pins read(std::uint32_t port) const;
    void tick();

    setting m_s;
    std::unique_ptr<cosim::rtl_instance> m_rtl;
    cosim::rtl_pin m_clock;
    pins m_in, m_out;
    bool m_waves;
    std::uint64_t m_cycle = 0;
    std::string m_failure;
};

}  // namespace sare::bench
