// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/stage.h"

namespace sare {

/// First part of a cycle: takes in credits and flits, and ends passages (flits sent ahead by router_bypass)
/// that leave in this cycle and have a second flit behind them. Template parameters: as in vc_stage.
template <int S, int N, bool Polled, vc_features Has>
class vc_arrivals : vc_stage<S, N, Polled, Has> {
    using stage = vc_stage<S, N, Polled, Has>;
    using stage::at_once;
    using stage::full;
    using stage::has_credits;
    using stage::has_room;
    using stage::m_b;
    using stage::m_c;
    using stage::one;
    using stage::port_of;
    using stage::route;
    using stage::rules;
    using stage::shape;
    using stage::take_front;
    using stage::tracks_packets;
    using stage::wide;
    using typename stage::block;
    using typename stage::index;
    using typename stage::input;
    using typename stage::set;

  public:
    using stage::stage;

    /// Takes credits and flits out of `inbox`, and does RC of heads that come to the front. Returns the input
    /// VCs of these heads; with store-and-forward, the input VCs in which a whole packet has come to the
    /// front. Wide routers throw protocol_error as read_wide() does.
    SARE_INLINE set read(std::uint64_t* inbox) {
        if constexpr (wide) return read_wide(inbox);
        const std::uint64_t word = inbox[0];
        if (!Polled && word == 0 && N <= 32) return {};
        inbox[0] = 0;
        auto credits = static_cast<typename block::word>(word);
        if constexpr (N > 32) {
            credits = inbox[1];
            inbox[1] = 0;
        }
        if (credits != 0) take_credits(set{credits});
        const auto arrived = static_cast<typename block::word>(word >> block::arrivals_at);
        if (arrived == 0) return {};
        return take(set{arrived}, m_c.here + m_b.flits_at);
    }

    /// Ends the passage `foreseen`, which leaves in this cycle: its output VCs are free again, too late for
    /// VA of this cycle. Returns the input VCs in which a second flit, the head of the next packet, comes to
    /// the front; RC of these heads is done.
    SARE_INLINE set take_behind(const typename block::passage& foreseen) {
        const set more = foreseen.in & m_b.behind;
        m_b.leave({foreseen.in & ~more, foreseen.out});
        m_b.behind &= ~more;
        for (const std::uint64_t i : members(more)) {
            take_front(i, m_b.in(i));
            route(i, m_b.in(i));
        }
        return more;
    }

  private:
    /// Takes in the flits that have come for input VCs `arrived`. `flits`: words of the flits, by port.
    /// Returns the input VCs that read() returns.
    SARE_INLINE set take(const set& arrived, const std::uint64_t* flits) {
        if constexpr (tracks_packets)
            if (rules().whole) return take_whole(arrived, flits);
        return take_flits(arrived, flits);
    }
    /// Does what read() does, for a wide router. Its inbox has: a bit for each port with a flit, the set of
    /// output VCs with a credit, flits by port, counts of batched credits. Throws protocol_error for a flit
    /// that finds its buffer full, and for more credits than were spent.
    SARE_INLINE set read_wide(std::uint64_t* inbox) {
        set credits;
        take_set(credits, inbox + block::port_words);
        typename block::port_set ports;
        take_set(ports, inbox);
        const std::uint64_t* const flits = inbox + block::inbox_sets;
        if (!m_c.around.gates.empty()) pause(m_c, m_b);
        if (some(credits)) {
            if (rules().pools) take_places(credits, inbox + block::inbox_sets + shape().ports);
            if (shape().batched) add_counted(credits, inbox + block::inbox_sets + shape().ports);
            take_credits(credits);
        }
        // One flit at a time, since routing may look at the flits that came before.
        set heads = {};
        for (const std::uint64_t port : members(ports)) {
            const index i = this->number(port, flit::from_word(flits[port]).vc);
            if (m_b.in(i).count >= m_c.depth) stage::report(m_c, m_b, i, "a flit came for a full buffer");
            if (rules().whole)
                heads |= take_whole(one(i), flits);
            else if (is_member(m_b.present, i))
                put_behind(i, flits[port]);
            else
                put_front(i, flits[port], heads);
        }
        return heads;
    }
    /// Pauses output VCs whose buffers at the other end have become too full (pause_gate). A packet that has
    /// a paused VC and whose head has not left is starved until the VC goes on.
    static __attribute__((noinline)) void pause(const typename stage::cycle& c, block& b) {
        const stage s(c, b);
        for (index port = 0; port < s.shape().ports; ++port) {
            pause_gate* const gate = stage::gate_of(c, b, port);
            set more = {};
            if (gate != nullptr) add_slice(more, s.number(port, 0), gate->advance(c.now));
            for (const std::uint64_t o : members(more)) {
                remove_member(b.stocked, o);
                const index i = b.owner(o);
                if (!is_member(b.free, o) && is_member(b.present, i) && flit::from_word(b.front(i)).is_head())
                    add_member(b.starved, i);
            }
        }
    }
    /// Takes the credits of ports with a shared buffer, or with VCs that pause, at the other end out of
    /// `credits`, and gives their places back. `counts`: 16-bit numbers of credits, by output VC, used if
    /// credits come in batches. Throws protocol_error for more credits than places taken.
    void take_places(set& credits, std::uint64_t* counts) {
        auto* const count = reinterpret_cast<std::uint16_t*>(counts);
        set open = {};
        for (const std::uint64_t o : members(set{credits})) {
            const index port = port_of(o);
            pause_gate* const gate = stage::gate_of(m_c, m_b, port);
            const bool shared = m_b.pool_beyond[port] != 0;
            if (!shared && gate == nullptr) continue;
            const std::uint32_t places = shape().batched ? count[o] : 1;
            if (shape().batched) count[o] = 0;
            const std::uint32_t taken = shared ? m_b.held[o] : m_b.depth_beyond[port] - m_b.credits(o);
            if (places > taken) stage::report(m_c, m_b, o, "more credits came back than were spent");
            set now_open = {};
            if (shared)
                now_open = stage::hold(m_c, m_b, o, -static_cast<std::int32_t>(places));
            else
                ++m_b.credits(o);
            if (gate != nullptr) {
                now_open = {};
                add_slice(now_open, this->number(port, 0),
                          gate->came_back(static_cast<std::uint32_t>(this->vc_of(o))));
            }
            open |= now_open;
            remove_member(credits, o);
        }
        m_b.feed(open, m_b.free);
    }
    /// Adds the batched credits of the output VCs `credits`, less one credit of each, which take_credits()
    /// adds. `counts`: 16-bit numbers of credits by output VC, which are set to 0.
    SARE_INLINE void add_counted(const set& credits, std::uint64_t* counts) {
        auto* const count = reinterpret_cast<std::uint16_t*>(counts);
        for (const std::uint64_t o : members(credits)) {
            m_b.credits(o) = static_cast<typename stage::number_type>(m_b.credits(o) + count[o] - 1);
            count[o] = 0;
        }
    }

    /// Does what take() does, with store-and-forward: a packet is present when its tail has come. Returns the
    /// input VCs in which a whole packet has come to the front.
    SARE_INLINE set take_whole(const set& arrived, const std::uint64_t* flits) {
        set complete = {};
        for (const std::uint64_t i : members(arrived)) {
            const std::uint64_t word = flits[port_of(i)];
            if (m_b.in(i).count == 0) {
                m_b.front(i) = word;
                m_b.in(i).count = 1;
            } else {
                put_behind(i, word);
            }
            if (!flit::from_word(word).is_tail() || m_b.tails[i]++ != 0) continue;
            route(i, m_b.in(i));
            add_member(complete, i);
        }
        m_b.present |= complete;
        return complete;
    }

    /// Does what take() does, without store-and-forward. Returns the input VCs in which a head has come to
    /// the front.
    SARE_INLINE set take_flits(const set& arrived, const std::uint64_t* flits) {
        const set present = m_b.present;
        m_b.present = present | arrived;
        for (const std::uint64_t i : members(arrived & present)) put_behind(i, flits[port_of(i)]);
        set heads = {};
        for (const std::uint64_t i : members(arrived & ~present)) put_front(i, flits[port_of(i)], heads);
        return heads;
    }
    /// Writes flit `word` into input VC i, which is empty. A head is routed, and i is added to `heads`.
    SARE_INLINE void put_front(index i, std::uint64_t word, set& heads) {
        if constexpr (wide) add_member(m_b.present, i);
        input& c = at_once(m_b.in(i));
        m_b.front(i) = word;
        c.count = 1;
        if constexpr (full) this->note_front(i, m_c.now);
        if (!flit::from_word(word).is_head()) return;
        route(i, c);
        add_member(heads, i);
    }

    /// Adds one credit to each of the output VCs `credits`, and lets packets that now have enough credits go
    /// on. Wide routers throw protocol_error for more credits than were spent.
    SARE_INLINE void take_credits(const set& credits) {
        if constexpr (Polled) {
            const set draining = tracks_packets ? m_b.draining & credits : set{};
            const set unowned = m_b.free | draining;
            const set owned = credits & ~unowned;
            m_b.feed(credits, has_room() ? ~set{} : unowned);
            for (const std::uint64_t o : members(credits)) {
                ++m_b.credits(o);
                if constexpr (wide)
                    if (m_b.credits(o) > m_b.depth_beyond[port_of(o)])
                        stage::report(m_c, m_b, o, "more credits came back than were spent");
            }
            if (has_room()) feed_room(owned);
            if (tracks_packets) free_drained(draining);
        } else {
            link_side<S, N>(m_c, m_b).take_credits(credits);
        }
    }

    /// Ends the starving of packets whose output VC, a member of `owned`, now has the credits that they need
    /// (vc_rules::room).
    SARE_INLINE void feed_room(const set& owned) {
        for (const std::uint64_t o : members(owned)) {
            const index i = m_b.owner(o);
            if (has_credits(i, o)) remove_member(m_b.starved, i);
        }
    }

    /// Frees those output VCs of `draining` that have all their credits back.
    SARE_INLINE void free_drained(const set& draining) {
        for (const std::uint64_t o : members(draining)) {
            if (m_b.credits(o) != m_b.depth_beyond[port_of(o)]) continue;
            m_b.draining &= ~one(o);
            m_b.free |= one(o);
        }
    }

    /// Writes flit `word` into the buffer of input VC i, which is not empty, behind its other flits.
    SARE_INLINE void put_behind(index i, std::uint64_t word) {
        input& c = m_b.in(i);
        std::uint32_t place = c.head + c.count++;
        if (place >= m_c.depth) place -= m_c.depth;
        m_c.buffered(m_b, place, i) = flit::from_word(word);
    }
};

}  // namespace sare
