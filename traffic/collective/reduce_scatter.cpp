// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/halving.h"

namespace sare::traffic {

/// Appends n - 1 exchanges: the receiver's block to task + s, the own one from task - s.
void reduce_scatter_pairwise(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t n = c.tasks;
    for (std::uint32_t s = 1; s < n; ++s) {
        const std::uint32_t to = (task + s) % n, from = (task + n - s) % n;
        out.push_back({to, c.block(to), from, c.block(task), true});
    }
}

/// Reduces halves among tasks folded on a power of two: a task outside hands its vector to its host, which
/// has both blocks in the end.
void reduce_scatter_recursive_halving(const collective& c, std::uint32_t task, steps& out) {
    const fold f(c.tasks);
    const auto blocks = [&](std::uint32_t first, std::uint32_t end) {
        std::uint64_t sum = 0;
        for (std::uint32_t r = first; r < end; ++r)
            sum += c.block(f.task(r)) + (r < f.rest ? c.block(f.task(r) - 1) : 0);
        return sum;
    };
    if (f.outside(task)) {
        out.push_back(send_step(task + 1, blocks(0, f.size)));
        out.push_back(receive_step(task + 1, c.block(task)));
        return;
    }
    if (f.host(task)) out.push_back(receive_step(task - 1, blocks(0, f.size)));
    halve(f, f.rank(task), blocks, out);
    if (f.host(task)) out.push_back(send_step(task - 1, c.block(task - 1)));
}

}  // namespace sare::traffic
