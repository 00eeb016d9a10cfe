// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/fabric.h"
#include "tlm/fabric/steps.h"

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

/// What the steps of one kind of router have in common in a cycle.
template <int S, int N, bool InList>
struct plain_cycle_base {
    using block = plain_block<S, N, InList>;

    SARE_INLINE plain_cycle_base(fabric& f, const router_shape& kind, cycle_t t)
        : here(f.plane(t)),
          next(f.plane(t + 1)),
          flits(f.plane(t + kind.flit_delay)),
          credits(f.plane(t + kind.credit_delay)),
          wants(kind.wants.data()),
          depth(kind.params.depth),
          in_vcs(kind.in_vcs) {}

    std::uint64_t *const here, *const next, *const flits, *const credits;  ///< planes
    const std::uint64_t* const wants;
    const std::uint32_t depth, in_vcs;
    const vcs_after<S, typename block::set> after = all_after;  ///< here no register has to point to it

  private:
    static constexpr vcs_after<S, typename block::set> all_after = {};
};

/// `Usual`: RC and VA take a cycle each, there is a route table, and the routers are so few that nobody sets
/// bits to wake and all stay in the caches. For routers of one word of those bits.
template <int S, int N, bool Usual>
struct plain_cycle : plain_cycle_base<S, N, false> {
    using block = plain_block<S, N, false>;

    SARE_INLINE plain_cycle(fabric& f, const router_shape& kind, std::uint32_t word, cycle_t t)
        : plain_cycle_base<S, N, false>(f, kind, t),
          at(&f.m_router_at[std::size_t{word} * 64]),
          sets(f.plane(t) + f.m_sets_at + std::size_t{word} * 64) {}

    SARE_INLINE block& block_of(std::uint64_t k) const { return *reinterpret_cast<block*>(at[k]); }

    std::uint8_t* const* const at;  ///< blocks of this word
    std::uint64_t* const sets;      ///< of this word, where an inbox has one
    static constexpr bool rc = true, va = true;
};

/// Others, in lists.
template <int S, int N>
struct plain_cycle<S, N, false> : plain_cycle_base<S, N, true> {
    using block = plain_block<S, N, true>;

    SARE_INLINE plain_cycle(fabric& f, const router_shape& kind, cycle_t t)
        : plain_cycle_base<S, N, true>(f, kind, t),
          net(f),
          blocks(f.m_routers),
          block_bytes(kind.block_bytes),
          sets(f.plane(t) + f.m_sets_at),
          set_shift(f.m_set_shift),
          sets_at(f.m_sets_at),
          later_flits(f.plane(t + plain_foresight + kind.flit_delay)),
          later_credits(f.plane(t + plain_foresight + kind.credit_delay)),
          packets(&f.m_packets[0]),
          routing(f.m_routing),
          way(kind.vcs),
          now(static_cast<std::uint32_t>(t)),
          credit_delay(kind.credit_delay),
          rc(kind.rc != 0),
          va(kind.va != 0),
          foresees(kind.foresees),
          looks_ahead(f.m_looks_ahead),
          keyed(f.m_keyed) {}

    SARE_INLINE block& block_of(std::uint32_t router) const {
        return *reinterpret_cast<block*>(blocks + router * block_bytes);
    }
    SARE_INLINE std::uint64_t* inbox_of(std::uint32_t router) const {
        return sets + (std::size_t{router} << set_shift);
    }
    SARE_INLINE std::uint64_t* plane_in(std::uint32_t cycles) const { return net.plane(net.m_now + cycles); }

    fabric& net;
    std::uint8_t* const blocks;
    const std::uint64_t block_bytes;
    std::uint64_t* const sets;
    const std::uint32_t set_shift, sets_at;                  ///< of endpoints: sets_at + (e << shift)
    std::uint64_t *const later_flits, *const later_credits;  ///< planes of what leaves plain_foresight later
    packet* const packets;
    const routing_function* const routing;
    const way_ahead way;
    const std::uint32_t now, credit_delay;
    const bool rc, va;       ///< whether these stages take a cycle
    const bool foresees;     ///< see plain_passage
    const bool looks_ahead;  ///< see plain_look_ahead
    const bool keyed;        ///< heads say where in the route table their way is
};

}  // namespace sare
