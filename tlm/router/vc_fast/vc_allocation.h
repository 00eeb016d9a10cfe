// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/cycle.h"

namespace sare {

/// Heads that bid for a VC, and the output VCs that each of them may get, all of one port.
template <int S, int N>
struct fast_bids {
    using set = typename fast_traits<S, N>::set;
    set rows = 0;
    set open[N];
};

/// VC allocation other than input first, as in ../va.h, for the few heads that a cycle has.
template <int S, int N>
class fast_vc_allocation {
    using block = fast_block<S, N, false>;
    using set = typename block::set;
    using index = std::uint64_t;
    using bids = fast_bids<S, N>;

  public:
    /// Every free VC offers itself to one of the heads, every head takes one offer: `grant(i, o)`.
    template <class Grant>
    static SARE_INLINE void output_first(block& b, const vcs_after<S, set>& after, const bids& all,
                                         Grant&& grant) {
        set seen = 0, contested = 0, rows = all.rows;
        for (set rest = rows; rest != 0; rest &= rest - 1) {
            contested |= seen & all.open[lowest(rest)];
            seen |= all.open[lowest(rest)];
        }
        set offers[N];
        const set* open = all.open;
        if (contested != 0) {
            rows = make_offers(b, all, offers);
            open = offers;
        }
        for (; rows != 0; rows &= rows - 1) {
            const index i = lowest(rows);
            grant(i, after.pick(open[i], b.in(i).out & block::vc_mask));
        }
    }

    /// Diagonal by diagonal, the first one moving on every cycle. Heads whose first choices differ get them;
    /// otherwise it goes from one to the next in the order of the diagonals.
    template <class Grant>
    static SARE_INLINE void wavefront(const fast_shape& shape, cycle_t now, const bids& all, Grant&& grant) {
        const auto first = static_cast<std::uint32_t>(now % (shape.ports * shape.vcs));
        choice next[N];
        set chosen = 0, rows = all.rows;
        bool clash = false;
        for (set rest = rows; rest != 0; rest &= rest - 1) {
            const index i = lowest(rest);
            next[i] = first_choice(shape, first, i, all.open[i]);
            clash = clash || is_member(chosen, next[i].o);
            add_member(chosen, next[i].o);
        }
        if (clash) rows = serve_in_order(shape, first, all, next);
        for (; rows != 0; rows &= rows - 1) grant(lowest(rows), next[lowest(rows)].o);
    }

  private:
    struct choice {
        std::uint32_t diagonal;
        index o;
    };

    /// The output VC whose diagonal is the first of those open to head i. In the numbers of diagonals VCs
    /// that do not exist are left out.
    static SARE_INLINE choice first_choice(const fast_shape& shape, std::uint32_t first, index i, set open) {
        const std::uint32_t n = shape.ports * shape.vcs;
        const index port = lowest(open) >> S;
        const auto vcs = static_cast<std::uint32_t>(open >> (port << S));
        const std::uint32_t row = static_cast<std::uint32_t>(i >> S) * shape.vcs + (i & block::vc_mask);
        std::uint32_t start = row + static_cast<std::uint32_t>(port) * shape.vcs + n - first;  // of VC 0
        start = start < n ? start : start < 2 * n ? start - n : start - 2 * n;
        const std::uint32_t to_last = n - start;  // VCs from there on are on the diagonals from 0 on
        const std::uint32_t wrapped = to_last < shape.vcs ? vcs >> to_last << to_last : 0;
        const index vc = lowest(wrapped != 0 ? wrapped : vcs);
        const std::uint32_t d = start + static_cast<std::uint32_t>(vc);
        return {d < n ? d : d - n, port << S | vc};
    }

    /// Gives the heads that have offers.
    static __attribute__((noinline)) set make_offers(const block& b, const bids& all, set* offers) {
        set asked = 0, offered = 0;
        std::uint8_t winner[N];
        for (set rows = all.rows; rows != 0; rows &= rows - 1) {
            const index i = lowest(rows);
            offers[i] = 0;
            for (set open = all.open[i]; open != 0; open &= open - 1) {
                const index o = lowest(open);
                if (is_member(asked, o) && !(winner[o] <= b.owner(o) && i > b.owner(o))) continue;
                add_member(asked, o);
                winner[o] = static_cast<std::uint8_t>(i);
            }
        }
        for (; asked != 0; asked &= asked - 1) {
            const index o = lowest(asked);
            add_member(offers[winner[o]], o);
            add_member(offered, winner[o]);
        }
        return offered;
    }

    /// Of all that are left the one on the first diagonal, and there with the lowest number, is served or
    /// goes on to its next choice. Gives the heads that get something.
    static __attribute__((noinline)) set serve_in_order(const fast_shape& shape, std::uint32_t first,
                                                        const bids& all, choice* next) {
        set taken = 0, left = all.rows, served = 0;
        set open[N];
        for (set rest = left; rest != 0; rest &= rest - 1) open[lowest(rest)] = all.open[lowest(rest)];
        while (left != 0) {
            index best = lowest(left);
            for (set rest = left & (left - 1); rest != 0; rest &= rest - 1)
                if (next[lowest(rest)].diagonal < next[best].diagonal) best = lowest(rest);
            if (!is_member(taken, next[best].o)) {
                add_member(taken, next[best].o);
                add_member(served, best);
                remove_member(left, best);
                continue;
            }
            remove_member(open[best], next[best].o);
            if (open[best] != 0)
                next[best] = first_choice(shape, first, best, open[best]);
            else
                remove_member(left, best);
        }
        return served;
    }
};

}  // namespace sare
