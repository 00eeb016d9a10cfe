// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

namespace sare::traffic {

/// n - 1 exchanges: the receiver's block to task + s, the own one from task - s.
void reduce_scatter_pairwise(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t n = c.tasks;
    for (std::uint32_t s = 1; s < n; ++s) {
        const std::uint32_t to = (task + s) % n, from = (task + n - s) % n;
        out.push_back({to, c.block(to), from, c.block(task), true});
    }
}

}  // namespace sare::traffic
