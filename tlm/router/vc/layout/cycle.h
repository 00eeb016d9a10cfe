// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"
#include "tlm/router/vc/layout/block.h"
#include "tlm/router/vc/shape.h"
#include "tlm/router_api/router_context.h"
#include "tlm/routing/routing.h"

namespace sare {

/// Table for round-robin picks among VCs of one port: by VC, the VC numbers of all ports whose VC is higher.
/// A pick is one look-up.
template <int S, class Set>
struct vcs_after {
    Set of[1 << S];

    constexpr vcs_after() : of() {
        for (unsigned last = 0; last < 1u << S; ++last)
            for (unsigned i = 0; i < sizeof(Set) * 8; ++i)
                if ((i & ((1u << S) - 1)) > last) of[last] |= Set{1} << i;
    }
    /// Returns the first of `members`, all of one port, whose VC comes after that of `last`.
    SARE_INLINE std::uint64_t pick(Set members, std::uint64_t last) const {
        const Set later = members & of[last & ((1u << S) - 1)];
        return lowest(later != 0 ? later : members);
    }
};
/// Round-robin picks among VC numbers of wide routers, which have no such pattern: `members` after the number
/// `last`.
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

/// Number of routers in a list from the one whose turn it is to the farthest one that is fetched into the
/// cache.
constexpr std::size_t prefetch_distance = 32;

/// Candidates of a head, as sets of output VCs in vc_answers::masks, at `first` to first + size - 1. The
/// first `escape` of these sets are no escape.
template <class Set>
struct vc_candidates {
    Set adaptive = {};                   ///< output VCs of the candidates that are no escape
    std::uint32_t first = 0;             ///< index in vc_answers::masks of the first candidate
    std::uint16_t escape = 0, size = 0;  ///< number of candidates that are no escape, and of all
};

/// Answers of the route table, by number of the answer, as sets of output VCs.
template <class Set>
struct vc_answers {
    /// Output VCs of all candidates of an answer.
    std::vector<Set> wants;
    std::vector<vc_candidates<Set>> ways;  ///< candidates of an answer
    std::vector<Set> masks;  ///< output VCs of each candidate; wide: by router, input VC, candidate
};

/// Memory of a bank's blocks, which are equally far apart.
template <int S, int N, bool InList>
struct vc_blocks {
    using block = vc_block<S, N, InList>;

    std::uint8_t* first = nullptr;  ///< block of router 0
    std::size_t distance = 0;       ///< bytes from one block to the next

    SARE_INLINE block& operator[](std::uint64_t k) const { return behind(first, k); }
    /// Returns the block that is `n` blocks behind the one at address `at`.
    SARE_INLINE block& behind(std::uint8_t* at, std::uint64_t n) const {
        return *reinterpret_cast<block*>(at + n * distance);
    }
    /// Returns the distance for a shape, without the parts of a block that the shape does not need. The
    /// distance is an odd number of cache lines, so that the blocks do not all fall into the same few sets of
    /// a cache.
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

/// What all steps of a bank work with, beside the block of a router.
template <int S, int N, bool InList>
struct vc_surroundings {
    using block = vc_block<S, N, InList>;
    using set = typename block::set;

    vc_shape shape;
    link_ring& ring;
    shared_pool<packet>& packets;
    router_context& net;
    router_event_counts* events;  ///< null: nobody counts
    const routing_function* routing;
    vc_blocks<S, N, InList> blocks = {};
    flit* buffers = nullptr;
    vc_answers<set> answers = {};
    /// Candidates of the heads of wide routers, by router and input VC.
    std::vector<vc_candidates<set>> own_candidates = {};
    std::vector<rng> random = {};  ///< streams for selection: random, by router

    SARE_INLINE block& block_of(std::uint64_t k) const { return blocks[k]; }
};

/// What all steps of a bank have in common in a cycle: planes, and constants that a step then reaches without
/// a pointer.
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
    /// Moves on to cycle `t`.
    SARE_INLINE void begin(cycle_t t) {
        here = around.ring.at(t);
        next = around.ring.at(t + 1);
        flits = around.ring.at(t + around.shape.flit_delay);
        credits = around.ring.at(t + around.shape.credit_delay);
        sets = here + around.shape.places.at + (std::size_t{around.shape.first} << around.shape.places.shift);
    }

    SARE_INLINE block& block_of(std::uint64_t k) const { return blocks[k]; }
    /// Returns the place of flit `n` of a buffer, counted from the front.
    SARE_INLINE std::uint32_t place_at(const typename block::input& from, std::uint32_t n) const {
        const std::uint32_t place = from.head + n;
        return place >= depth ? place - depth : place;
    }
    /// Wakes router k in the cycle in which `plane` is read.
    SARE_INLINE void call_again(std::uint64_t k, std::uint64_t* plane) const {
        plane[0] = 1;
        plane[first_word + (k >> 6)] |= std::uint64_t{1} << (k & 63);
    }
    /// Wakes router k in the next cycle.
    SARE_INLINE void call_again(std::uint64_t k) const { call_again(k, next); }

    /// Returns the index, among a router's entries in the route table, for a head that came in by `port`.
    SARE_INLINE std::uint64_t entry(std::uint64_t port, const flit& head) const {
        return port * rules.by_input + head.sequence;
    }

    surroundings& around;
    /// Planes of this cycle and the next; planes in which flits and credits sent now are read.
    std::uint64_t *here, *next, *flits, *credits;
    std::uint64_t* sets;  ///< sets of router 0 of the bank, in plane `here`
    const set* const wants;
    const vc_rules rules;
    const vc_blocks<S, N, InList> blocks;
    const std::uint32_t depth, in_vcs;
    const std::size_t row;
    /// Word of a plane with the bit to wake of router 0 of the bank.
    const std::uint32_t first_word;
    /// True if blocks are fetched ahead, and if everything that they lead to is fetched, too.
    const bool prefetches, fetches_all;
    const vcs_after<S, set> after = all_after;  ///< a member, so that no register has to point to it

  private:
    static constexpr vcs_after<S, set> all_after = {};
};

/// A cycle of scanned or wide routers (`Polled`), which run in the order of their bits to wake. Scanned
/// routers have a keyed route table, or heads carry their routes; wide ones (S is 0) have inboxes outside the
/// table, and any routing.
template <int S, int N, bool Polled>
struct vc_cycle : vc_cycle_base<S, N, false> {
    using block = vc_block<S, N, false>;

    SARE_INLINE vc_cycle(vc_surroundings<S, N, false>& a, cycle_t t)
        : vc_cycle_base<S, N, false>(a, t), now(t) {}

    SARE_INLINE std::uint64_t* inbox_of(const block& b) const { return this->here + b.inbox; }
    /// Returns the flit in a place of the buffer of input VC i.
    SARE_INLINE flit& buffered(const block& b, std::uint32_t place, std::uint64_t i) const {
        return b.buffer[place * this->row + i];
    }

    const cycle_t now;
};

/// A cycle of listed routers, which run from a work list.
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
    /// Moves on to cycle `t`.
    SARE_INLINE void go_on_to(cycle_t t) {
        packets = &this->around.packets[0];  // the pool may have moved as it grew
        this->begin(t);
        begin_later(t);
    }

    SARE_INLINE std::uint64_t* inbox_of(std::uint32_t k) const {
        return this->sets + (std::size_t{k} << places.shift);
    }
    /// Returns the flit in a place of the buffer of input VC i. The address follows from the place of the
    /// inbox, since the pointer to the buffer is not in the first line of the block.
    SARE_INLINE flit& buffered(const block& b, std::uint32_t place, std::uint64_t i) const {
        return buffered(std::size_t{b.inbox - first_inbox} >> places.shift, place, i);
    }
    SARE_INLINE flit& buffered(std::size_t k, std::uint32_t place, std::uint64_t i) const {
        return buffers[k * this->in_vcs + place * this->row + i];
    }
    /// Returns the plane that is read `cycles` cycles from now.
    SARE_INLINE std::uint64_t* plane_in(std::uint32_t cycles) const {
        return this->around.ring.at(time + cycles);
    }

    /// The cycle, and the same modulo 2^32.
    cycle_t time;
    std::uint32_t now;
    /// Planes in which flits and credits sent bypass_cycles later are read.
    std::uint64_t *later_flits, *later_credits;
    const clock_domain::table places;
    flit* const buffers;
    /// Word of a plane with the inbox of router 0 of the bank.
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
