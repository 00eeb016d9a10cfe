// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_bench/traffic.h"

#include "tlm/systemc/kernel_api.h"

namespace sare::bench {

void stimulus_params::draw(const setting& s, dice& random) {
    static constexpr double loads[] = {0.005, 0.02, 0.1, 0.3, 0.6, 1, 1};
    static constexpr double rates[] = {0.05, 0.2, 0.5, 1, 1};
    static constexpr double hots[] = {0, 0, 0, 0.5, 1};
    load = loads[random.below(7)];
    credit_rate = rates[random.below(5)];
    longest = 1 + random.below(random.below(2) == 0 ? 2 : s.longest());
    equal = random.below(4) == 0;
    hot = hots[random.below(5)];
    hot_port = random.below(s.ports);
    stopped = random.below(4) == 0 ? static_cast<std::uint32_t>(random.word()) : 0;
}

// ---- source -----------------------------------------------------------------------------------------------

source::source(const sc_core::sc_module_name& name, const setting& s, std::uint32_t port,
               const stimulus_params& now, const std::vector<std::vector<std::uint32_t>>& nodes_behind,
               score& board)
    : sc_core::sc_module(name),
      m_s(s),
      m_port(port),
      m_stimulus(now),
      m_nodes_behind(nodes_behind),
      m_board(board),
      m_random(s.seed * 1000 + 2 * port),
      m_vcs(s.model.vcs, open_packet{s.model.depth}) {
    SARE_HAS_PROCESS(source);
    SC_METHOD(edge);
    sensitive << clock.pos();
    dont_initialize();
}

/// Writes at an edge what is on the pins in the next cycle.
void source::edge() {
    ++m_cycle;
    const std::uint32_t back = credit.read();
    m_board.credits_back(m_port, back);
    for (std::uint32_t v = 0; v < m_s.model.vcs; ++v) m_vcs[v].credits += back >> v & 1;
    flit_pins out;
    const std::uint32_t first = m_random.below(m_s.model.vcs);
    const bool wants = m_stimulus.closing || m_random.chance(m_stimulus.load);
    for (std::uint32_t n = 0; wants && n < m_s.model.vcs && !out.valid; ++n) {
        const std::uint32_t vc = (first + n) % m_s.model.vcs;
        if (m_vcs[vc].credits == 0 || (m_stimulus.closing && m_vcs[vc].left == 0)) continue;
        out = next_flit(vc);
    }
    flit.write(out);
}

void source::begin(std::uint32_t vc) {
    open_packet& p = m_vcs[vc];
    p.length = p.left = m_stimulus.equal ? m_stimulus.longest : 1 + m_random.below(m_stimulus.longest);
    p.out_port = m_random.chance(m_stimulus.hot) ? m_stimulus.hot_port : m_random.below(m_s.ports);
    // With lookahead the flit says where to, whatever its destination.
    const auto& nodes = m_nodes_behind[m_s.model.lookahead ? m_random.below(m_s.ports) : p.out_port];
    p.destination = nodes[m_random.below(static_cast<std::uint32_t>(nodes.size()))];
    p.vc_base = m_random.below(m_s.classes) * m_s.vcs_a_class();
    p.packet = m_board.begin(m_port, vc, p.out_port, p.vc_base, p.destination, p.length);
}

flit_pins source::next_flit(std::uint32_t vc) {
    open_packet& p = m_vcs[vc];
    flit_pins f;
    f.head = p.left == 0;
    if (f.head) begin(vc);
    f.valid = true;
    f.vc = vc;
    f.data = m_random.word();
    f.tail = --p.left == 0;
    --p.credits;
    if (f.head) {
        f.destination = p.destination;
        f.vc_base = p.vc_base;
        f.length = m_s.cut_through() ? p.length : 0;
        f.port = m_s.model.lookahead ? p.out_port : 0;
        f.vcs = m_s.model.lookahead ? ((1u << m_s.vcs_a_class()) - 1) << p.vc_base : 0;
    }
    m_board.sent(m_cycle + 1, p.packet, f);
    return f;
}

// ---- sink -------------------------------------------------------------------------------------------------

sink::sink(const sc_core::sc_module_name& name, const setting& s, std::uint32_t port,
           const stimulus_params& now, score& board)
    : sc_core::sc_module(name),
      m_s(s),
      m_port(port),
      m_stimulus(now),
      m_board(board),
      m_random(s.seed * 1000 + 2 * port + 1),
      m_owed(s.model.vcs) {
    SARE_HAS_PROCESS(sink);
    SC_METHOD(edge);
    sensitive << clock.pos();
    dont_initialize();
}

void sink::edge() {
    ++m_cycle;
    const flit_pins f = flit.read();
    if (f.valid) {
        m_board.left(m_cycle, m_port, f);
        if (f.vc < m_s.model.vcs) ++m_owed[f.vc];
    }
    const bool stopped = !m_stimulus.closing && (m_stimulus.stopped >> m_port & 1) != 0;
    std::uint32_t back = 0;
    for (std::uint32_t v = 0; v < m_s.model.vcs; ++v) {
        if (m_owed[v] == 0 || stopped || !(m_stimulus.closing || m_random.chance(m_stimulus.credit_rate)))
            continue;
        --m_owed[v];
        back |= 1u << v;
    }
    m_board.credits_given(m_port, back);
    credit.write(back);
}

}  // namespace sare::bench
