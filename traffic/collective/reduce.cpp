// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

namespace sare::traffic {

void reduce_binomial(const collective& c, std::uint32_t task, steps& out) {
    const std::uint32_t r = relative(c, task);
    for (std::uint32_t bit = 1; bit < c.tasks; bit *= 2) {
        if (r & bit) {
            out.push_back(send_step(absolute(c, r - bit), c.bytes));
            return;
        }
        if (r + bit < c.tasks) out.push_back(receive_step(absolute(c, r + bit), c.bytes));
    }
}

void reduce_linear(const collective& c, std::uint32_t task, steps& out) {
    if (task != c.root)
        out.push_back(send_step(c.root, c.bytes));
    else
        for (std::uint32_t r = 1; r < c.tasks; ++r)
            out.push_back(receive_step(absolute(c, r), c.bytes, r + 1 == c.tasks));
}

}  // namespace sare::traffic
