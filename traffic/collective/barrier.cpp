// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

namespace sare::traffic {

void barrier_dissemination(const collective& c, std::uint32_t task, steps& out) {
    for (std::uint32_t d = 1; d < c.tasks; d *= 2)
        out.push_back({(task + d) % c.tasks, 0, (task + c.tasks - d) % c.tasks, 0, true});
}

/// Up and down a binomial tree.
void barrier_tree(const collective& c, std::uint32_t task, steps& out) {
    reduce_binomial(c, task, out);
    bcast_binomial(c, task, out);
}

}  // namespace sare::traffic
