// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/insee/step.h"

/// Requests and arbitration: each packet that has no output VC asks for one that is free and has room for it;
/// of those that ask for the same one, one gets it.
namespace sare {

template <int W>
void phit_step<W>::allocate() {
    request all[64 * W];
    std::uint32_t n = 0;
    const bool stopped = m_c.congestion != nullptr && m_c.congestion->stops_injection();
    m_b.asking.for_each([&](std::uint32_t i) {
        if (is_new(i) && stopped) {
            m_b.changed = true;  // until it is over
            return;
        }
        const std::uint32_t o = output_for(i);
        if (o != no_output) all[n++] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(o)};
    });
    if (n == 0) return;
    if (n == 1) return grant(all[0].input, all[0].output);
    std::stable_sort(all, all + n, [](const request& a, const request& b) { return a.output < b.output; });
    for (const request* first = all; first != all + n;) {
        const request* last = first + 1;
        while (last != all + n && last->output == first->output) ++last;
        grant(last == first + 1 ? first->input : winner(first, last), first->output);
        if (last != first + 1) m_b.changed = true;  // the others may find another VC
        first = last;
    }
}

/// Places for phits that must be free in the queue beyond. Bubble flow control (C. Carrion et al., "A flow
/// control mechanism to avoid message deadlock in k-ary n-cube networks", HiPC 1997): what enters a ring
/// leaves room for a packet in it; what is new does so with a phit to spare.
template <int W>
std::uint32_t phit_step<W>::room_needed(std::uint32_t i, const route_candidate& way, std::uint32_t vc) const {
    const phit_setting& p = m_k.params;
    const bool ring = p.flow == phit_flow::bubble && (way.escape || p.request == request_policy::oblivious);
    if (is_new(i)) return std::max(ring ? 2 * p.packet + 1 : p.packet, (1 + p.local_bubble) * p.packet);
    // Ports come in pairs: what comes in from one neighbour of a dimension goes on to the other.
    const bool stays = i == (way.port ^ 1U) * m_vcs + vc;
    return ring && !stays ? 2 * p.packet : p.packet;
}

/// Of the VCs of a way those that have room.
template <int W>
std::uint32_t phit_step<W>::roomy_vcs(std::uint32_t i, const route_candidate& way) const {
    if (m_b.nodes[way.port] != no_node) return 1;
    std::uint32_t roomy = 0;
    for (std::uint32_t rest = way.vcs; rest != 0; rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(rest));
        if (m_b.outputs[way.port * m_vcs + vc].credits >= room_needed(i, way, vc)) roomy |= 1u << vc;
    }
    return roomy;
}

/// Of some VCs of a way those that no packet has.
template <int W>
std::uint32_t phit_step<W>::free_vcs(const route_candidate& way, std::uint32_t vcs) const {
    std::uint32_t free = 0;
    for (std::uint32_t rest = vcs; rest != 0; rest &= rest - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(rest));
        if (is_free(way.port * m_vcs + vc)) free |= 1u << vc;
    }
    return free;
}

/// The output VC that input i asks for: one that is free, or none.
template <int W>
std::uint32_t phit_step<W>::output_for(std::uint32_t i) {
    switch (m_k.params.request) {
        case request_policy::shortest:
            return most_room(i);
        case request_policy::smart:
            return straight_on(i);
        case request_policy::random:
            return any_adaptive(i);
        case request_policy::oblivious:
        case request_policy::in_order:
            break;
    }
    return in_order(i);
}

template <int W>
std::uint32_t phit_step<W>::in_order(std::uint32_t i) const {
    const route_candidate* ways = m_b.ways + i * m_k.ways;
    const bool keeps_vc = m_k.params.request == request_policy::oblivious && !is_new(i);
    for (std::uint32_t n = 0; n < m_b.queues[i].candidates; ++n) {
        const route_candidate& way = ways[n];
        std::uint32_t open = free_vcs(way, roomy_vcs(i, way));
        if (keeps_vc && m_b.nodes[way.port] == no_node) open &= 1u << i % m_vcs;
        if (open != 0) return way.port * m_vcs + round_robin(open, m_b.ports[way.port].last);
    }
    return no_output;
}

/// The escape, or the node.
template <int W>
std::uint32_t phit_step<W>::escape(std::uint32_t i) const {
    const route_candidate* ways = m_b.ways + i * m_k.ways;
    for (std::uint32_t n = 0; n < m_b.queues[i].candidates; ++n) {
        if (!ways[n].escape && m_b.nodes[ways[n].port] == no_node) continue;
        if (const std::uint32_t open = free_vcs(ways[n], roomy_vcs(i, ways[n])))
            return ways[n].port * m_vcs + static_cast<std::uint32_t>(lowest(open));
    }
    return no_output;
}

template <int W>
std::uint32_t phit_step<W>::pick(const choices& open) {
    return open.output[open.size == 1 ? 0 : m_b.random.below(open.size)];
}

template <int W>
std::uint32_t phit_step<W>::if_free(std::uint32_t o) const {
    return is_free(o) ? o : no_output;
}

/// The adaptive VC with most room, ties at random: of a port one that is free, if there is one; but a port
/// whose VCs are all taken is chosen too if it has most room, and waited for.
template <int W>
std::uint32_t phit_step<W>::most_room(std::uint32_t i) {
    const route_candidate* ways = m_b.ways + i * m_k.ways;
    choices best;
    std::uint32_t most = 0;
    for (std::uint32_t k = 0; k < m_b.queues[i].candidates; ++k) {
        if (ways[k].escape || m_b.nodes[ways[k].port] != no_node) continue;
        const std::uint32_t roomy = roomy_vcs(i, ways[k]), free = free_vcs(ways[k], roomy);
        for (std::uint32_t rest = free != 0 ? free : roomy; rest != 0; rest &= rest - 1) {
            const std::uint32_t o = ways[k].port * m_vcs + static_cast<std::uint32_t>(lowest(rest));
            const std::uint32_t room = m_b.outputs[o].credits;
            if (room < most) continue;
            if (room > most) best.size = 0;
            most = room;
            best.add(o);
        }
    }
    return best.size != 0 ? if_free(pick(best)) : escape(i);
}

/// Straight on in the same VC, else any adaptive VC, else the escape; all of them free.
template <int W>
std::uint32_t phit_step<W>::straight_on(std::uint32_t i) {
    const route_candidate* ways = m_b.ways + i * m_k.ways;
    const std::uint32_t port = (i / m_vcs) ^ 1U, vc = i % m_vcs;
    choices open;
    for (std::uint32_t k = 0; k < m_b.queues[i].candidates; ++k) {
        if (ways[k].escape || m_b.nodes[ways[k].port] != no_node) continue;
        const std::uint32_t vcs = free_vcs(ways[k], roomy_vcs(i, ways[k]));
        if (!is_new(i) && ways[k].port == port && is_member(vcs, vc)) return port * m_vcs + vc;
        for (std::uint32_t rest = vcs; rest != 0; rest &= rest - 1)
            open.add(ways[k].port * m_vcs + static_cast<std::uint32_t>(lowest(rest)));
    }
    return open.size != 0 ? pick(open) : escape(i);
}

/// The same VC in any direction, else any adaptive VC, else the escape. A packet in transit takes what has
/// room and waits for it; with dateline routers a new one does so too.
template <int W>
std::uint32_t phit_step<W>::any_adaptive(std::uint32_t i) {
    const route_candidate* ways = m_b.ways + i * m_k.ways;
    const std::uint32_t vc = i % m_vcs;
    const bool waits = !is_new(i) || m_k.params.flow == phit_flow::dateline;
    choices same, open;
    for (std::uint32_t k = 0; k < m_b.queues[i].candidates; ++k) {
        if (ways[k].escape || m_b.nodes[ways[k].port] != no_node) continue;
        std::uint32_t vcs = roomy_vcs(i, ways[k]);
        if (!waits) vcs = free_vcs(ways[k], vcs);
        if (!is_new(i) && is_member(vcs, vc)) same.add(ways[k].port * m_vcs + vc);
        for (std::uint32_t rest = vcs; rest != 0; rest &= rest - 1)
            open.add(ways[k].port * m_vcs + static_cast<std::uint32_t>(lowest(rest)));
    }
    if (same.size != 0) return if_free(pick(same));
    return open.size != 0 ? if_free(pick(open)) : escape(i);
}

/// What an arbiter prefers: the smallest.
template <int W>
std::uint64_t phit_step<W>::rank(const request& r) {
    const phit_queue& q = m_b.queues[r.input];
    switch (m_k.params.arbitration) {
        case phit_arbitration::random:
            return m_b.random.next();
        case phit_arbitration::fifo:
            return q.asked;
        case phit_arbitration::longest:
            return 0xffff - q.phits;
        case phit_arbitration::age:
            return m_c.packets[m_b.slots[r.input * m_k.slots + q.first]].generated;
        case phit_arbitration::round_robin:
            break;
    }
    const std::uint32_t turn = m_b.outputs[r.output].turn;
    return r.input > turn ? r.input - turn : r.input + m_k.inputs - turn;
}

/// Of those that ask for an output VC the one that gets it.
template <int W>
std::uint32_t phit_step<W>::winner(const request* first, const request* last) {
    const bool transit = first->input < m_k.transit, fresh = is_new((last - 1)->input);
    if (transit && fresh && m_k.params.transit_priority > 0 &&
        m_b.random.bernoulli(m_k.params.transit_priority))
        while (is_new((last - 1)->input)) --last;
    const request* best = first;
    std::uint64_t least = rank(*first);
    for (const request* r = first + 1; r != last; ++r)
        if (const std::uint64_t its = rank(*r); its < least) {
            least = its;
            best = r;
        }
    return best->input;
}

template <int W>
void phit_step<W>::grant(std::uint32_t i, std::uint32_t o) {
    phit_queue& q = m_b.queues[i];
    m_b.outputs[o].owner = static_cast<std::uint16_t>(i);
    m_b.outputs[o].turn = static_cast<std::uint16_t>(i);
    q.out = static_cast<std::uint16_t>(o);
    m_b.asking.clear(i);
    if (q.phits != 0) make_ready(o);
}

}  // namespace sare
