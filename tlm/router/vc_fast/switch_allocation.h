// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/cycle.h"

namespace sare {

/// Switch allocation of any kind, as in ../sa.h, on one set of arbiters. An input x of the crossbar is
/// fast_shape::crossbar_input(), an output y a port. `To` gives the output of an input VC that asks.
template <int S, int N, class To>
class fast_switch_allocation {
    using block = fast_block<S, N, false>;
    using set = typename block::set;
    using index = std::uint64_t;

  public:
    SARE_INLINE fast_switch_allocation(const fast_shape& shape, const vcs_after<S, set>& after,
                                       typename block::switch_turns& turns, To to)
        : m_shape(shape), m_after(after), m_turns(turns), m_to(to) {}

    /// Gives the input VCs that may go.
    SARE_INLINE set allocate(set requests, cycle_t now) {
        set won = 0;
        if (m_shape.sa == compiled_allocator::input_first)
            input_first(requests, won);
        else if (m_shape.sa == compiled_allocator::output_first)
            output_first(requests, won);
        else
            wavefront(requests, won, now);
        return won;
    }

  private:
    /// `f(x, vcs)` for every input x with VCs that ask, port by port.
    template <class F>
    SARE_INLINE void for_each_input(set requests, F&& f) const {
        while (requests != 0) {
            const index i = lowest(requests), vc = i & block::vc_mask;
            const set mine = requests & (set{m_shape.vcs_with[vc]} << (i - vc));
            requests ^= mine;
            f(m_shape.crossbar_input(i >> S, vc), mine);
        }
    }

    /// In a round after `last`; inputs need not come in order.
    static bool comes_before(index x, index other, index last) {
        return (x > last) == (other > last) ? x < other : x > last;
    }
    static bool is_one(set vcs) { return (vcs & (vcs - 1)) == 0; }
    /// Of the VCs of input x, those that ask for output y.
    SARE_INLINE set vcs_to(index x, index y) const {
        set found = 0;
        for (set rest = m_vcs[x]; rest != 0; rest &= rest - 1)
            if (m_to(lowest(rest)) == y) add_member(found, lowest(rest));
        return found;
    }
    SARE_INLINE index pick_vc(index x, set vcs) const {
        return is_one(vcs) ? lowest(vcs) : m_after.pick(vcs, m_turns.vc[x]);
    }
    SARE_INLINE index pick_vc_to(index x, index y) const {
        return is_one(m_vcs[x]) ? lowest(m_vcs[x]) : pick_vc(x, vcs_to(x, y));
    }
    SARE_INLINE void settle(set& won, index i, index x) const {
        m_turns.vc[x] = static_cast<std::uint8_t>(i & block::vc_mask);
        add_member(won, i);
    }

    /// Every input picks a VC, every output picks an input.
    SARE_INLINE void input_first(set requests, set& won) {
        std::uint8_t chosen[N], winner[block::max_ports];
        std::uint32_t asked = 0;
        for_each_input(requests, [&](index x, set vcs) {
            const index i = pick_vc(x, vcs), y = m_to(i), last = m_turns.column[y];
            chosen[x] = static_cast<std::uint8_t>(i);
            if (is_member(asked, y) && !comes_before(x, winner[y], last)) return;
            add_member(asked, y);
            winner[y] = static_cast<std::uint8_t>(x);
        });
        for (; asked != 0; asked &= asked - 1) {
            const index y = lowest(asked), x = winner[y];
            m_turns.column[y] = static_cast<std::uint8_t>(x);
            settle(won, chosen[x], x);
        }
    }

    /// Every output picks an input, every input picks an output and then a VC for it.
    SARE_INLINE void output_first(set requests, set& won) {
        std::uint32_t seen = 0, contested = 0, offers[N];
        for_each_input(requests, [&](index x, set vcs) {
            add_member(m_rows, x);
            m_vcs[x] = vcs;
            std::uint32_t mine = 0;
            for (; vcs != 0; vcs &= vcs - 1) add_member(mine, m_to(lowest(vcs)));
            contested |= seen & mine;
            seen |= mine;
            offers[x] = mine;
        });
        if (contested != 0) take_offers_back(contested, offers);
        for (; m_rows != 0; m_rows &= m_rows - 1) {
            const index x = lowest(m_rows);
            const std::uint32_t later = offers[x] & ~((2u << m_turns.row[x]) - 1);
            const index y = lowest(later != 0 ? later : offers[x]);
            m_turns.row[x] = static_cast<std::uint8_t>(y);
            m_turns.column[y] = static_cast<std::uint8_t>(x);
            settle(won, pick_vc_to(x, y), x);
        }
    }

    /// Of outputs that several inputs ask for, from all but the one that each picks.
    SARE_INLINE void take_offers_back(std::uint32_t contested, std::uint32_t* offers) {
        const std::uint64_t rows = m_rows;
        for (; contested != 0; contested &= contested - 1) {
            const index y = lowest(contested);
            index winner = N;
            for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1) {
                const index x = lowest(rest), last = m_turns.column[y];
                if (!is_member(offers[x], y) || (winner != N && !(winner <= last && x > last))) continue;
                winner = x;
            }
            for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1) {
                const index x = lowest(rest);
                if (x != winner) remove_member(offers[x], y);
                if (offers[x] == 0) remove_member(m_rows, x);
            }
        }
    }

    struct choice {
        std::uint32_t diagonal;
        index y;
    };

    /// Diagonal by diagonal, as the VCs are allocated.
    SARE_INLINE void wavefront(set requests, set& won, cycle_t now) {
        index next[N];
        std::uint32_t chosen = 0;
        bool clash = false;
        const auto first = static_cast<std::uint32_t>(now % (m_shape.ports * m_shape.input_speedup));
        for_each_input(requests, [&](index x, set vcs) {
            add_member(m_rows, x);
            m_vcs[x] = vcs;
            next[x] = is_one(vcs) ? m_to(lowest(vcs)) : first_choice(first, x, vcs).y;
            clash = clash || is_member(chosen, next[x]);
            add_member(chosen, next[x]);
        });
        if (clash) serve_in_order(first, next);
        for (; m_rows != 0; m_rows &= m_rows - 1) {
            const index x = lowest(m_rows), y = next[x];
            settle(won, pick_vc_to(x, y), x);
        }
    }

    SARE_INLINE choice first_choice(std::uint32_t first, index x, set vcs) const {
        const std::uint32_t n = m_shape.ports * m_shape.input_speedup;
        choice best{n, 0};
        for (; vcs != 0; vcs &= vcs - 1) {
            const index y = m_to(lowest(vcs));
            auto d = static_cast<std::uint32_t>(x + y) + n - first;
            d = d < n ? d : d < 2 * n ? d - n : d - 2 * n;
            if (d < best.diagonal) best = {d, y};
        }
        return best;
    }

    SARE_INLINE void serve_in_order(std::uint32_t first, index* served) {
        choice next[N];
        for (std::uint64_t rest = m_rows; rest != 0; rest &= rest - 1)
            next[lowest(rest)] = first_choice(first, lowest(rest), m_vcs[lowest(rest)]);
        std::uint32_t taken = 0;
        for (std::uint64_t left = m_rows; left != 0;) {
            index x = lowest(left);
            for (std::uint64_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
                if (next[lowest(rest)].diagonal < next[x].diagonal) x = lowest(rest);
            if (!is_member(taken, next[x].y)) {
                add_member(taken, next[x].y);
                remove_member(left, x);
                served[x] = next[x].y;
                continue;
            }
            m_vcs[x] ^= vcs_to(x, next[x].y);
            if (m_vcs[x] != 0) {
                next[x] = first_choice(first, x, m_vcs[x]);
            } else {
                remove_member(left, x);
                remove_member(m_rows, x);
            }
        }
    }

    const fast_shape& m_shape;
    const vcs_after<S, set>& m_after;
    typename block::switch_turns& m_turns;
    const To m_to;
    std::uint64_t m_rows = 0;  ///< inputs that ask
    set m_vcs[N];              ///< by input: its VCs that ask
};

}  // namespace sare
