// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/allocator/winners.h"

namespace sare {

/// Separable, output first (Dally & Towles, section 19.3): every column offers itself to one of the rows that
/// ask for it, every row takes one offer.
struct output_first_policy {
    /// One iteration; false if nothing asked.
    template <class Problem>
    static bool run(const Problem p) {
        column_winners<Problem::most, typename Problem::set> w;
        const auto of_row = [&, p](std::uint32_t row) { return p.all_choices(row); };
        p.for_each_request([&, p](std::uint32_t row, std::uint32_t column) {
            w.ask(column, row, [&, p](std::uint32_t challenger, std::uint32_t holder) {
                return p.beats(column, challenger, holder, of_row);
            });
        });
        typename Problem::set offered = {};
        typename Problem::offers offers[Problem::most];
        for (std::uint32_t n = 0; n < w.count; ++n) {
            const std::uint32_t column = w.columns[n], row = w.winner[column];
            if (!offered.test(row)) {
                offered.set(row);
                offers[row] = {};
            }
            p.add_offer(offers[row], row, column);
        }
        offered.for_each([&, p](std::uint32_t row) {
            const std::uint32_t column = p.accept(row, offers[row]);
            p.column_served(column, row, of_row);
            p.grant(row, p.choice_to(row, column), column);
        });
        return w.count != 0;
    }
};

}  // namespace sare
