// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/bits.h"
#include "tlm/fabric/router_params.h"

#include <cstdint>

namespace sare {

/// A row of equal arbiters of up to `size` requesters each (Dally & Towles, ch. 18). The state of arbiter a:
/// round robin: pointer[a], where the search starts; matrix: stamps[a * size + i], when i last won (a matrix arbiter
/// serves the least recently served: the same order, in less memory); fixed and age: none.
struct arbiter_row {
    arbiter_kind kind = arbiter_kind::round_robin;
    std::uint16_t* pointer = nullptr;
    std::uint32_t* stamps = nullptr;  ///< [arbiter][size], then one counter per arbiter at the end
    std::uint32_t size = 0;
    std::uint32_t arbiters = 0;

    /// The winner among `requests` (not empty) at arbiter a. `age(i)` is the time of i's packet, smaller is older.
    template <int W, class Age>
    std::uint32_t pick(std::uint32_t a, const bits<W>& requests, Age&& age) const {
        if (__builtin_expect(kind == arbiter_kind::round_robin, 1)) return requests.first_from(pointer[a]);
        if (kind == arbiter_kind::fixed) return requests.first_from(0);
        std::uint32_t best = 0;
        std::uint64_t best_key = ~std::uint64_t{0};
        requests.for_each([&](std::uint32_t i) {
            const std::uint64_t key = kind == arbiter_kind::age ? age(i) : stamps[a * size + i];
            if (key < best_key) {
                best_key = key;
                best = i;
            }
        });
        return best;
    }

    /// Tells arbiter a that its pick has been served: only then does it lose its priority (iSLIP; Dally &
    /// Towles, section 19.3).
    void served(std::uint32_t a, std::uint32_t winner) const {
        if (__builtin_expect(kind == arbiter_kind::round_robin, 1))
            pointer[a] = static_cast<std::uint16_t>(winner + 1 == size ? 0 : winner + 1);
        else if (kind == arbiter_kind::matrix)
            stamps[a * size + winner] = ++stamps[arbiters * size + a];
    }
};

}  // namespace sare
