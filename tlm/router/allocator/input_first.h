// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/sets.h"
#include "tlm/router/allocator/allocator.h"

namespace sare {

/// Allocation policy `input_first`, separable (Dally & Towles, section 19.3): every row picks one of its
/// requests, then every column one of the rows that picked it.
///
/// The functions that a problem must have are those of any_problem. pick(row, choices) returns a request: its
/// number `who`, which the problem chooses freely, and its column. grant(who, column) is called for each
/// winner: with `Problem::in_order` in the order in which columns were first asked for, else by rising
/// column.
struct input_first_policy {
    /// Solves the problem `p` of one cycle in one iteration, by calls of p.grant(). Returns the columns that
    /// were granted.
    template <class Problem>
    static SARE_INLINE typename Problem::columns run(Problem& p) {
        typename Problem::columns asked = {};
        typename Problem::number winner[Problem::most], order[Problem::most];
        std::uint32_t count = 0;
        p.for_each_row([&](auto row, const auto& choices) SARE_INLINED {
            const auto [who, column] = p.pick(row, choices);
            if (is_member(asked, column)) {
                if (!p.beats(column, who, winner[column])) return;
            } else {
                add_member(asked, column);
                if (Problem::in_order) order[count++] = static_cast<typename Problem::number>(column);
            }
            winner[column] = static_cast<typename Problem::number>(who);
        });
        if (!Problem::in_order)
            for (const std::uint64_t column : members(asked)) p.grant(winner[column], column);
        for (std::uint32_t n = 0; n < count; ++n) p.grant(winner[order[n]], std::uint64_t{order[n]});
        return asked;
    }
};

}  // namespace sare
