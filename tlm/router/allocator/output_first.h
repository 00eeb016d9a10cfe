// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/sets.h"
#include "tlm/router/allocator/allocator.h"

namespace sare {

/// Allocation policy `output_first`, separable (Dally & Towles, section 19.3): every column offers itself to
/// one of the rows that ask for it, then every row takes one of the columns offered to it. The functions that
/// a problem must have are those of any_problem.
struct output_first_policy {
    /// Solves the problem `p` of one cycle in one iteration, by calls of p.grant_offer().
    template <class Problem>
    static SARE_INLINE void run(Problem& p) {
        typename Problem::columns offers[Problem::most], seen = {}, contested = {};
        typename Problem::set rows = {};
        p.for_each_row([&](auto row, const auto& choices) SARE_INLINED {
            const auto mine = p.columns_of(row, choices);
            add_member(rows, row);
            offers[row] = mine;
            contested |= seen & mine;
            seen |= mine;
        });
        for (const std::uint64_t column : members(contested)) offer_to_one(p, rows, offers, column);
        for (const std::uint64_t row : members(rows))
            if (some(offers[row])) p.grant_offer(row, p.accept(row, offers[row]));
    }

  private:
    /// Removes `column` from `offers` (columns offered, by row) of all rows but the one that the column's
    /// arbiter picks. `rows`: rows that ask.
    template <class Problem>
    static SARE_INLINE void offer_to_one(Problem& p, const typename Problem::set& rows,
                                         typename Problem::columns* offers, std::uint64_t column) {
        constexpr std::uint64_t none = ~std::uint64_t{0};
        std::uint64_t winner = none;
        for (const std::uint64_t row : members(rows))
            if (is_member(offers[row], column) && (winner == none || p.beats_in_column(column, row, winner)))
                winner = row;
        for (const std::uint64_t row : members(rows))
            if (row != winner) remove_member(offers[row], column);
    }
};

}  // namespace sare
