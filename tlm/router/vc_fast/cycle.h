// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"
#include "tlm/router/vc/shape.h"
#include "tlm/router/vc_fast/block.h"
#include "tlm/router_api/clock_domain.h"
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
    SARE_INLINE std::uint64_t pick(Set members, std::uint32_t last) const {
        const Set later = members & of[last];
        return lowest(later != 0 ? later : members);
    }
};

/// What a step is compiled for, so that others are not asked.
enum class fast_variety : std::uint8_t {
    basic,     ///< one way for a packet, stages of a cycle, input first, wormhole
    adaptive,  ///< several ways, ways by input port, output VCs that wait to be drained
    full       ///< all that fast_shape has
};

/// How far ahead of the router whose turn it is others of a list are fetched into the cache.
constexpr std::size_t prefetch_distance = 32;

/// The ways on of a head, of which the first ones are no escape: masks first to first + size - 1.
struct fast_ways {
    std::uint64_t adaptive = 0;  ///< output VCs that are no escape
    std::uint32_t first = 0;
    std::uint16_t escape = 0, size = 0;
};

/// What a step asks for every flit. A cycle has a copy, which it reaches without a pointer.
struct fast_rules {
    bool rc = true, va = true;   ///< whether these stages take a cycle
    bool adaptive = false;       ///< there may be several ways
    bool atomic = false;         ///< an output VC is free only when what it led to is empty
    std::uint32_t by_input = 0;  ///< from input port to input port in the route table

    /// @name Of full routers; what is run from a list has none of it
    /// @{
    bool room = false;        ///< a packet goes only where all of it has room (cut-through)
    bool room_in_va = false;  ///< and bids for no other VC
    bool whole = false;       ///< and only when all of it is here (store-and-forward)
    bool speculative = false;
    bool usual_switch = true;  ///< not speculative, input first, no speed-up
    compiled_allocator va_allocator = compiled_allocator::input_first;
    /// @}
};

/// What fast routers of a bank have in common.
struct fast_shape : fast_rules {
    std::uint32_t routers = 0, ports = 0, vcs = 0, depth = 0;
    std::uint32_t in_vcs = 0;      ///< ports << S
    std::size_t row = 0;           ///< flits from one place in the buffers to the next: see fast_rest
    std::uint32_t flit_delay = 0;  ///< of all wires but odd ones
    std::uint32_t credit_delay = 0;
    bool foresees = false;       ///< see fast_passage
    bool prefetches = false;     ///< see fast_prefetch
    bool beyond_caches = false;  ///< all blocks together are larger than a last cache
    bool keyed = false;          ///< heads say where in the route table their way is
    clock_domain::table places;  ///< of sets in a plane
    std::uint32_t first = 0;     ///< endpoint
    /// By what the route table says: output VCs.
    std::vector<std::uint64_t> wants;
    bool by_credits = false;           ///< of several ways, the one with most credits; else the first
    std::vector<fast_ways> ways;       ///< then, like `wants`
    std::vector<std::uint64_t> masks;  ///< output VCs of each way
    std::vector<odd_port> odd;

    fast_variety variety = fast_variety::basic;

    /// @name Of full routers
    /// @{
    compiled_allocator sa = compiled_allocator::input_first;
    std::uint32_t input_speedup = 1;
    /// Of a VC: the crossbar input of its port that it uses, and the VCs that use the same one.
    std::uint8_t input_of[8] = {}, vcs_with[8] = {};
    /// That of a VC: port * speed-up + vc % speed-up.
    SARE_INLINE std::uint64_t crossbar_input(std::uint64_t port, std::uint64_t vc) const {
        return port * input_speedup + input_of[vc];
    }
    /// @}
};

/// Where the blocks of a bank are.
template <int S, int N, bool InList>
struct fast_blocks {
    using block = fast_block<S, N, InList>;

    std::uint8_t* first = nullptr;
    std::size_t distance = 0;  ///< from one to the next

    SARE_INLINE block& operator[](std::uint64_t k) const {
        return *reinterpret_cast<block*>(first + k * distance);
    }
    /// Not all of them in the same few sets of a cache.
    static std::size_t distance_for([[maybe_unused]] std::uint32_t ports) {
        std::size_t bytes = sizeof(block);
        if constexpr (InList)
            bytes -= (block::max_ports - block::places_for(ports)) * sizeof(typename block::port);
        return (bytes / 64 | 1) * 64;
    }
};

/// What a step works with that is not its router's own.
template <int S, int N, bool InList>
struct fast_surroundings {
    fast_shape shape;
    link_ring& ring;
    shared_pool<packet>& packets;
    const routing_function* routing;
    fast_blocks<S, N, InList> blocks = {};
    flit* buffers = nullptr;

    using block = fast_block<S, N, InList>;
    SARE_INLINE block& block_of(std::uint64_t k) const { return blocks[k]; }
};

/// What the steps of one bank have in common in a cycle.
template <int S, int N, bool InList>
struct fast_cycle_base {
    using block = fast_block<S, N, InList>;
    using surroundings = fast_surroundings<S, N, InList>;

    SARE_INLINE fast_cycle_base(const surroundings& a, cycle_t t)
        : around(a),
          wants(a.shape.wants.data()),
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
    /// Router k has more to do in the next cycle.
    SARE_INLINE void call_again(std::uint32_t k) const {
        next[0] = 1;
        next[first_word + (k >> 6)] |= std::uint64_t{1} << (k & 63);
    }

    /// Of the route table: where the way of a head is that came in by a port.
    SARE_INLINE std::uint64_t entry(std::uint64_t port, const flit& head) const {
        return port * rules.by_input + head.sequence;
    }

    const surroundings& around;
    std::uint64_t *here, *next, *flits, *credits;  ///< planes
    std::uint64_t* sets;                           ///< of router 0 of the bank
    const std::uint64_t* const wants;
    const fast_rules rules;
    const fast_blocks<S, N, InList> blocks;
    const std::uint32_t depth, in_vcs;
    const std::size_t row;
    const std::uint32_t first_word;
    const bool prefetches, fetches_all;
    const vcs_after<S, typename block::set> after = all_after;  ///< here no register has to point to it

  private:
    static constexpr vcs_after<S, typename block::set> all_after = {};
};

/// `Polled`: the table of sets is looked through, as the routers are so few that all stay in the caches. In
/// those that are not full RC and VA take a cycle each. There is a keyed route table.
template <int S, int N, bool Polled>
struct fast_cycle : fast_cycle_base<S, N, false> {
    using block = fast_block<S, N, false>;

    SARE_INLINE fast_cycle(const fast_surroundings<S, N, false>& a, cycle_t t)
        : fast_cycle_base<S, N, false>(a, t), now(t), table_shift(a.shape.places.shift) {}

    SARE_INLINE std::uint64_t* inbox_of(std::uint64_t k) const { return this->sets + (k << table_shift); }
    /// The flit in a place of the buffer of input VC i.
    SARE_INLINE flit& buffered(const block& b, std::uint32_t place, std::uint64_t i) const {
        return b.buffer[place * this->row + i];
    }

    const cycle_t now;
    const std::uint32_t table_shift;
};

/// Others.
template <int S, int N>
struct fast_cycle<S, N, false> : fast_cycle_base<S, N, true> {
    using block = fast_block<S, N, true>;

    SARE_INLINE fast_cycle(const fast_surroundings<S, N, true>& a, cycle_t t)
        : fast_cycle_base<S, N, true>(a, t),
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
    std::uint64_t *later_flits, *later_credits;  ///< planes of what leaves fast_write_ahead later
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
        later_flits = this->around.ring.at(t + fast_write_ahead + this->around.shape.flit_delay);
        later_credits = this->around.ring.at(t + fast_write_ahead + this->around.shape.credit_delay);
    }
};

}  // namespace sare
