// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/rtl_bench/dut.h"
#include "tb/rtl_bench/traffic.h"

namespace sare::bench {

/// The testbench: clock, wires, the router in RTL, and a source and a sink of flits at each port.
class bench final : public sc_core::sc_module {
  public:
    /// `s`: parameters for which s.problem() must be empty (not checked); `waves`: path of the file for waves
    /// of the router; "": none.
    bench(const sc_core::sc_module_name& name, const setting& s, const std::string& waves);

    /// Runs setting::cycles cycles, then goes on without new packets until all flits have come out and all
    /// credits are back, for at most 20000 cycles. Returns the first error (of the scoreboard, an assertion
    /// of the RTL, or flits or credits that are missing) in one line; empty if there is none. Call once.
    std::string run();
    /// Returns the scoreboard, with counts and coverage.
    const score& board() const { return *m_board; }

  private:
    void control();
    bool running() const { return m_board->error().empty() && m_dut->failure().empty(); }
    void run_cycles(std::uint64_t n);

    setting m_s;
    dice m_random;
    stimulus_params m_stimulus;
    std::uint32_t m_stimulus_left = 0;  ///< number of cycles until new parameters are drawn
    sc_core::sc_clock m_clock;
    std::deque<port_wires> m_wires;
    std::vector<std::vector<std::uint32_t>> m_nodes_behind;  ///< destination nodes behind each output port
    std::unique_ptr<score> m_board;
    std::unique_ptr<dut> m_dut;
    std::vector<std::unique_ptr<source>> m_sources;
    std::vector<std::unique_ptr<sink>> m_sinks;
};

}  // namespace sare::bench
