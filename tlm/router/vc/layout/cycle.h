// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"
#include "tlm/router/vc/layout/block.h"
#include "tlm/router/vc/shape.h"
#include "tlm/router_api/base/pause_gate.h"
#include "tlm/router_api/router_context.h"
#include "tlm/routing/routing.h"

namespace sare {

/// Table for round-robin picks among VCs of one port, in compact blocks: of[v] is the set of the VC numbers,
/// of all ports, whose VC is higher than v. A pick is one look-up. S: as in vc_traits.
template <int S, class Set>
struct vcs_after {
    Set of[1 << S];

    constexpr vcs_after() : of() {
        for (unsigned last = 0; last < 1u << S; ++last)
            for (unsigned i = 0; i < sizeof(Set) * 8; ++i)
                if ((i & ((1u << S) - 1)) > last) of[last] |= Set{1} << i;
    }
    /// Returns the lowest of `members` (VC numbers of one port, not empty) whose VC is higher than the VC of
    /// `last`; the lowest member if there is none. `last`: a VC number of any port, or a VC.
    SARE_INLINE std::uint64_t pick(Set members, std::uint64_t last) const {
        const Set later = members & of[last & ((1u << S) - 1)];
        return lowest(later != 0 ? later : members);
    }
};
/// Table of wide routers, which pick without one: empty.
template <int W>
struct vcs_after<0, bits<W>> {};

/// Number of places, in the list of awake routers, by which the first fetch of a router into the cache is
/// ahead of its turn.
constexpr std::size_t prefetch_distance = 32;

/// Candidates of a head. Each candidate is a set of output VCs, at `first` to first + size - 1 of
/// vc_answers::masks: candidates that are no escapes come first, then the escapes.
template <class Set>
struct vc_candidates {
    Set adaptive = {};  ///< output VCs of all candidates that are no escapes
    /// Index in vc_answers::masks of the first candidate; unused in wide routers (vc_stage::own_masks()).
    std::uint32_t first = 0;
    /// Number of candidates that are no escapes; number of all candidates.
    std::uint16_t escape = 0, size = 0;
};

/// Answers of a keyed route_table, as sets of output VCs: answers for message class 0 in the order of the
/// table, then answers for class 1, and so on. In wide routers only `masks` is used, for candidates of heads.
template <class Set, class Candidate>
struct vc_answers {
    /// Output VCs of all candidates together, by number of the answer.
    std::vector<Set> wants;
    std::vector<vc_candidates<Set>> ways;  ///< candidates of an answer, by number of the answer
    /// Output VCs of each candidate of each answer. In wide routers: of each candidate of the head in each
    /// input VC, by router, then input VC, then candidate.
    std::vector<Candidate> masks;
};

/// A branch of a packet in a router where packets fork: an output VC that the packet has. Elements are
/// indexed by VC number.
struct vc_branch {
    static constexpr std::uint16_t none = 0xffff;  ///< value of `next` and `first`: no branch
    /// Slot of the packet as which the branch goes on; valid when the branch's head has left.
    std::uint32_t packet = 0;
    /// Number of flits, counted from the front of the input VC, that the branch has sent.
    std::uint16_t taken = 0;
    std::uint16_t next = none;  ///< VC number of the next branch of the same packet
    /// VC number of the first branch of the packet at the front of the *input* VC whose number is the index.
    std::uint16_t first = none;
};

/// Memory of the blocks of a bank, which lie at equal distances; vc_bank owns it.
template <int S, int N, bool InList>
struct vc_blocks {
    using block = vc_block<S, N, InList>;

    std::uint8_t* first = nullptr;  ///< address of the block of router 0 of the bank
    std::size_t distance = 0;       ///< bytes from one block to the next

    /// Returns the block of router k of the bank.
    SARE_INLINE block& operator[](std::uint64_t k) const { return behind(first, k); }
    /// Returns the block that is `n` blocks behind the block at address `at`.
    SARE_INLINE block& behind(std::uint8_t* at, std::uint64_t n) const {
        return *reinterpret_cast<block*>(at + n * distance);
    }
    /// Returns the number of bytes from one block to the next for routers of this shape, without the parts at
    /// the end of a block that these do not need. It is an odd number of cache lines (64 bytes), so that
    /// blocks spread over all sets of a cache.
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

/// Data that the steps of all routers of a bank share, beside the block of each router; vc_bank owns it.
template <int S, int N, bool InList>
struct vc_surroundings {
    using block = vc_block<S, N, InList>;
    using set = typename block::set;

    vc_shape shape;                ///< parameters and sizes of the routers
    link_ring& ring;               ///< planes of the clock domain of the bank
    shared_pool<packet>& packets;  ///< packets of the network, by flit::packet
    router_context& net;           ///< the network
    router_event_counts* events;   ///< counters of events of VA and SA; null: no statistic asks for them
    /// Routing function that is asked where heads carry their routes; null: the network has none.
    const routing_function* routing;
    vc_blocks<S, N, InList> blocks = {};  ///< blocks of the routers of the bank
    flit* buffers = nullptr;  ///< flits in the buffers of all routers of the bank: see vc_rest::buffer
    vc_answers<set, typename vc_traits<S, N>::candidate> answers = {};  ///< answers of the route table
    /// Candidates of the heads in wide routers, at [router * in_vcs + input VC]; empty if a head never has
    /// more than one.
    std::vector<vc_candidates<set>> own_candidates = {};
    /// Branches, at [router * in_vcs + VC number]; empty unless packets may fork.
    std::vector<vc_branch> branches = {};
    /// Pauses of VCs beyond output ports, at [router * ports + port]; empty unless VCs beyond some port
    /// pause.
    std::vector<pause_gate> gates = {};
    /// Random streams, by router of the bank; empty unless router_params::selection is random.
    std::vector<rng> random = {};

    /// Returns the block of router k of the bank.
    SARE_INLINE block& block_of(std::uint64_t k) const { return blocks[k]; }
};

/// Runs wide routers in which packets fork by step_words(), with its parameters. forking.cpp instantiates it
/// for every N.
template <int N>
void step_forking(vc_surroundings<0, N, false>& around, std::uint64_t* awake, std::uint32_t words, cycle_t t);

/// Data that the steps of all routers of a bank share in a cycle: planes, and copies of constants, so that a
/// step reads them without following a pointer.
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
    /// Sets the planes to those of cycle `t` of the bank's clock.
    SARE_INLINE void begin(cycle_t t) {
        here = around.ring.at(t);
        next = around.ring.at(t + 1);
        flits = around.ring.at(t + around.shape.flit_delay);
        credits = around.ring.at(t + around.shape.credit_delay);
        sets = here + around.shape.places.at + (std::size_t{around.shape.first} << around.shape.places.shift);
    }

    SARE_INLINE block& block_of(std::uint64_t k) const { return blocks[k]; }
    /// Returns the place, in the ring of places of input VC `from`, of flit `n`; the front flit is flit 0.
    SARE_INLINE std::uint32_t place_at(const typename block::input& from, std::uint32_t n) const {
        const std::uint32_t place = from.head + n;
        return place >= depth ? place - depth : place;
    }
    /// Wakes router k of the bank in the cycle in which `plane` is read.
    SARE_INLINE void call_again(std::uint64_t k, std::uint64_t* plane) const {
        plane[0] = 1;
        plane[first_word + (k >> 6)] |= std::uint64_t{1} << (k & 63);
    }
    /// Wakes router k of the bank in the next cycle.
    SARE_INLINE void call_again(std::uint64_t k) const { call_again(k, next); }

    /// Returns the index, among a router's entries in the keyed route table, for `head`, which came in by
    /// `port` of the router.
    SARE_INLINE std::uint64_t entry(std::uint64_t port, const flit& head) const {
        return port * rules.by_input + head.sequence;
    }

    surroundings& around;  ///< data of the bank
    /// Plane that is read in this cycle, and in the next one; plane in which flits, and credits, that regular
    /// links (not an odd_port) take in this cycle are read.
    std::uint64_t *here, *next, *flits, *credits;
    std::uint64_t* sets;                   ///< inbox of router 0 of the bank, in the table of plane `here`
    const set* const wants;                ///< vc_answers::wants
    const vc_rules rules;                  ///< rules of the routers, from vc_shape
    const vc_blocks<S, N, InList> blocks;  ///< blocks of the routers of the bank
    /// Most flits in an input VC; number of VC numbers of a router: as in vc_shape.
    const std::uint32_t depth, in_vcs;
    const std::size_t row;  ///< distance, in flits, from one place of a buffer to the next: as in vc_shape
    /// Number of the word of a plane whose bit 0 wakes router 0 of the bank.
    const std::uint32_t first_word;
    /// True if blocks are fetched ahead (vc_shape::prefetches); true if what they lead to is fetched, too
    /// (vc_shape::beyond_caches).
    const bool prefetches, fetches_all;
    /// Table of round-robin picks; a copy, so that no register has to point to it.
    const vcs_after<S, set> after = all_after;

  private:
    static constexpr vcs_after<S, set> all_after = {};
};

/// A cycle of scanned routers or, if S is 0, of wide ones (`Polled` is true), which run in the order of their
/// numbers. Scanned routers have a keyed route table, or heads carry their routes; wide routers have inboxes
/// outside the table of a plane, and any routing.
template <int S, int N, bool Polled>
struct vc_cycle : vc_cycle_base<S, N, false> {
    using block = vc_block<S, N, false>;

    SARE_INLINE vc_cycle(vc_surroundings<S, N, false>& a, cycle_t t)
        : vc_cycle_base<S, N, false>(a, t), now(t) {}

    /// Returns the inbox of router b in the plane of this cycle.
    SARE_INLINE std::uint64_t* inbox_of(const block& b) const { return this->here + b.inbox; }
    /// Returns the flit in place `place` of the buffer of input VC i; the place of the front flit is unused.
    SARE_INLINE flit& buffered(const block& b, std::uint32_t place, std::uint64_t i) const {
        return b.buffer[place * this->row + i];
    }

    const cycle_t now;  ///< number of the cycle, of the clock of the routers
};

/// A cycle of listed routers, which run in the order of the list of awake routers. The object is kept from
/// cycle to cycle.
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
    /// Moves on to cycle `t` of the bank's clock.
    SARE_INLINE void go_on_to(cycle_t t) {
        packets = &this->around.packets[0];  // the pool may have moved as it grew
        this->begin(t);
        begin_later(t);
    }

    /// Returns the inbox of router k of the bank in the plane of this cycle.
    SARE_INLINE std::uint64_t* inbox_of(std::uint32_t k) const {
        return this->sets + (std::size_t{k} << places.shift);
    }
    /// Returns the flit in place `place` of the buffer of input VC i; the place of the front flit is unused.
    /// It is found by the place of the inbox, since the pointer to the buffer is not in the first cache line
    /// of the block.
    SARE_INLINE flit& buffered(const block& b, std::uint32_t place, std::uint64_t i) const {
        return buffered(std::size_t{b.inbox - first_inbox} >> places.shift, place, i);
    }
    /// Returns the flit in place `place` of the buffer of input VC i of router k of the bank.
    SARE_INLINE flit& buffered(std::size_t k, std::uint32_t place, std::uint64_t i) const {
        return buffers[k * this->in_vcs + place * this->row + i];
    }
    /// Returns the plane that is read `cycles` cycles after this one.
    SARE_INLINE std::uint64_t* plane_in(std::uint32_t cycles) const {
        return this->around.ring.at(time + cycles);
    }

    /// Number of the cycle, of the clock of the routers.
    cycle_t time;
    std::uint32_t now;  ///< number of the cycle modulo 2^32
    /// Plane in which flits, and credits, that regular links (not an odd_port) take bypass_cycles after this
    /// cycle are read.
    std::uint64_t *later_flits, *later_credits;
    const clock_domain::table places;  ///< places of the inboxes in the table of a plane
    flit* const buffers;               ///< vc_surroundings::buffers
    /// Number of the first word, in a plane, of the inbox of router 0 of the bank.
    const std::uint32_t first_inbox;
    packet* packets;  ///< packets of the network, by flit::packet; null before go_on_to()
    const routing_function* const routing;  ///< vc_surroundings::routing
    const std::uint32_t credit_delay;  ///< cycles from an SA grant until its credit is back, on regular links
    const bool foresees, keyed;        ///< values of vc_shape::foresees and ::keyed

  private:
    SARE_INLINE void begin_later(cycle_t t) {
        time = t;
        now = static_cast<std::uint32_t>(t);
        later_flits = this->around.ring.at(t + bypass_cycles + this->around.shape.flit_delay);
        later_credits = this->around.ring.at(t + bypass_cycles + this->around.shape.credit_delay);
    }
};

}  // namespace sare
