// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"
#include "tlm/router/vc/params.h"

#include <cstdint>

namespace sare {

/// A row of equal arbiters of up to `size` requesters each (Dally & Towles, ch. 18). The state of arbiter a:
/// round robin: turns[a], the one served last; matrix: stamps[a * size + i], when i last won (a matrix
/// arbiter serves the least recently served: the same order, in less memory); fixed and age: none.
struct arbiter_row {
    std::uint16_t* turns;
    std::uint32_t size;
    arbiter_kind kind;
    std::uint32_t* stamps;  ///< [arbiter][size], then one counter per arbiter
    std::uint32_t arbiters;

    /// Whether `challenger` beats `holder` (< challenger) at arbiter a: with it requests are arbitrated as
    /// they come, in ascending order. `age(i)` is the time of i's packet, smaller is older.
    template <class Age>
    bool beats(std::uint32_t a, std::uint32_t challenger, std::uint32_t holder, Age&& age) const {
        if (kind == arbiter_kind::round_robin) return holder <= turns[a] && challenger > turns[a];
        if (kind == arbiter_kind::fixed) return false;
        if (kind == arbiter_kind::age) return age(challenger) < age(holder);
        return stamps[a * size + challenger] < stamps[a * size + holder];
    }

    /// The winner among `requests` (not empty, members below 64) at arbiter a.
    template <class Age>
    std::uint32_t pick(std::uint32_t a, std::uint64_t requests, Age&& age) const {
        if (kind == arbiter_kind::round_robin) return round_robin(requests, turns[a]);
        std::uint32_t best = lowest(requests);
        for (std::uint64_t rest = requests & (requests - 1); rest != 0; rest &= rest - 1)
            if (beats(a, lowest(rest), best, age)) best = lowest(rest);
        return best;
    }

    /// Tells arbiter a that its pick has been served: only then does it lose its priority (iSLIP; Dally &
    /// Towles, section 19.3).
    void served(std::uint32_t a, std::uint32_t winner) const {
        if (kind == arbiter_kind::round_robin)
            turns[a] = static_cast<std::uint16_t>(winner);
        else if (kind == arbiter_kind::matrix)
            stamps[a * size + winner] = ++stamps[arbiters * size + a];
    }
};

/// Columns of an allocator and what leads in each, while requests come in.
template <int N, class Set>
struct column_winners {
    Set asked = {};
    std::uint32_t count = 0;
    std::uint16_t columns[N];  ///< those asked for, in order of the first request
    std::uint16_t winner[N];   ///< by column

    template <class Arbiters, class Age>
    void ask(const Arbiters& arbiters, std::uint32_t column, std::uint32_t row, Age&& age) {
        if (!asked.test(column)) {
            asked.set(column);
            columns[count++] = static_cast<std::uint16_t>(column);
            winner[column] = static_cast<std::uint16_t>(row);
        } else if (arbiters.beats(column, row, winner[column], age)) {
            winner[column] = static_cast<std::uint16_t>(row);
        }
    }
};

}  // namespace sare
