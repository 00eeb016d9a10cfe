// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_bench/score.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::bench {

score::score(const setting& s, std::vector<std::uint32_t> table)
    : m_s(s),
      m_table(std::move(table)),
      m_in(s.ports * s.model.vcs),
      m_out(s.ports * s.model.vcs),
      m_heads_now(s.ports) {
    const auto once = std::vector<std::string>{"seen"};
    const auto ports = numbered(s.ports), in_vcs = crossed(s.ports, s.model.vcs);
    m_c.ports = m_cover.point("input port to output port", crossed(s.ports, s.ports));
    m_c.vcs = m_cover.point("input VC to output VC", crossed(s.model.vcs, s.model.vcs));
    m_c.lengths = m_cover.point("flits of a packet", numbered(s.longest(), 1));
    m_c.single = m_cover.point("head and tail in one flit, by input port", ports);
    if (!s.cut_through()) m_c.longer = m_cover.point("packet longer than a buffer, by output port", ports);
    m_c.full = m_cover.point("buffer of an input VC full", in_vcs);
    m_c.full_empty = m_cover.point("buffer of an input VC full, then empty", in_vcs);
    m_c.all_busy_in = m_cover.point("flits in all VCs of an input port", ports);
    m_c.all_busy_out = m_cover.point("packets on all VCs of an output port", ports);
    if (!s.atomic()) m_c.reuse = m_cover.point("output VC used again, credits still to come", in_vcs);
    m_c.last_credit = m_cover.point("last credit of an output VC used", in_vcs);
    m_c.starved = m_cover.point("output VC goes on after 50 cycles without credit", ports);
    m_c.back_to_back = m_cover.point("head in the cycle after a tail on its VC", ports);
    m_c.together = m_cover.point("heads for one output port in a cycle", numbered(s.ports - 1, 2));
    m_c.all_in = m_cover.point("flits come in by all ports in a cycle", once);
    m_c.all_out = m_cover.point("flits leave by all ports in a cycle", once);
    m_c.wake = m_cover.point("head after 20 idle cycles", ports);
    m_c.credit_and_flit = m_cover.point("credit comes as a flit of its VC leaves", in_vcs);
    m_c.fastest = m_cover.point("head passes as fast as can be, by output port", ports);
    if (s.model.speculative && s.model.va_delay)
        m_c.speculation = m_cover.point("speculation", {"won", "lost"});
}

void score::fail(const std::string& what) {
    if (!m_error.empty()) return;
    m_error = what;
    sc_core::sc_stop();
}

std::string score::name(const packet& p) const {
    return fmt::format("packet from port {} VC {} to port {}, {} flits", p.in_port, p.in_vc, p.out_port,
                       p.length);
}

// ---- in ---------------------------------------------------------------------------------------------------

std::uint64_t score::begin(std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                           std::uint32_t vc_base, std::uint32_t destination, std::uint32_t length) {
    packet p{};
    p.in_port = port;
    p.in_vc = vc;
    p.out_port = out_port;
    p.vc_base = vc_base;
    p.destination = destination;
    p.length = length;
    m_packets[++m_next] = p;
    in(port, vc).order.push_back(m_next);
    m_cover.hit(m_c.lengths, length - 1);
    return m_next;
}

void score::sent(std::uint64_t cycle, std::uint64_t id, const flit_pins& f) {
    packet& p = m_packets[id];
    in_vc& i = in(p.in_port, p.in_vc);
    if (f.head) head_sent(cycle, p, i, f);
    m_inside[f.data] = {id, p.sent++};
    if (f.tail) i.tail_at = cycle;
    if (++i.held == m_s.model.depth) {
        i.was_full = true;
        m_cover.hit(m_c.full, p.in_port * m_s.model.vcs + p.in_vc);
    }
    bool all = true;
    for (std::uint32_t v = 0; v < m_s.model.vcs; ++v) all = all && in(p.in_port, v).held != 0;
    if (all) m_cover.hit(m_c.all_busy_in, p.in_port);
    ++m_in_now;
}

void score::head_sent(std::uint64_t cycle, packet& p, in_vc& i, const flit_pins& f) {
    p.head_at = cycle;
    p.unhindered = i.held == 0 && vc_is_free(p);
    if (f.tail) m_cover.hit(m_c.single, p.in_port);
    if (i.tail_at != 0 && cycle == i.tail_at + 1) m_cover.hit(m_c.back_to_back, p.in_port);
    if (cycle > m_last_flit + 20) m_cover.hit(m_c.wake, p.in_port);
    ++m_heads_now[p.out_port];
}

bool score::vc_is_free(const packet& p) const {
    const auto first = m_out.begin() + p.out_port * m_s.model.vcs + p.vc_base;
    return std::any_of(first, first + m_s.vcs_a_class(),
                       [](const out_vc& o) { return !o.open && o.used == 0; });
}

void score::credits_back(std::uint32_t port, std::uint32_t vcs) {
    for (std::uint32_t v = 0; v < m_s.model.vcs; ++v) {
        if ((vcs >> v & 1) == 0) continue;
        in_vc& i = in(port, v);
        if (i.held == 0) return fail(fmt::format("port {} VC {}: a credit for no flit", port, v));
        if (--i.held != 0 || !i.was_full) continue;
        i.was_full = false;
        m_cover.hit(m_c.full_empty, port * m_s.model.vcs + v);
    }
}

// ---- out --------------------------------------------------------------------------------------------------

void score::left(std::uint64_t cycle, std::uint32_t port, const flit_pins& f) {
    const auto found = m_inside.find(f.data);
    if (f.vc >= m_s.model.vcs || found == m_inside.end())
        return fail(fmt::format("port {} VC {}: a flit that is not in the router", port, f.vc));
    const flit_number number = found->second;
    packet& p = m_packets[number.packet];
    if (!is_right(p, port, f, number.sequence)) return;
    m_inside.erase(found);
    if (f.head) head_left(cycle, number.packet, p, f);
    cover_output(cycle, port, f);
    ++p.left;
    ++m_flits;
    m_last_flit = cycle;
    if (f.tail) tail_left(number.packet, p);
}

bool score::is_right(const packet& p, std::uint32_t port, const flit_pins& f, std::uint32_t sequence) {
    const out_vc& o = out(port, f.vc);
    std::string wrong;
    if (port != p.out_port)
        wrong = "wrong port";
    else if (f.vc < p.vc_base || f.vc >= p.vc_base + m_s.vcs_a_class())
        wrong = "VC of another class";
    else if (sequence != p.left)
        wrong = fmt::format("flit {} where {} is due", sequence, p.left);
    else if (f.head != (sequence == 0) || f.tail != (sequence + 1 == p.length))
        wrong = "wrongly marked as head or tail";
    else if (f.head && o.open)
        wrong = "VC taken by another packet";
    else if (!f.head && f.vc != p.out_vc)
        wrong = "another VC than the head's";
    else if (o.used == m_s.model.depth)
        wrong = "no credit";
    else if (f.head && m_s.atomic() && o.used != 0)
        wrong = "VC used again before all its credits are back";
    else if (f.head && !header_is_right(p, f))
        wrong = "header changed";
    if (wrong.empty()) return true;
    fail(fmt::format("port {} VC {}: {} ({})", port, f.vc, wrong, name(p)));
    return false;
}

bool score::header_is_right(const packet& p, const flit_pins& f) {
    if (f.destination != p.destination || (m_s.classes > 1 && f.vc_base != p.vc_base)) return false;
    if (m_s.cut_through() && f.length != p.length) return false;
    const std::uint32_t vcs = ((1u << m_s.vcs_a_class()) - 1) << p.vc_base;
    return m_s.model.lookahead ? f.port == m_table[p.destination] && f.vcs == vcs : f.port == 0 && f.vcs == 0;
}

void score::head_left(std::uint64_t cycle, std::uint64_t id, packet& p, const flit_pins& f) {
    // Those of the same input VC to the same port come out as they went in.
    for (const std::uint64_t earlier : in(p.in_port, p.in_vc).order) {
        if (earlier == id) break;
        const packet& e = m_packets[earlier];
        if (e.out_port == p.out_port && e.left == 0)
            return fail("overtaken: " + name(e) + ", by: " + name(p));
    }
    out_vc& o = out(p.out_port, f.vc);
    if (o.used != 0 && !m_s.atomic()) m_cover.hit(m_c.reuse, p.out_port * m_s.model.vcs + f.vc);
    if (p.length > m_s.model.depth && !m_s.cut_through()) m_cover.hit(m_c.longer, p.out_port);
    m_cover.hit(m_c.ports, p.in_port * m_s.ports + p.out_port);
    m_cover.hit(m_c.vcs, p.in_vc * m_s.model.vcs + f.vc);
    cover_latency(cycle - p.head_at, p);
    p.out_vc = f.vc;
    o.open = true;
    bool all = true;
    for (std::uint32_t v = 0; v < m_s.model.vcs; ++v) all = all && out(p.out_port, v).open;
    if (all) m_cover.hit(m_c.all_busy_out, p.out_port);
}

/// Covers latencies: speculation shows in the time of a head that nothing hinders in VC allocation.
void score::cover_latency(std::uint64_t took, const packet& p) {
    const std::uint32_t least = m_s.latency(m_s.model.speculative);
    if (took < least)
        return fail(fmt::format("a head took {} cycles; at least {} ({})", took, least, name(p)));
    if (took == least) m_cover.hit(m_c.fastest, p.out_port);
    if (m_s.model.speculative && m_s.model.va_delay && p.unhindered)
        m_cover.hit(m_c.speculation, took == least ? 0 : 1);
}

void score::cover_output(std::uint64_t cycle, std::uint32_t port, const flit_pins& f) {
    out_vc& o = out(port, f.vc);
    const std::uint32_t bin = port * m_s.model.vcs + f.vc;
    if (o.credit_now) m_cover.hit(m_c.credit_and_flit, bin);
    if (o.empty_since != 0 && cycle >= o.empty_since + 50) m_cover.hit(m_c.starved, port);
    o.empty_since = 0;
    if (++o.used == m_s.model.depth) {
        o.empty_since = cycle;
        m_cover.hit(m_c.last_credit, bin);
    }
    ++m_out_now;
}

void score::tail_left(std::uint64_t id, const packet& p) {
    out(p.out_port, p.out_vc).open = false;
    auto& order = in(p.in_port, p.in_vc).order;
    order.erase(std::find(order.begin(), order.end(), id));
    m_packets.erase(id);
    ++m_done;
}

void score::credits_given(std::uint32_t port, std::uint32_t vcs) {
    for (std::uint32_t v = 0; v < m_s.model.vcs; ++v) {
        out(port, v).credit_now = (vcs >> v & 1) != 0;
        if (out(port, v).credit_now) --out(port, v).used;
    }
}

// ---- all --------------------------------------------------------------------------------------------------

void score::end_of_cycle() {
    if (m_in_now == m_s.ports) m_cover.hit(m_c.all_in);
    if (m_out_now == m_s.ports) m_cover.hit(m_c.all_out);
    for (std::uint32_t& heads : m_heads_now) {
        if (heads >= 2) m_cover.hit(m_c.together, heads - 2);
        heads = 0;
    }
    m_in_now = m_out_now = 0;
}

bool score::all_credits_back() const {
    return std::all_of(m_in.begin(), m_in.end(), [](const in_vc& i) { return i.held == 0; }) &&
           std::all_of(m_out.begin(), m_out.end(), [](const out_vc& o) { return o.used == 0; });
}

}  // namespace sare::bench
