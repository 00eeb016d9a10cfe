// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace sare {

/// Adds `more` to `sum` element by element. If `more` is longer, its further elements are appended to `sum`;
/// if it is shorter, the rest of `sum` stays.
template <class T>
void add_each(std::vector<T>& sum, const std::vector<T>& more) {
    if (sum.size() < more.size()) sum.resize(more.size());
    for (std::size_t k = 0; k < more.size(); ++k) sum[k] += more[k];
}

}  // namespace sare
