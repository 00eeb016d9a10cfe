// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/sets.h"
#include "tlm/router/allocator/allocator.h"

namespace sare {

/// Allocation policy `input_first`, separable (Dally & Towles, section 19.3): every row picks one of its
/// requests, then every column one of the rows that picked it.
///
/// A problem (any_problem has its functions) numbers its requests as it likes: pick(row, choices) returns a
/// column and the number `who` of the request for it, and grant(who, column) is called for the winner. With
/// `Problem::in_order` columns are granted in the order in which they were first asked for, else by rising
/// number.
struct input_first_policy {
    /// Solves the problem of a cycle: one iteration. Returns the columns that were granted.
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
