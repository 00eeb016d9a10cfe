// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

namespace sare::traffic {

void scan_linear(const collective& c, std::uint32_t task, steps& out) {
    if (task > 0) out.push_back(receive_step(task - 1, c.bytes));
    if (task + 1 < c.tasks) out.push_back(send_step(task + 1, c.bytes));
}

}  // namespace sare::traffic
