// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/halving.h"

#include <algorithm>

namespace sare::traffic {

void allreduce_recursive_doubling(const collective& c, std::uint32_t task, steps& out) {
    const fold f(c.tasks);
    if (f.outside(task)) {
        out.push_back(send_step(task + 1, c.bytes));
        out.push_back(receive_step(task + 1, c.bytes));
        return;
    }
    if (f.host(task)) out.push_back(receive_step(task - 1, c.bytes));
    for (std::uint32_t bit = 1; bit < f.size; bit *= 2) {
        const std::uint32_t other = f.task(f.rank(task) ^ bit);
        out.push_back({other, c.bytes, other, c.bytes, true});
    }
    if (f.host(task)) out.push_back(send_step(task - 1, c.bytes));
}

/// Reduces halves, then gathers them the same way back: the bytes of a ring in 2 log2 n steps.
void allreduce_recursive_halving(const collective& c, std::uint32_t task, steps& out) {
    const fold f(c.tasks);
    if (f.outside(task)) {
        out.push_back(send_step(task + 1, c.bytes));
        out.push_back(receive_step(task + 1, c.bytes));
        return;
    }
    if (f.host(task)) out.push_back(receive_step(task - 1, c.bytes));
    const std::uint64_t each = c.bytes / f.size, longer = c.bytes % f.size;
    const auto parts = [&](std::uint32_t first, std::uint32_t end) {
        return (end - first) * each + std::min<std::uint64_t>(end, longer) -
               std::min<std::uint64_t>(first, longer);
    };
    const std::uint32_t rank = f.rank(task);
    halve(f, rank, parts, out);
    for (std::uint32_t size = 1; size < f.size; size *= 2) {
        const std::uint32_t other = f.task(rank ^ size), own = rank & ~(size - 1), theirs = own ^ size;
        out.push_back({other, parts(own, own + size), other, parts(theirs, theirs + size), true});
    }
    if (f.host(task)) out.push_back(send_step(task - 1, c.bytes));
}

void allreduce_reduce_bcast(const collective& c, std::uint32_t task, steps& out) {
    reduce_binomial(c, task, out);
    bcast_binomial(c, task, out);
}

}  // namespace sare::traffic
