// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/sets.h"

#include <cstdint>

namespace sare {

/// Columns of an allocator and what leads in each, while requests come in.
template <int N, class Set>
struct column_winners {
    Set asked = {};
    std::uint32_t count = 0;
    std::uint16_t columns[N];  ///< those asked for, in order of the first request
    std::uint16_t winner[N];   ///< by column

    /// `beats(challenger, holder)`, rows.
    template <class Beats>
    void ask(std::uint32_t column, std::uint32_t row, Beats&& beats) {
        if (!is_member(asked, column)) {
            add_member(asked, column);
            columns[count++] = static_cast<std::uint16_t>(column);
            winner[column] = static_cast<std::uint16_t>(row);
        } else if (beats(row, winner[column])) {
            winner[column] = static_cast<std::uint16_t>(row);
        }
    }
};

}  // namespace sare
