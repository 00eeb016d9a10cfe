// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/rtl_bench/dut.h"
#include "tb/rtl_bench/traffic.h"

namespace sare::bench {

/// The testbench: clock, wires, the router, a source and a sink at each port.
class bench final : public sc_core::sc_module {
  public:
    /// `waves`: file for waves of the router; "": none.
    bench(const sc_core::sc_module_name& name, const setting& s, const std::string& waves);

    /// Runs setting::cycles cycles, then lets all flits out and all credits back. Returns the first error in
    /// one line; "" if there is none.
    std::string run();
    const score& board() const { return *m_board; }

  private:
    void control();
    bool running() const { return m_board->error().empty() && m_dut->failure().empty(); }
    void run_cycles(std::uint64_t n);

    setting m_s;
    dice m_random;
    stimulus_params m_stimulus;
    std::uint32_t m_stimulus_left = 0;  ///< cycles until the next draw
    sc_core::sc_clock m_clock;
    std::deque<port_wires> m_wires;
    std::vector<std::vector<std::uint32_t>> m_nodes_behind;  ///< destinations, by output port
    std::unique_ptr<score> m_board;
    std::unique_ptr<dut> m_dut;
    std::vector<std::unique_ptr<source>> m_sources;
    std::vector<std::unique_ptr<sink>> m_sinks;
};

}  // namespace sare::bench
