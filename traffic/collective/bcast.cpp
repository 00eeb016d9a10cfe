// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

#include <algorithm>

namespace sare::traffic {

void bcast_binomial(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t r = relative(c, task);
    std::uint32_t bit = 1;
    for (; bit < c.tasks; bit *= 2)
        if (r & bit) {
            out.push_back(receive_step(absolute(c, r - bit), c.bytes));
            break;
        }
    for (bit /= 2; bit != 0; bit /= 2)
        if (r + bit < c.tasks) out.push_back(send_step(absolute(c, r + bit), c.bytes));
}

void bcast_linear(const collective& c, std::uint32_t task, steps& out) {
    if (task != c.root)
        out.push_back(receive_step(c.root, c.bytes));
    else
        for (std::uint32_t r = 1; r < c.tasks; ++r)
            out.push_back(send_step(absolute(c, r), c.bytes, r + 1 == c.tasks));
}

/// Appends a binomial scatter of the parts, then a ring that gathers them everywhere (van de Geijn).
void bcast_scatter_allgather(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t n = c.tasks, r = relative(c, task);
    const auto parts = [&](std::uint32_t from, std::uint32_t count) {
        std::uint64_t sum = 0;
        for (std::uint32_t i = from; i < std::min(from + count, n); ++i) sum += c.part(i);
        return sum;
    };
    std::uint32_t bit = 1;
    for (; bit < n; bit *= 2)
        if (r & bit) {
            out.push_back(receive_step(absolute(c, r - bit), parts(r, bit)));
            break;
        }
    for (bit /= 2; bit != 0; bit /= 2)
        if (r + bit < n) out.push_back(send_step(absolute(c, r + bit), parts(r + bit, bit)));
    for (std::uint32_t s = 0; s + 1 < n; ++s)
        out.push_back({absolute(c, r + 1), c.part((r + n - s) % n), absolute(c, r + n - 1),
                       c.part((r + 2 * n - s - 1) % n), true});
}

}  // namespace sare::traffic
