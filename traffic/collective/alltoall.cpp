// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

namespace sare::traffic {
namespace {

step exchange(const collective& c, std::uint32_t to, std::uint32_t from, bool wait) {
    return {to, c.block(to), from, c.receive_counts ? (*c.receive_counts)[from] : c.bytes, wait};
}

}  // namespace

/// Appends n - 1 exchanges: with task xor s if n is a power of two, else to task + s from task - s.
void alltoall_pairwise(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t n = c.tasks;
    const bool power = (n & (n - 1)) == 0;
    for (std::uint32_t s = 1; s < n; ++s)
        out.push_back(
            exchange(c, power ? task ^ s : (task + s) % n, power ? task ^ s : (task + n - s) % n, true));
}

/// Posts everything at once.
void alltoall_linear(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t n = c.tasks;
    for (std::uint32_t s = 1; s < n; ++s)
        out.push_back(exchange(c, (task + s) % n, (task + n - s) % n, s + 1 == n));
}

/// Posts as the linear one, but nothing without bytes is sent or waited for.
void alltoall_sparse(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t n = c.tasks;
    step before;
    const auto none = [](const step& s) { return s.to == step::no_task && s.from == step::no_task; };
    for (std::uint32_t s = 1; s < n; ++s) {
        step each = exchange(c, (task + s) % n, (task + n - s) % n, false);
        if (each.bytes == 0) each.to = step::no_task;
        if (each.from_bytes == 0) each.from = step::no_task;
        if (none(each)) continue;
        if (!none(before)) out.push_back(before);
        before = each;
    }
    before.wait = true;
    if (!none(before)) out.push_back(before);
}

/// Moves all blocks on by k, in round k (1, 2, 4, ...), whose distance still to go has bit k.
void alltoall_bruck(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t n = c.tasks;
    for (std::uint32_t k = 1; k < n; k *= 2) {
        std::uint64_t blocks = 0;
        for (std::uint32_t d = 1; d < n; ++d) blocks += (d & k) != 0 ? 1 : 0;
        out.push_back({(task + k) % n, blocks * c.bytes, (task + n - k) % n, blocks * c.bytes, true});
    }
}

}  // namespace sare::traffic
