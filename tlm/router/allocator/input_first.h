// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/allocator/winners.h"

namespace sare {

/// Separable, input first (Dally & Towles, section 19.3): every row picks one of its requests, every column
/// one of the rows that picked it.
struct input_first_policy {
    /// One iteration; false if nothing asked.
    template <class Problem>
    static bool run(const Problem p) {
        column_winners<Problem::most, typename Problem::set> w;
        std::uint16_t chosen[Problem::most];
        const auto of_row = [&, p](std::uint32_t row) { return p.choices_of(row, chosen[row]); };
        p.for_each_row([&, p](std::uint32_t row, std::uint32_t choices, std::uint32_t port) {
            chosen[row] = static_cast<std::uint16_t>(p.pick(row, choices, port));
            const std::uint32_t column = p.column(chosen[row]);
            w.ask(column, row, [&, p](std::uint32_t challenger, std::uint32_t holder) {
                return p.beats(column, challenger, holder, of_row);
            });
        });
        for (std::uint32_t n = 0; n < w.count; ++n) {
            const std::uint32_t column = w.columns[n], row = w.winner[column];
            p.column_served(column, row, of_row);
            p.grant(row, chosen[row], column);
        }
        return w.count != 0;
    }
};

}  // namespace sare
