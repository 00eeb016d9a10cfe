// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

#include <algorithm>

namespace sare::traffic {
namespace {

/// Returns the bytes of the blocks of `count` tasks from a rank (counted from the root) on.
std::uint64_t blocks(const collective& c, std::uint32_t rank, std::uint32_t count) {
    std::uint64_t sum = 0;
    for (std::uint32_t r = rank; r < std::min(rank + count, c.tasks); ++r) sum += c.block(absolute(c, r));
    return sum;
}

}  // namespace

void gather_binomial(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t r = relative(c, task);
    for (std::uint32_t bit = 1; bit < c.tasks; bit *= 2) {
        if (r & bit) {
            out.push_back(send_step(absolute(c, r - bit), blocks(c, r, bit)));
            return;
        }
        if (r + bit < c.tasks) out.push_back(receive_step(absolute(c, r + bit), blocks(c, r + bit, bit)));
    }
}

void gather_linear(const collective& c, std::uint32_t task, steps& out) {
    if (task != c.root)
        out.push_back(send_step(c.root, c.block(task)));
    else
        for (std::uint32_t r = 1; r < c.tasks; ++r)
            out.push_back(receive_step(absolute(c, r), c.block(absolute(c, r)), r + 1 == c.tasks));
}

void scatter_binomial(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t r = relative(c, task);
    std::uint32_t bit = 1;
    for (; bit < c.tasks; bit *= 2)
        if (r & bit) {
            out.push_back(receive_step(absolute(c, r - bit), blocks(c, r, bit)));
            break;
        }
    for (bit /= 2; bit != 0; bit /= 2)
        if (r + bit < c.tasks) out.push_back(send_step(absolute(c, r + bit), blocks(c, r + bit, bit)));
}

void scatter_linear(const collective& c, std::uint32_t task, steps& out) {
    if (task != c.root)
        out.push_back(receive_step(c.root, c.block(task)));
    else
        for (std::uint32_t r = 1; r < c.tasks; ++r)
            out.push_back(send_step(absolute(c, r), c.block(absolute(c, r)), r + 1 == c.tasks));
}

}  // namespace sare::traffic
