// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

#include <algorithm>

namespace sare::traffic {

void barrier_dissemination(const collective& c, std::uint32_t task, steps& out) {
    for (std::uint32_t d = 1; d < c.tasks; d *= 2)
        out.push_back({(task + d) % c.tasks, 0, (task + c.tasks - d) % c.tasks, 0, true});
}

/// Goes up and down a binomial tree.
void barrier_tree(const collective& c, std::uint32_t task, steps& out) {
    reduce_binomial(c, task, out);
    bcast_binomial(c, task, out);
}

/// Sends to task 0 from all, and back when it has heard of all.
void barrier_root(const collective& c, std::uint32_t task, steps& out) {
    if (task != 0) {
        out.push_back(send_step(0, 0));
        out.push_back(receive_step(0, 0));
        return;
    }
    for (std::uint32_t t = 1; t < c.tasks; ++t) out.push_back(receive_step(t, 0, t + 1 == c.tasks));
    for (std::uint32_t t = 1; t < c.tasks; ++t) out.push_back(send_step(t, 0, t + 1 == c.tasks));
}

/// Splits tasks into as many groups as each has members: members send to their first, these to task 0, and
/// back.
void barrier_two_level(const collective& c, std::uint32_t task, steps& out) {
    std::uint32_t size = 1;
    while (std::uint64_t{size} * size < c.tasks) ++size;
    const std::uint32_t first = task / size * size, end = std::min(first + size, c.tasks);
    if (task != first) {
        out.push_back(send_step(first, 0));
        out.push_back(receive_step(first, 0));
        return;
    }
    for (std::uint32_t t = first + 1; t < end; ++t) out.push_back(receive_step(t, 0, t + 1 == end));
    if (task != 0) {
        out.push_back(send_step(0, 0));
        out.push_back(receive_step(0, 0));
    } else {
        for (std::uint32_t t = size; t < c.tasks; t += size)
            out.push_back(receive_step(t, 0, t + size >= c.tasks));
        for (std::uint32_t t = size; t < c.tasks; t += size)
            out.push_back(send_step(t, 0, t + size >= c.tasks));
    }
    for (std::uint32_t t = first + 1; t < end; ++t) out.push_back(send_step(t, 0, t + 1 == end));
}

}  // namespace sare::traffic
