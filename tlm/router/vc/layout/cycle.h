// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"
#include "tlm/router/vc/layout/block.h"
#include "tlm/router/vc/shape.h"
#include "tlm/router_api/router_context.h"
#include "tlm/routing/routing.h"

namespace sare {

/// By VC: the VCs of all ports that come after it in a round. A round-robin pick is one look-up.
template <int S, class Set>
struct vcs_after {
    Set of[1 << S];

    constexpr vcs_after() : of() {
        for (unsigned last = 0; last < 1u << S; ++last)
            for (unsigned i = 0; i < sizeof(Set) * 8; ++i)
                if ((i & ((1u << S) - 1)) > last) of[last] |= Set{1} << i;
    }
    /// The first of `members`, all of one port, after `last`.
    SARE_INLINE std::uint64_t pick(Set members, std::uint64_t last) const {
        const Set later = members & of[last & ((1u << S) - 1)];
        return lowest(later != 0 ? later : members);
    }
};
/// Of wide routers: VC numbers have no such pattern.
template <int W>
struct vcs_after<0, bits<W>> {
    std::uint64_t pick(const bits<W>& members, std::uint64_t last) const {
        const auto from = static_cast<std::uint32_t>(last) + 1;
        bits<W> later = members;
        for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(W); ++k)
            if (from >= (k + 1) * 64)
                later.word[k] = 0;
            else if (from > k * 64)
                later.word[k] = from_on(later.word[k], from - k * 64);
        return later.any() ? later.first() : members.first();
    }
};

/// How far ahead of the router whose turn it is others of a list are fetched into the cache.
constexpr std::size_t prefetch_distance = 32;

/// The ways on of a head, of which the first ones are no escape: masks first to first + size - 1.
template <class Set>
struct vc_ways {
    Set adaptive = {};  ///< output VCs that are no escape
    std::uint32_t first = 0;
    std::uint16_t escape = 0, size = 0;
};

/// What the route table says, in output VCs.
template <class Set>
struct vc_answers {
    std::vector<Set> wants;
    std::vector<vc_ways<Set>> ways;  ///< where there may be several
    std::vector<Set> masks;          ///< output VCs of each way
};

/// Where the blocks of a bank are.
template <int S, int N, bool InList>
struct vc_blocks {
    using block = vc_block<S, N, InList>;

    std::uint8_t* first = nullptr;
    std::size_t distance = 0;  ///< from one to the next

    SARE_INLINE block& operator[](std::uint64_t k) const { return behind(first, k); }
    /// The block that is `n` behind the one at `at`.
    SARE_INLINE block& behind(std::uint8_t* at, std::uint64_t n) const {
        return *reinterpret_cast<block*>(at + n * distance);
    }
    /// Not all of them in the same few sets of a cache.
    static std::size_t distance_for([[maybe_unused]] const vc_shape& shape) {
        std::size_t bytes = sizeof(block);
        if constexpr (InList)
            bytes -= (block::max_ports - block::places_for(shape.ports)) * sizeof(typename block::port);
        else if (shape.plain)
            bytes -= sizeof(typename block::feature_state) +
                     (shape.keyed ? 0 : sizeof(typename block::bits_of_wires));
        return (bytes / 64 | 1) * 64;
    }
};

/// What a step works with that is not its router's own.
template <int S, int N, bool InList>
struct vc_surroundings {
    using block = vc_block<S, N, InList>;
    using set = typename block::set;

    vc_shape shape;
    link_ring& ring;
    shared_pool<packet>& packets;
    router_context& net;
    const routing_function* routing;
    vc_blocks<S, N, InList> blocks = {};
    flit* buffers = nullptr;
    vc_answers<set> answers = {};
    std::vector<vc_ways<set>> own_ways = {};  ///< of wide routers, by input VC: those of its head
    std::vector<rng> random = {};             ///< of random selection, by router

    SARE_INLINE block& block_of(std::uint64_t k) const { return blocks[k]; }
};

/// What the steps of one bank have in common in a cycle.
template <int S, int N, bool InList>
struct vc_cycle_base {
    using block = vc_block<S, N, InList>;
    using set = typename block::set;
    using surroundings = vc_surroundings<S, N, InList>;

    SARE_INLINE vc_cycle_base(surroundings& a, cycle_t t)
        : around(a),
          wants(a.answers.wants.data()),
          rules(a.shape),
          blocks(a.blocks),
          depth(a.shape.depth),
          in_vcs(a.shape.in_vcs),
          row(a.shape.row),
          first_word(1 + a.shape.first / 64),
          prefetches(a.shape.prefetches),
          fetches_all(a.shape.prefetches && a.shape.beyond_caches) {
        begin(t);
    }
    SARE_INLINE void begin(cycle_t t) {
        here = around.ring.at(t);
        next = around.ring.at(t + 1);
        flits = around.ring.at(t + around.shape.flit_delay);
        credits = around.ring.at(t + around.shape.credit_delay);
        sets = here + around.shape.places.at + (std::size_t{around.shape.first} << around.shape.places.shift);
    }

    SARE_INLINE block& block_of(std::uint64_t k) const { return blocks[k]; }
    /// Of flit `n` of a buffer.
    SARE_INLINE std::uint32_t place_at(const typename block::input& from, std::uint32_t n) const {
        const std::uint32_t place = from.head + n;
        return place >= depth ? place - depth : place;
    }
    /// Router k has more to do in the cycle of `plane`.
    SARE_INLINE void call_again(std::uint64_t k, std::uint64_t* plane) const {
        plane[0] = 1;
        plane[first_word + (k >> 6)] |= std::uint64_t{1} << (k & 63);
    }
    SARE_INLINE void call_again(std::uint64_t k) const { call_again(k, next); }

    /// Of the route table: where the way of a head is that came in by a port.
    SARE_INLINE std::uint64_t entry(std::uint64_t port, const flit& head) const {
        return port * rules.by_input + head.sequence;
    }

    surroundings& around;
    std::uint64_t *here, *next, *flits, *credits;  ///< planes
    std::uint64_t* sets;                           ///< of router 0 of the bank
    const set* const wants;
    const vc_rules rules;
    const vc_blocks<S, N, InList> blocks;
    const std::uint32_t depth, in_vcs;
    const std::size_t row;
    const std::uint32_t first_word;
    const bool prefetches, fetches_all;
    const vcs_after<S, set> after = all_after;  ///< here no register has to point to it

  private:
    static constexpr vcs_after<S, set> all_after = {};
};

/// `Polled`: the table of sets is looked through, as the routers are so few that all stay in the caches.
/// There is a keyed route table. Wide routers (S is 0) have sets of their own, and any routing.
template <int S, int N, bool Polled>
struct vc_cycle : vc_cycle_base<S, N, false> {
    using block = vc_block<S, N, false>;

    SARE_INLINE vc_cycle(vc_surroundings<S, N, false>& a, cycle_t t)
        : vc_cycle_base<S, N, false>(a, t), now(t) {}

    SARE_INLINE std::uint64_t* inbox_of(const block& b) const { return this->here + b.inbox; }
    /// The flit in a place of the buffer of input VC i.
    SARE_INLINE flit& buffered(const block& b, std::uint32_t place, std::uint64_t i) const {
        return b.buffer[place * this->row + i];
    }

    const cycle_t now;
};

/// Routers that run from a work list.
template <int S, int N>
struct vc_cycle<S, N, false> : vc_cycle_base<S, N, true> {
    using block = vc_block<S, N, true>;

    SARE_INLINE vc_cycle(vc_surroundings<S, N, true>& a, cycle_t t)
        : vc_cycle_base<S, N, true>(a, t),
          places(a.shape.places),
          buffers(a.buffers),
          first_inbox(a.shape.places.at + (a.shape.first << a.shape.places.shift)),
          packets(nullptr),
          routing(a.routing),
          credit_delay(a.shape.credit_delay),
          foresees(a.shape.foresees),
          keyed(a.shape.keyed) {
        begin_later(t);
    }
    /// Goes on to another cycle.
    SARE_INLINE void go_on_to(cycle_t t) {
        packets = &this->around.packets[0];  // there may be more than before
        this->begin(t);
        begin_later(t);
    }

    SARE_INLINE std::uint64_t* inbox_of(std::uint32_t k) const {
        return this->sets + (std::size_t{k} << places.shift);
    }
    /// The flit in a place of the buffer of input VC i. What a block has of it is not in its first line.
    SARE_INLINE flit& buffered(const block& b, std::uint32_t place, std::uint64_t i) const {
        return buffered(std::size_t{b.inbox - first_inbox} >> places.shift, place, i);
    }
    SARE_INLINE flit& buffered(std::size_t k, std::uint32_t place, std::uint64_t i) const {
        return buffers[k * this->in_vcs + place * this->row + i];
    }
    SARE_INLINE std::uint64_t* plane_in(std::uint32_t cycles) const {
        return this->around.ring.at(time + cycles);
    }

    cycle_t time;
    std::uint32_t now;
    std::uint64_t *later_flits, *later_credits;  ///< planes of what leaves bypass_cycles later
    const clock_domain::table places;
    flit* const buffers;
    const std::uint32_t first_inbox;
    packet* packets;
    const routing_function* const routing;
    const std::uint32_t credit_delay;
    const bool foresees, keyed;

  private:
    SARE_INLINE void begin_later(cycle_t t) {
        time = t;
        now = static_cast<std::uint32_t>(t);
        later_flits = this->around.ring.at(t + bypass_cycles + this->around.shape.flit_delay);
        later_credits = this->around.ring.at(t + bypass_cycles + this->around.shape.credit_delay);
    }
};

}  // namespace sare
