// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/sets.h"
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/allocator/winners.h"

namespace sare {

/// Separable, output first (Dally & Towles, section 19.3): every column offers itself to one of the rows that
/// ask for it, every row takes one offer.
struct output_first_policy {
    /// One iteration.
    template <class Problem>
    static void run(Problem& p) {
        column_winners<Problem::most, typename Problem::set> w;
        p.for_each_request([&](std::uint32_t row, std::uint32_t column) {
            w.ask(column, row, [&](std::uint32_t challenger, std::uint32_t holder) {
                return p.offers_before(column, challenger, holder);
            });
        });
        typename Problem::set offered = {};
        typename Problem::offers offers[Problem::most];
        for (std::uint32_t n = 0; n < w.count; ++n) {
            const std::uint32_t column = w.columns[n], row = w.winner[column];
            if (!is_member(offered, row)) {
                add_member(offered, row);
                offers[row] = {};
            }
            p.add_offer(offers[row], row, column);
        }
        for (const std::uint64_t member : members(offered)) {
            const auto row = static_cast<std::uint32_t>(member);
            p.grant_offer(row, p.accept(row, offers[row]));
        }
    }
};

}  // namespace sare
