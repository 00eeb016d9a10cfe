// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/stage.h"

namespace sare {

/// Changes of a wide router between two cycles, for resets of single routers and for links that fail. Every
/// public function wakes the router in the next cycle, which is the cycle of the constructor.
template <int N>
class vc_removal : vc_stage<0, N, true, vc_features::all> {
    using stage = vc_stage<0, N, true, vc_features::all>;
    using stage::m_b;
    using stage::m_c;
    using stage::one;
    using stage::rules;
    using typename stage::block;
    using typename stage::index;
    using typename stage::input;
    using typename stage::set;

  public:
    using stage::stage;

    /// Takes all flits of the packets for whose slot which(packet) is true out of the router, takes the
    /// output VCs of these packets from them, and begins RC of packets that come to the front. Calls freed(i)
    /// once for each flit that input VC i (VC number) loses.
    template <class Which, class Freed>
    void take_out(const Which& which, const Freed& freed) {
        for (std::uint32_t i = 0; i < m_c.in_vcs; ++i) take_out_of(i, which, freed);
        wake_again();
    }

    /// Adds `credits` credits to output VC o; a negative number, for routers without packets only, takes
    /// credits away. Nothing is checked.
    void give_credits(std::uint32_t o, std::int32_t credits) {
        const bool owned = m_b.owned(m_b, o);
        m_b.credits(o) = static_cast<std::uint16_t>(m_b.credits(o) + credits);
        if (m_b.credits(o) != 0)
            add_member(m_b.stocked, o);
        else
            remove_member(m_b.stocked, o);
        if (owned) {
            if (this->has_credits(m_b.owner(o), o)) remove_member(m_b.starved, m_b.owner(o));
        } else if (rules().atomic) {
            set_unowned(o);
        }
        wake_again();
    }

    /// Computes the routes of heads that have a route but no output VC anew. The heads stay in their stage of
    /// the pipeline.
    void route_again() {
        set owners = {};
        for (std::uint32_t o = 0; o < m_c.in_vcs; ++o)
            if (m_b.owned(m_b, o)) add_member(owners, m_b.owner(o));
        for (std::uint32_t i = 0; i < m_c.in_vcs; ++i)
            if (!is_member(owners, i) && has_begun(i)) stage::find_route(m_c, m_b, i, false);
        m_again = true;
        wake_again();
    }

  private:
    /// Does what take_out() does, for input VC i alone.
    template <class Which, class Freed>
    void take_out_of(std::uint32_t i, const Which& which, const Freed& freed) {
        input& c = m_b.in(i);
        bool begun = has_begun(i);
        const bool gone = begun && which(flit::from_word(m_b.front(i)).packet);
        if (gone) give_up(i);
        begun = begun && !gone;
        std::vector<std::uint64_t> kept;
        for (std::uint32_t n = 0; n < c.count; ++n) {
            const std::uint64_t word =
                n == 0 ? m_b.front(i) : m_c.buffered(m_b, m_c.place_at(c, n), i).as_word();
            if (which(flit::from_word(word).packet))
                freed(i);
            else
                kept.push_back(word);
        }
        if (kept.size() == c.count && !gone) return;
        c.head = 0;
        c.count = static_cast<std::uint16_t>(kept.size());
        m_b.tails[i] = 0;
        for (std::uint32_t n = 0; n < c.count; ++n) {
            if (n == 0)
                m_b.front(i) = kept[n];
            else
                m_c.buffered(m_b, n, i) = flit::from_word(kept[n]);
            if (rules().whole && flit::from_word(kept[n]).is_tail()) ++m_b.tails[i];
        }
        if (!rules().whole || !begun) remove_member(m_b.present, i);
        if (!rules().whole && c.count != 0) add_member(m_b.present, i);
        // The next packet is at the front as if the one before it had left in the last cycle.
        const bool next = rules().whole ? m_b.tails[i] != 0 : c.count != 0;
        if (begun || !next) return;
        add_member(m_b.present, i);
        this->route(i, c);
        this->begin_packets(one(i), 0);
        m_again = true;
    }

    /// True if the packet at the front of input VC i is in RC or VA or has an output VC. The buffer may have
    /// no flit of the packet at the moment.
    bool has_begun(std::uint32_t i) const {
        set begun = m_b.va | m_b.waits | m_b.active;
        for (const auto& end : m_b.ends) begun |= end.va | end.rc | end.active;
        return is_member(begun, i);
    }

    /// Takes the packet at the front of input VC i out of all stages, and takes its output VC, if it has one,
    /// from it.
    void give_up(std::uint32_t i) {
        for (set* of : {&m_b.va, &m_b.active, &m_b.present, &m_b.starved, &m_b.busy, &m_b.waits})
            remove_member(*of, i);
        for (auto& end : m_b.ends)
            for (set* of : {&end.rc, &end.va, &end.active, &end.idle}) remove_member(*of, i);
        for (std::uint32_t o = 0; o < m_c.in_vcs; ++o)
            if (m_b.owned(m_b, o) && m_b.owner(o) == i) set_unowned(o);
    }
    /// Notes that no packet has output VC o any more: the VC is free, or draining if reallocation is atomic
    /// and not all credits are back.
    void set_unowned(std::uint32_t o) {
        const bool drained = !rules().atomic || m_b.credits(o) == m_b.depth_beyond[this->port_of(o)];
        remove_member(drained ? m_b.draining : m_b.free, o);
        add_member(drained ? m_b.free : m_b.draining, o);
        m_again = m_again || some(m_b.va);
    }
    /// Wakes the router in the next cycle, and in the cycle after it if m_again is set.
    void wake_again() const {
        m_c.call_again(m_b.in_bank, m_c.here);
        if (m_again) m_c.call_again(m_b.in_bank);
    }

    /// True: the router has something to do in the second cycle from now, too.
    bool m_again = false;
};

}  // namespace sare
