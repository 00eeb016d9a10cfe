// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/allocator.h"

#include <vector>

namespace {
using namespace sare;

/// Serves row by row, from the next row on in every cycle: each takes what earlier rows have left.
struct greedy_policy {
    static void run(allocation& a) {
        std::vector<bool> taken(a.columns());
        for (std::uint32_t n = 0; n < a.rows(); ++n) {
            const auto row = static_cast<std::uint32_t>((a.cycle() + n) % a.rows());
            std::uint32_t open = 0;
            for (vc_mask rest = a.choices(row); rest != 0; rest &= rest - 1)
                if (!taken[a.column(row, static_cast<std::uint32_t>(lowest(rest)))])
                    open |= rest & (0U - rest);
            if (open == 0) continue;
            const std::uint32_t choice = a.pick(row, open);
            taken[a.column(row, choice)] = true;
            a.grant(row, choice);
        }
    }
};

const allocator_registration<greedy_policy> registered("greedy", "Row by row, what is left.");

}  // namespace
