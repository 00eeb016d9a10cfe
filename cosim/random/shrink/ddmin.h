// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace sare::cosim {

/// Returns a part of `all`, in its order, for which fails(part) returns true, but no longer if any single
/// element is left out (delta debugging). fails(all) must be true (not checked). Tries to leave out half of
/// the elements first, then smaller and smaller chunks, down to single elements.
template <class T, class Fails>
std::vector<T> smallest_part(std::vector<T> all, const Fails& fails) {
    for (std::size_t chunk = std::max<std::size_t>(all.size() / 2, 1); !all.empty();) {
        bool taken = false;
        for (std::size_t begin = 0; begin < all.size();) {
            const std::size_t end = std::min(begin + chunk, all.size());
            std::vector<T> rest(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(begin));
            rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(end), all.end());
            if (fails(rest)) {
                all = std::move(rest);
                taken = true;
            } else {
                begin = end;
            }
        }
        if (chunk == 1 && !taken) break;
        chunk = std::max<std::size_t>(chunk / 2, 1);
    }
    return all;
}

}  // namespace sare::cosim
