// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/rng.h"

#include <vector>

/// Messages for scripted_traffic, drawn.
namespace sare::test {

/// In each of `cycles` cycles a node makes a message with probability `load`, to any node, of 1 to `longest`
/// flits and any class.
inline std::vector<sare::message> random_script(rng& random, std::uint32_t nodes, std::uint32_t longest,
                                                cycle_t cycles, double load, std::uint32_t classes = 1) {
    std::vector<sare::message> all;
    for (cycle_t t = 0; t < cycles; ++t)
        for (std::uint32_t n = 0; n < nodes; ++n) {
            if (!random.bernoulli(load)) continue;
            sare::message m;
            m.source = n;
            m.destination = random.below(nodes);
            m.flits = 1 + random.below(longest);
            m.message_class = classes == 1 ? 0 : random.below(classes);
            m.generated = t;
            all.push_back(m);
        }
    return all;
}

}  // namespace sare::test
