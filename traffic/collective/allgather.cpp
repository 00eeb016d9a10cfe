// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

namespace sare::traffic {

/// Doubles what a task holds with every exchange; tasks beyond a power of two hand over and get all at the
/// end.
void allgather_recursive_doubling(const collective& c, std::uint32_t task, steps& out) {
    const fold f(c.tasks);
    const auto held = [&](std::uint32_t first, std::uint32_t count) {  // by the hosts of `count` ranks
        std::uint64_t sum = 0;
        for (std::uint32_t r = first; r < first + count; ++r) {
            sum += c.block(f.task(r));
            if (r < f.rest) sum += c.block(f.task(r) - 1);
        }
        return sum;
    };
    if (f.outside(task)) {
        out.push_back(send_step(task + 1, c.block(task)));
        out.push_back(receive_step(task + 1, held(0, f.size) - c.block(task)));
        return;
    }
    if (f.host(task)) out.push_back(receive_step(task - 1, c.block(task - 1)));
    const std::uint32_t rank = f.rank(task);
    for (std::uint32_t bit = 1; bit < f.size; bit *= 2) {
        const std::uint32_t mine = rank & ~(bit - 1), theirs = mine ^ bit, other = f.task(rank ^ bit);
        out.push_back({other, held(mine, bit), other, held(theirs, bit), true});
    }
    if (f.host(task)) out.push_back(send_step(task - 1, held(0, f.size) - c.block(task - 1)));
}

}  // namespace sare::traffic
