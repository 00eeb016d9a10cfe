// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/scoreboard.h"

#include "cosim/pins/bits.h"
#include "tlm/base/bits.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cosim {

scoreboard::scoreboard(std::unique_ptr<pin_router> watched, router_limits limits,
                       const routing_context& around, const packet_table& packets)
    : m_watched(std::move(watched)),
      m_limits(std::move(limits)),
      m_around(around),
      m_packets(packets),
      m_history(m_limits.ports, packets),
      m_in(m_limits.ports * m_limits.vcs),
      m_out(m_limits.ports * m_limits.vcs),
      m_use(m_limits.ports),
      m_wanted(m_limits.ports) {
    for (std::uint32_t q = 0; q < m_limits.ports; ++q) {
        const std::uint32_t pool = q < m_limits.pool_beyond.size() ? m_limits.pool_beyond[q] : 0;
        m_beyond.emplace_back(m_limits.vcs, m_limits.depth_beyond[q] - pool, pool);
    }
}

void scoreboard::cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    if (m_failed) return go_on(t, in, out);
    for (std::uint32_t q = 0; q < in.size(); ++q) m_history.note_in(t, q, in[q]);
    try {
        watch(t, in, out);
    } catch (const violation& v) {
        m_failed = true;
        throw violation(v.port(), v.what(), v.since(), m_history.at(v.port()));
    } catch (const std::runtime_error& failed) {  // an assertion of the RTL
        m_failed = true;
        throw violation(0, failed.what(), 0, m_history.everywhere());
    }
}

void scoreboard::finish() {
    if (m_failed) return;
    try {
        m_watched->finish();
    } catch (const std::runtime_error& failed) {
        m_failed = true;
        throw violation(0, failed.what(), 0, m_history.everywhere());
    }
}

void scoreboard::go_on(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    try {
        m_watched->cycle(t, in, out);
    } catch (const std::runtime_error&) {  // the first one is told already
    }
    std::fill(out.begin(), out.end(), port_out());
}

void scoreboard::watch(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        for (std::uint32_t rest = in[q].credits; rest != 0; rest &= rest - 1) {
            m_beyond[q].give_back(lowest(rest));
            m_last_event = t;
        }
        if (in[q].valid) came(t, q, in[q].what);
    }
    m_watched->cycle(t, in, out);
    for (std::uint32_t q = 0; q < out.size(); ++q) m_history.note_out(t, q, out[q]);
    for (std::uint32_t q = 0; q < out.size(); ++q) {
        if (out[q].valid) left(t, q, out[q]);
        credits_left(q, out[q].credits);
        if (out[q].valid || out[q].credits != 0) m_last_event = t;
    }
    if (m_inside_now != 0) check_waiting(t);
    if (m_inside_now != 0 && m_limits.cycles_per_flit != 0) check_pace(t);
    check_credits();
}

// ---- what goes in: the network's doing, and right --------------------------------------------------------

void scoreboard::came(cycle_t t, std::uint32_t port, const flit& f) {
    if (f.is_head()) head_came(t, port, f);
    ++m_inside[f.packet].flits_in;
    m_inside[f.packet].came.push_back(t);
    input_vc& i = input(port, f.vc);
    ++i.held;
    ++i.inside;
    m_last_event = t;
}

void scoreboard::head_came(cycle_t t, std::uint32_t port, const flit& f) {
    if (f.packet >= m_inside.size()) m_inside.resize(f.packet + 1);
    const bool empty = m_inside_now == 0 && t >= m_last_event + m_limits.settling;
    for (inside& other : m_inside) other.alone = false;
    const carried_packet& packet = m_packets[f.packet];
    const route_candidate next = m_around.here(packet.route, packet.in);
    if (!m_limits.turns_back && next.port == port)
        fail(
            port, f,
            "would leave by the port at which it came in, as the router never does (facts().turns_back); let "
            "no node send to itself");
    inside p;
    p.here = true;
    p.uid = packet.uid;
    p.in_port = port;
    p.in_vc = f.vc;
    p.out_port = next.port;
    p.out_vcs = next.vcs << packet.route.vc_base;
    if (m_limits.keeps_vc && (p.out_vcs >> f.vc & 1) != 0) p.out_vcs = vc_mask{1} << f.vc;
    p.alone = empty;
    for (std::uint32_t v = 0; v < m_limits.vcs; ++v) p.alone &= m_beyond[p.out_port].held(v) == 0;
    m_inside[f.packet] = p;
    input(port, f.vc).packets.push_back(f.packet);
    ++m_inside_now;
    ++m_wanted[p.out_port];
}

// ---- what comes out ---------------------------------------------------------------------------------------

void scoreboard::left(cycle_t t, std::uint32_t port, const port_out& out) {
    const flit& f = out.what;
    check_flit(port, f);
    output_vc& o = output(port, f.vc);
    if (!has_credits(port, f.vc, 1)) fail(port, f, "is sent without a credit");
    if (f.is_head()) {
        head_left(port, f);
        check_header(port, f, out.header);
        check_latency(t, port, f);
    } else if (o.packet != f.packet)
        fail(port, f, "leaves on another VC than its packet's head");
    inside& p = m_inside[f.packet];
    m_beyond[port].take(f.vc);
    ++p.flits_out;
    note_owing(t, f);
    p.idle = 0;
    p.could_since = 0;
    p.left_at = t;
    m_use[port].left_at = m_use[p.in_port].sent_from = t;
    ++m_use[port].flits;
    ++m_flits;
    if (f.is_tail()) tail_left(f);
}

/// Checks that a flit is in the router, the next of its packet, and at the right port.
void scoreboard::check_flit(std::uint32_t port, const flit& f) const {
    if (f.packet >= m_inside.size() || !m_inside[f.packet].here ||
        m_inside[f.packet].uid != m_packets[f.packet].uid)
        fail(port, f.vc, "a flit comes out whose packet is not in the router: made up, or sent twice");
    const inside& p = m_inside[f.packet];
    if (f.sequence < p.flits_out) fail(port, f, "comes out a second time");
    if (f.sequence > p.flits_out)
        fail(port, f, fmt::format("comes out where flit {} should: lost, or overtaken", p.flits_out));
    if (f.sequence >= p.flits_in) fail(port, f, "comes out before it came in");
    if (port != p.out_port) fail(port, f, fmt::format("is misrouted: port {} is its way", p.out_port));
    const bool keeps = m_limits.keeps_vc && p.out_vcs == vc_mask{1} << p.in_vc;
    if ((p.out_vcs >> f.vc & 1) == 0)
        fail(port, f, keeps ? "is on another VC than it came in" : "is on a VC that routing does not allow");
    const bool head = f.sequence == 0, tail = f.sequence + 1u == m_packets[f.packet].flits;
    if (f.is_head() != head) fail(port, f, head ? "is a head and not marked so" : "is no head and marked so");
    if (f.is_tail() != tail) fail(port, f, tail ? "is a tail and not marked so" : "is no tail and marked so");
}

void scoreboard::head_left(std::uint32_t port, const flit& f) {
    inside& p = m_inside[f.packet];
    output_vc& o = output(port, f.vc);
    if (o.packet != none)
        fail(port, f, fmt::format("cuts into packet {} on its VC", m_packets[o.packet].uid));
    for (const std::uint32_t earlier : input(p.in_port, p.in_vc).packets) {
        if (earlier == f.packet) break;
        const inside& e = m_inside[earlier];
        if (e.out_port == port && e.flits_out == 0)
            fail(port, f, fmt::format("overtakes packet {} of its input VC", e.uid));
    }
    o.packet = f.packet;
    p.out_vc = f.vc;
}

/// Checks the header's look-ahead route; there is none behind a port that leads to a node.
void scoreboard::check_header(std::uint32_t port, const flit& f, const header_fields& header) const {
    const carried_packet& p = m_packets[f.packet];
    if (header.destination != header_fields::nothing && header.destination != p.route.destination)
        fail(port, f, fmt::format("says that it goes to node {}", header.destination));
    const port_peer to = m_around.map().peer(router_id(m_around.router()), port_id(port));
    if (to.what == port_peer::kind::node || (header.port == header_fields::nothing && header.vcs == 0))
        return;
    const route_candidate next = m_around.ahead(p.route, p.in);
    const vc_mask vcs = next.vcs << p.route.vc_base;
    const std::string there = fmt::format(" at router {}", to.id);
    if (header.port != header_fields::nothing && header.port != next.port)
        fail(
            port, f,
            fmt::format("looks ahead to port {}{}, where port {} is its way", header.port, there, next.port));
    if ((header.vcs & ~vcs) != 0)
        fail(port, f, "looks ahead to VCs " + hex(header.vcs) + there + ", where routing allows " + hex(vcs));
}

void scoreboard::check_latency(cycle_t t, std::uint32_t port, const flit& f) {
    const inside& p = m_inside[f.packet];
    if (!p.alone) return;
    ++m_latencies;
    const cycle_t took = t - p.came[0];
    if (took < m_limits.min_latency || took > m_limits.max_latency)
        fail(port, f,
             fmt::format("took {} cycles through the empty router; declared are {} to {}", took,
                         m_limits.min_latency, m_limits.max_latency));
}

void scoreboard::tail_left(const flit& f) {
    inside& p = m_inside[f.packet];
    auto& order = input(p.in_port, p.in_vc).packets;
    order.erase(std::find(order.begin(), order.end(), f.packet));
    output(p.out_port, p.out_vc).packet = none;
    p.here = false;
    --m_inside_now;
    --m_wanted[p.out_port];
}

void scoreboard::credits_left(std::uint32_t port, std::uint32_t vcs) {
    for (; vcs != 0; vcs &= vcs - 1) {
        const std::uint32_t vc = lowest(vcs);
        if (vc >= m_limits.vcs || input(port, vc).held == 0)
            fail(port, vc, "a credit comes back for no flit");
        input_vc& i = input(port, vc);
        --i.held;
        i.owing = 0;
        if (i.held <= i.inside) i.owing_since = 0;
        if (m_limits.depth != 0) check_depth(port, vc);
    }
}

/// Notes a flit that has left, if its credit is still to come.
void scoreboard::note_owing(cycle_t t, const flit& f) {
    const inside& p = m_inside[f.packet];
    input_vc& i = input(p.in_port, p.in_vc);
    if (--i.inside >= i.held || i.owing_since != 0) return;
    i.owing_since = t;
    i.owing_for = f;
    i.owing_packet = m_packets[f.packet];
}

// ---- what stays -------------------------------------------------------------------------------------------

bool scoreboard::has_credits(std::uint32_t port, std::uint32_t vc, std::uint32_t n) const {
    return n <= m_beyond[port].free(vc);
}

std::uint32_t scoreboard::places_for_head(std::uint32_t packet) const {
    switch (m_limits.room) {
        case pins::head_credits::one_place:
            return 1;
        case pins::head_credits::whole_packet:
            return m_packets[packet].flits;
        case pins::head_credits::empty_buffer:
            break;
    }
    return m_limits.depth_beyond[m_inside[packet].out_port];
}

bool scoreboard::can_leave(std::uint32_t packet) const {
    const inside& p = m_inside[packet];
    if (p.flits_out == p.flits_in) return false;
    if (p.flits_out != 0) return has_credits(p.out_port, p.out_vc, m_limits.reserve + 1);
    const std::uint32_t places = m_limits.reserve + places_for_head(packet);
    for (std::uint32_t rest = p.out_vcs; rest != 0; rest &= rest - 1)
        if (lowest(rest) < m_limits.vcs && output(p.out_port, lowest(rest)).packet == none &&
            has_credits(p.out_port, lowest(rest), places))
            return true;
    return false;
}

void scoreboard::check_waiting(cycle_t t) {
    for (input_vc& i : m_in)
        if (!i.packets.empty()) check_waiting(t, i);
}

/// Checks only the first packet of an input VC: others wait for it.
void scoreboard::check_waiting(cycle_t t, input_vc& i) {
    const std::uint32_t packet = i.packets.front();
    inside& p = m_inside[packet];
    if (!can_leave(packet)) {
        p.could_since = 0;
        return;
    }
    if (p.could_since == 0) p.could_since = t;
    const port_use& out = m_use[p.out_port];
    if (++p.idle == 1) {
        p.idle_since = t;
        p.others = out.flits;
    }
    const cycle_t still = std::max({p.could_since, out.left_at, m_use[p.in_port].sent_from});
    if (p.idle > m_limits.patience || (m_limits.standstill != 0 && t - still > m_limits.standstill))
        fail_waiting(t, packet);
}

/// Says why the first packet of an input VC stays, as far as the pins tell: others are served and it is not;
/// credits that came are not used; or it is lost.
void scoreboard::fail_waiting(cycle_t t, std::uint32_t packet) const {
    const inside& p = m_inside[packet];
    flit f;
    f.packet = packet;
    f.sequence = static_cast<std::uint16_t>(p.flits_out);
    f.vc = static_cast<std::uint8_t>(p.in_vc);
    const std::uint32_t most = m_limits.depth_beyond[p.out_port];
    const std::uint32_t all = m_limits.credits == 0 ? most : std::min(most, m_limits.credits);
    std::uint32_t vc = p.out_vc, unused = 0;  // the VC with the most credits that the packet may take
    for (std::uint32_t v = 0; v < m_limits.vcs; ++v) {
        const bool may = p.flits_out != 0 ? v == p.out_vc
                                          : (p.out_vcs >> v & 1) != 0 && output(p.out_port, v).packet == none;
        if (!may || m_beyond[p.out_port].free(v) <= unused) continue;
        vc = v;
        unused = m_beyond[p.out_port].free(v);
    }
    unused -= std::min(unused, most - all);
    const std::string port = std::to_string(p.out_port);
    const std::uint64_t others = m_use[p.out_port].flits - p.others;
    const bool has_vc = p.flits_out != 0 && m_limits.counts_credits;
    // Others that have gone long ago do not keep it from going.
    const bool in_use = m_limits.standstill == 0 || t - m_use[p.out_port].left_at <= m_limits.standstill;
    if (others != 0 && in_use && !has_vc)
        fail(p.in_port, f,
             fmt::format("is starved: {} other flits have left by output {} since cycle {}, while it could "
                         "have in {} cycles",
                         others, port, p.idle_since, p.idle),
             p.idle_since);
    if (m_limits.counts_credits && (unused < all || (others != 0 && has_vc)))
        throw violation(
            p.out_port,
            fmt::format(
                "output {}, VC {}: {} credits, {} not used since cycle {}{}; at input {}, VC {} {} waits",
                port, vc, all, unused, p.could_since,
                others != 0 ? fmt::format(", while {} other flits left", others) : "", p.in_port, p.in_vc,
                text_of(f)),
            p.could_since);
    const cycle_t came = p.came[p.flits_out];
    fail(p.in_port, f,
         fmt::format("came in and could have left in {} cycles: lost, or stuck; it came in cycle {}",
                     t + 1 - p.could_since, came),
         came);
}

/// True if every output VC that a packet may take is held by a packet that has not come in whole.
bool scoreboard::cannot_go_on(std::uint32_t packet) const {
    const inside& p = m_inside[packet];
    if (p.flits_out != 0) return false;
    for (std::uint32_t v = 0; v < m_limits.vcs; ++v) {
        const std::uint32_t holder = output(p.out_port, v).packet;
        if ((p.out_vcs >> v & 1) == 0) continue;
        if (holder == none || m_inside[holder].flits_in == m_packets[holder].flits) return false;
    }
    return true;
}

/// Checks the flits that an input VC has taken, if they must all be in its buffer.
void scoreboard::check_depth(std::uint32_t port, std::uint32_t vc) const {
    const input_vc& i = input(port, vc);
    const std::uint32_t taken = i.inside - i.held;
    if (i.inside <= i.held || taken <= m_limits.depth || !cannot_go_on(i.packets.front())) return;
    fail(port, vc,
         fmt::format("takes {} flits that cannot go on; declared is a depth of {}", taken, m_limits.depth));
}

/// True if no other packet uses the ports of an input VC's first packet, its head has left, and there are
/// credits even if the router has not seen the last ones.
bool scoreboard::is_free(std::uint32_t port, const input_vc& i) const {
    const std::uint32_t packet = i.packets.front();
    const inside& p = m_inside[packet];
    if (p.flits_out == 0 || p.flits_out == p.flits_in || m_wanted[p.out_port] != 1) return false;
    for (std::uint32_t v = 0; v < m_limits.vcs; ++v)
        if (&input(port, v) != &i && !input(port, v).packets.empty()) return false;
    const std::uint32_t beyond = m_limits.depth_beyond[p.out_port];
    const std::uint32_t unused = m_limits.credits == 0 ? 0 : beyond - std::min(beyond, m_limits.credits);
    return has_credits(p.out_port, p.out_vc, 1 + m_limits.reserve + m_limits.credit_lag + unused);
}

/// Checks that a packet with nothing in its way soon goes on at the declared pace.
void scoreboard::check_pace(cycle_t t) {
    for (std::uint32_t q = 0; q < m_limits.ports; ++q)
        for (std::uint32_t v = 0; v < m_limits.vcs; ++v) {
            const input_vc& i = input(q, v);
            if (i.packets.empty()) continue;
            inside& p = m_inside[i.packets.front()];
            if (!is_free(q, i)) {
                p.free_since = t + 1;
                continue;
            }
            const cycle_t due = std::max(p.left_at + m_limits.cycles_per_flit,
                                         std::max(p.came[p.flits_out], p.free_since) + m_limits.max_latency);
            if (t < due) continue;
            flit f;
            f.packet = i.packets.front();
            f.sequence = static_cast<std::uint16_t>(p.flits_out);
            f.vc = static_cast<std::uint8_t>(v);
            fail(q, f,
                 fmt::format("is late, with nothing in its way: the flit before left in cycle {}; declared "
                             "are {} cycles a flit",
                             p.left_at, m_limits.cycles_per_flit));
        }
}

/// Checks credits: one may wait for others of its VC, but not for ever: in mid-packet a sender needs it.
void scoreboard::check_credits() {
    const std::uint32_t most = m_limits.credit_delay != 0 ? m_limits.credit_delay : m_limits.patience;
    for (std::uint32_t q = 0; q < m_limits.ports; ++q)
        for (std::uint32_t v = 0; v < m_limits.vcs; ++v) {
            input_vc& i = input(q, v);
            i.owing = i.held > i.inside ? i.owing + 1 : 0;
            if (i.owing <= most) continue;
            fail(q, v,
                 fmt::format(
                     "{} credits do not come back{}; the first is due since cycle {} (left then: {}){}",
                     i.held - i.inside,
                     m_inside_now == 0 ? " from the empty router" : ", although their flits have left",
                     i.owing_since, text(i.owing_for, i.owing_packet),
                     m_limits.credit_delay == 0 ? "" : fmt::format("; declared are {} cycles", most)),
                 i.owing_since);
        }
}

// ---- lines ------------------------------------------------------------------------------------------------

void scoreboard::fail(std::uint32_t port, std::uint32_t vc, const std::string& what, cycle_t since) const {
    throw violation(port, fmt::format("port {} VC {}: {}", port, vc, what), since);
}

void scoreboard::fail(std::uint32_t port, const flit& f, const std::string& what, cycle_t since) const {
    fail(port, f.vc, text_of(f) + ": " + what, since);
}

std::string scoreboard::text_of(const flit& f) const {
    const carried_packet& p = m_packets[f.packet];
    return fmt::format("packet {} from node {} to {}, flit {} of {}", p.uid, p.route.source,
                       p.route.destination, f.sequence, p.flits);
}

}  // namespace sare::cosim
