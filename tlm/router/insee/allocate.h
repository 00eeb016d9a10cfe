// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/insee/step.h"

/// Part of phit_step: requests and arbitration. Each packet at the front of an input (phit_shape) without an
/// output VC asks for one that is free and has room for the packet; one of the packets that ask for the same
/// VC gets it. An output VC has the number port * vcs + vc.
namespace sare {

/// Gives output VCs to the inputs in phit_block::asking, and drops packets that a rule of injection_drop
/// tells to drop.
template <int W>
void phit_step<W>::allocate() {
    request all[64 * W];
    std::uint32_t n = 0, dropped = 0;
    std::uint16_t drops_first[64 * W];
    const bool drops_heads = drops(injection_drop::head);
    const bool stopped = m_c.congestion != nullptr && m_c.congestion->stops_injection();
    m_b.asking.for_each([&](std::uint32_t i) {
        if (is_new(i) && stopped) {
            m_b.changed = true;  // new packets ask again until the stop is over
            return;
        }
        const std::uint32_t o = wish_of(i);
        if (o != no_output && m_b.outputs[o].owner == phit_output::no_owner)
            all[n++] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(o)};
        else if (drops_heads && is_new(i)) {
            m_b.changed = true;  // the packet looks for room in every cycle
            if (o == no_output) drops_first[dropped++] = static_cast<std::uint16_t>(i);
        }
    });
    for (std::uint32_t k = 0; k < dropped; ++k) drop_first(drops_first[k]);
    if (n == 0) return;
    if (n == 1) return grant(all[0].input, all[0].output);
    std::stable_sort(all, all + n, [](const request& a, const request& b) { return a.output < b.output; });
    for (const request* first = all; first != all + n;) {
        const request* last = first + 1;
        while (last != all + n && last->output == first->output) ++last;
        if (last != first + 1) m_b.changed = true;  // the losers ask again
        grant(last == first + 1 ? first->input : winner(first, last), first->output);
        first = last;
    }
}

/// True if output VC (way.port, vc) may take the packet at the front of input i. `credits`: room, in phits,
/// in the queue behind the link, which must be enough for the whole packet. With bubble flow control (C.
/// Carrion et al., "A flow control mechanism to avoid message deadlock in k-ary n-cube networks", HiPC 1997),
/// as INSEE's router has it, a packet that enters a ring must also find room for two packets in this router's
/// transit queue of that ring. A new packet must find room there for `local_bubble` packets (LBR), if that is
/// more.
template <int W>
bool phit_step<W>::may_take(std::uint32_t i, const route_candidate& way, std::uint32_t vc,
                            std::uint32_t credits) const {
    const phit_setting& p = m_k.params;
    if (credits < p.packet) return false;
    if (leaves_network(way.port)) return true;
    // This queue holds the packets that come straight on to way.port: from the other neighbour along the
    // axis.
    const std::uint32_t before = opposite(way.port) * m_vcs + vc;
    std::uint32_t packets = is_new(i) ? p.local_bubble : 0;
    if (p.flow == phit_flow::bubble && i != before && (way.escape || p.request == request_policy::oblivious))
        packets = std::max(packets, 2U);
    return packets == 0 || m_b.queues[before].phits + packets * p.packet <= p.queue * p.packet;
}

/// Returns the VCs of candidate `way` that may take the packet at the front of input i, as a mask: bit v for
/// VC v.
template <int W>
std::uint32_t phit_step<W>::open_vcs(std::uint32_t i, const route_candidate& way) const {
    std::uint32_t open = 0;
    for (std::uint32_t rest = way.vcs; rest != 0; rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(rest));
        if (may_take(i, way, vc, m_b.outputs[way.port * m_vcs + vc].credits)) open |= 1U << vc;
    }
    return open;
}

/// Returns the output VC that the packet at the front of input i asks for; no_output if none has room. If
/// another packet has that VC, the packet waits, and decides anew in the next cycle.
template <int W>
std::uint32_t phit_step<W>::wish_of(std::uint32_t i) {
    const route_candidate& first = m_b.ways[i * m_k.ways];
    std::uint32_t o = no_output;
    if (m_b.links[first.port].node != phit_link::no_node)
        o = first.port * m_vcs;
    else if (leaves_network(first.port))
        o = any_of(i, [](const route_candidate&) { return true; });
    else
        switch (m_k.params.request) {
            case request_policy::oblivious:
                o = keep_vc(i, first);
                break;
            case request_policy::shortest:
                o = most_room(i);
                break;
            case request_policy::smart:
                o = next_bet(i);
                break;
            case request_policy::random:
                o = any_adaptive(i);
                break;
            case request_policy::any:
                o = any_of(i, [](const route_candidate&) { return true; });
                break;
        }
    return o;
}

/// Returns an output VC drawn at random, with equal chances, from those that may take the packet at the front
/// of input i and belong to a candidate for which wanted(candidate) is true; no_output if there is none.
template <int W>
template <class F>
std::uint32_t phit_step<W>::any_of(std::uint32_t i, F wanted) {
    const route_candidate* ways = m_b.ways + i * m_k.ways;
    std::uint16_t open[route_set::capacity * 16];
    std::uint32_t n = 0;
    for (std::uint32_t k = 0; k < m_b.queues[i].candidates; ++k) {
        if (!wanted(ways[k])) continue;
        for (std::uint32_t rest = open_vcs(i, ways[k]); rest != 0; rest &= rest - 1)
            open[n++] = static_cast<std::uint16_t>(ways[k].port * m_vcs + lowest(rest));
    }
    if (n == 0) return no_output;
    if (n > 1) m_b.changed = true;  // another VC may be drawn
    return open[n == 1 ? 0 : m_b.random.below(n)];
}

/// Returns a random escape VC that may take the packet at the front of input i; no_output if there is none.
template <int W>
std::uint32_t phit_step<W>::escape(std::uint32_t i) {
    return any_of(i, [](const route_candidate& way) { return way.escape; });
}

/// Returns the output VC for `request: oblivious`: a packet keeps its VC along a dimension, and draws a VC of
/// candidate `way` when it enters a dimension. Returns no_output if that VC has no room.
template <int W>
std::uint32_t phit_step<W>::keep_vc(std::uint32_t i, const route_candidate& way) {
    if (open_vcs(i, way) == 0) return no_output;
    if (is_new(i) || i / m_vcs != opposite(way.port)) m_b.changed = true;  // another VC may be drawn
    return same_vc(i, way);
}

/// Returns the adaptive output VC with most room, or an escape VC if no adaptive one has room for the packet;
/// no_output if no escape has any, either. In trees ties are broken at random, elsewhere the first VC wins.
template <int W>
std::uint32_t phit_step<W>::most_room(std::uint32_t i) {
    const route_candidate* ways = m_b.ways + i * m_k.ways;
    std::uint32_t best = no_output, most = 0, ties = 0;
    for (std::uint32_t k = 0; k < m_b.queues[i].candidates; ++k) {
        if (ways[k].escape) continue;
        for (std::uint32_t rest = open_vcs(i, ways[k]); rest != 0; rest &= rest - 1) {
            const std::uint32_t o = ways[k].port * m_vcs + static_cast<std::uint32_t>(lowest(rest));
            const std::uint32_t room = m_b.outputs[o].credits;
            if (room < most) continue;
            ties = room > most ? 1 : ties + 1;
            if (room == most && (m_k.params.flow != phit_flow::tree || m_b.random.below(ties) != 0)) continue;
            most = room;
            best = o;
        }
    }
    if (best == no_output) return escape(i);
    m_b.changed = true;  // another VC may have most room
    return best;
}

/// Returns the output VC for `request: smart`, which tries one candidate in each cycle: on along the
/// dimension of the packet, then along the next dimensions, all on adaptive VCs, then the escape, and again
/// from the beginning. A packet that goes straight on keeps its VC.
template <int W>
std::uint32_t phit_step<W>::next_bet(std::uint32_t i) {
    phit_queue& q = m_b.queues[i];
    const route_candidate* ways = m_b.ways + i * m_k.ways;
    const std::uint32_t axes = m_k.axes, own = is_new(i) ? 0 : axis_of(i / m_vcs);
    while (q.bet < axes) {
        const std::uint32_t a = (own + q.bet++) % axes;
        for (std::uint32_t k = 0; k < q.candidates; ++k) {
            if (ways[k].escape || axis_of(ways[k].port) != a) continue;
            if (const std::uint32_t o = same_vc(i, ways[k]); o != no_output) {
                m_b.changed = true;  // the next candidate takes its turn
                return o;
            }
        }
    }
    q.bet = 0;
    m_b.changed = true;
    return escape(i);
}

/// Returns an output VC of candidate `way`: the VC on which the packet came, if the candidate has it and goes
/// straight on; otherwise one that is drawn. Returns no_output if that VC has no room.
template <int W>
std::uint32_t phit_step<W>::same_vc(std::uint32_t i, const route_candidate& way) {
    std::uint32_t vc = i % m_vcs;
    if (is_new(i) || i / m_vcs != opposite(way.port) || !is_member(way.vcs, vc)) {
        std::uint32_t rest = way.vcs;
        for (std::uint32_t n = m_b.random.below(static_cast<std::uint32_t>(__builtin_popcount(rest))); n != 0;
             --n)
            rest &= rest - 1;
        vc = static_cast<std::uint32_t>(lowest(rest));
    }
    const std::uint32_t o = way.port * m_vcs + vc;
    return may_take(i, way, vc, m_b.outputs[o].credits) ? o : no_output;
}

/// Returns a random adaptive output VC that may take the packet at the front of input i, or an escape VC if
/// there is none; no_output if there is no escape, either.
template <int W>
std::uint32_t phit_step<W>::any_adaptive(std::uint32_t i) {
    const std::uint32_t o = any_of(i, [](const route_candidate& way) { return !way.escape; });
    return o != no_output ? o : escape(i);
}

/// Returns the input that gets an output VC. `first`, `last`: begin and end (exclusive) of the requests for
/// this VC, sorted by input. Where both new packets and packets in transit ask, the new ones lose in a
/// fraction transit_priority of the cases (IPR).
template <int W>
std::uint32_t phit_step<W>::winner(const request* first, const request* last) {
    const bool transit = first->input < m_k.transit, fresh = is_new((last - 1)->input);
    if (transit && fresh && m_k.params.transit_priority > 0 &&
        m_b.random.bernoulli(m_k.params.transit_priority))
        while (is_new((last - 1)->input)) --last;
    const arbiter_state at = arbiter_at(first->output);
    const phit_contest<W> of = contest();
    const request* best = first;
    for (const request* r = first + 1; r != last; ++r)
        if (m_k.policy == nullptr ? at.distance(r->input) < at.distance(best->input)
                                  : m_k.policy->beats(at, r->input, best->input, of))
            best = r;
    return best->input;
}

/// Gives output VC o to the packet at the front of input i.
template <int W>
void phit_step<W>::grant(std::uint32_t i, std::uint32_t o) {
    phit_queue& q = m_b.queues[i];
    m_b.outputs[o].owner = static_cast<std::uint16_t>(i);
    if (m_k.policy != nullptr) m_k.policy->served(arbiter_at(o), i, contest());
    m_b.outputs[o].turn = static_cast<std::uint16_t>(i);
    q.out = static_cast<std::uint16_t>(o);
    q.bet = 0;
    m_b.asking.clear(i);
    if (q.phits != 0) make_ready(o);
}

}  // namespace sare
