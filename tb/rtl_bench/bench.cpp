// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_bench/bench.h"

#include "tlm/systemc/kernel_api.h"

#include <fmt/format.h>

namespace sare::bench {
namespace {

/// Most cycles until all has come out, when every credit comes back at once.
constexpr std::uint64_t draining = 20000;

const sc_core::sc_time period(1, sc_core::SC_NS);

}  // namespace

bench::bench(const sc_core::sc_module_name& name, const setting& s, const std::string& waves)
    : sc_core::sc_module(name),
      m_s(s),
      m_random(s.seed),
      m_clock("clock", period),
      m_wires(s.ports),
      m_nodes_behind(s.ports) {
    std::vector<std::uint32_t> table(s.nodes);
    for (std::uint32_t n = 0; n < s.nodes; ++n) {
        table[n] = n < s.ports ? n : m_random.below(s.ports);
        m_nodes_behind[table[n]].push_back(n);
    }
    m_board = std::make_unique<score>(s, table);
    m_dut = std::make_unique<dut>("dut", s, table, waves);
    m_dut->clock(m_clock);
    for (std::uint32_t q = 0; q < s.ports; ++q) {
        port_wires& w = m_wires[q];
        const std::string number = std::to_string(q);
        m_sources.push_back(std::make_unique<source>(("source" + number).c_str(), s, q, m_stimulus,
                                                     m_nodes_behind, *m_board));
        m_sinks.push_back(std::make_unique<sink>(("sink" + number).c_str(), s, q, m_stimulus, *m_board));
        m_sources[q]->clock(m_clock);
        m_sources[q]->flit(w.flit_in);
        m_sources[q]->credit(w.credit_out);
        m_sinks[q]->clock(m_clock);
        m_sinks[q]->flit(w.flit_out);
        m_sinks[q]->credit(w.credit_in);
        m_dut->flit_in[q](w.flit_in);
        m_dut->credit_in[q](w.credit_in);
        m_dut->flit_out[q](w.flit_out);
        m_dut->credit_out[q](w.credit_out);
    }
    SARE_HAS_PROCESS(bench);
    SC_METHOD(control);
    sensitive << m_clock.negedge_event();
    dont_initialize();
}

/// Runs between two rising edges.
void bench::control() {
    m_board->end_of_cycle();
    if (m_stimulus_left-- != 0 || m_stimulus.closing) return;
    m_stimulus.draw(m_s, m_random);
    m_stimulus_left = 100 + m_random.below(300);
}

void bench::run_cycles(std::uint64_t n) {
    if (running()) sc_core::sc_start(period * static_cast<double>(n));
}

std::string bench::run() {
    run_cycles(m_s.cycles);
    m_stimulus.closing = true;
    for (std::uint64_t n = 0; n < draining && running() && !m_board->empty(); n += 100) run_cycles(100);
    run_cycles(300 + m_s.credit_out_delay);
    if (!m_dut->failure().empty()) return m_dut->failure();
    if (!m_board->error().empty())
        return fmt::format("cycle {}: {}", sc_core::sc_time_stamp().value() / period.value(),
                           m_board->error());
    if (!m_board->empty()) return "flits stay in the router for ever";
    if (!m_board->all_credits_back()) return "credits do not come back from the empty router";
    return "";
}

}  // namespace sare::bench
