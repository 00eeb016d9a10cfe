// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/step.h"

/// Packets are taken out of the router before cycle m_t, and credits given (part of step.h).
namespace sare {

/// All flits of the packets that `which` says, and the VCs that these have. `freed(i)`: for each place in the
/// buffer of input VC i.
template <int N, bool CommonCase>
template <class Which, class Freed>
void vc_step<N, CommonCase>::take_out(const Which& which, const Freed& freed) {
    for (std::uint32_t i = 0; i < m_in_vcs; ++i) take_out_of(i, which, freed);
    wake_again();
}

template <int N, bool CommonCase>
template <class Which, class Freed>
void vc_step<N, CommonCase>::take_out_of(std::uint32_t i, const Which& which, const Freed& freed) {
    in_vc& c = m_b.in[i];
    bool begun = has_begun(i);
    const bool gone = begun && which(c.packet);
    if (gone) give_up(i);
    begun = begun && !gone;
    std::vector<flit> kept;
    for (std::uint32_t n = 0; n < c.count; ++n) {
        const flit f = m_b.buffer[(c.head + n) % m_k.params.depth * m_in_vcs + i];
        if (which(f.packet))
            freed(i);
        else
            kept.push_back(f);
    }
    if (kept.size() == c.count && !gone) return;
    c.head = 0;
    c.count = static_cast<std::uint16_t>(kept.size());
    m_b.tails[i] = 0;
    for (std::uint32_t n = 0; n < c.count; ++n) {
        m_b.buffer[n * m_in_vcs + i] = kept[n];
        if (m_k.whole_packets && kept[n].is_tail()) ++m_b.tails[i];
    }
    if (!m_k.whole_packets || !begun) m_b.present.clear(i);
    if (!m_k.whole_packets && c.count != 0) m_b.present.set(i);
    // The next one is at the front as if the one before it had left in the last cycle.
    const bool next = m_k.whole_packets ? m_b.tails[i] != 0 : c.count != 0;
    if (!begun && next) start_packet(i, kept[0].packet, 0);
}

/// The packet at the front of input VC i, or that was there last, asks for its way or has an output VC.
template <int N, bool CommonCase>
bool vc_step<N, CommonCase>::has_begun(std::uint32_t i) const {
    if (m_b.va.test(i) || m_b.rc.test(i) || m_b.active.test(i)) return true;
    for (const auto& end : m_b.ends)
        if (end.va.test(i) || end.rc.test(i) || end.active.test(i)) return true;
    return false;
}

/// It has and asks for nothing any more.
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::give_up(std::uint32_t i) {
    for (set* of : {&m_b.va, &m_b.blocked, &m_b.active, &m_b.present, &m_b.credit, &m_b.busy, &m_b.rc})
        of->clear(i);
    for (auto& end : m_b.ends)
        for (set* of : {&end.rc, &end.va, &end.active, &end.idle}) of->clear(i);
    for (std::uint32_t o = 0; o < m_in_vcs; ++o) {
        if (m_b.out[o].owner != i) continue;
        m_b.out[o].owner = out_vc::no_owner;
        if (!m_k.atomic || m_b.out[o].credits == depth_beyond(o)) set_free(o);
    }
}

/// `credits` below 0: of a router in which there is no packet.
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::give_credits(std::uint32_t o, std::int32_t credits) {
    out_vc& v = m_b.out[o];
    v.credits = static_cast<std::uint16_t>(v.credits + credits);
    if (v.owner != out_vc::no_owner) {
        if (v.credits >= m_b.in[v.owner].need) m_b.credit.set(v.owner);
    } else if (m_k.atomic && v.credits == depth_beyond(o)) {
        set_free(o);
    } else if (m_k.atomic) {
        m_b.free.clear(o);
    }
    wake_again();
}

/// Heads that have no output VC yet; they stay in the stage that they are in.
template <int N, bool CommonCase>
void vc_step<N, CommonCase>::route_again() {
    set owners = {};
    for (std::uint32_t o = 0; o < m_in_vcs; ++o)
        if (m_b.out[o].owner != out_vc::no_owner) owners.set(m_b.out[o].owner);
    for (std::uint32_t i = 0; i < m_in_vcs; ++i) {
        if (owners.test(i) || !has_begun(i)) continue;
        m_b.blocked.clear(i);
        ask_routing(i, m_b.in[i], m_c.packets[m_b.in[i].packet].route);
    }
    m_again = true;
    wake_again();
}

template <int N, bool CommonCase>
void vc_step<N, CommonCase>::wake_again() {
    m_c.ring.wake(m_b.wake_word, m_b.wake_bit, m_t);
    if (m_again) m_c.ring.wake(m_b.wake_word, m_b.wake_bit, m_t + 1);
}

}  // namespace sare
