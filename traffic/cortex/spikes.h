// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/gap/geometric.h"

namespace sare::traffic {

/// Draws a number by Poisson's law of the given mean.
inline std::uint32_t draw_poisson(rng& random, double mean) {
    std::uint32_t count = 0;
    double at = draw_exponential(random);
    for (; at < mean; at += draw_exponential(random)) ++count;
    return count;
}

/// Draws a number by the binomial law: successes in `all` trials. `gaps`: the law of the gaps between
/// successes for their probability.
inline std::uint32_t draw_binomial(rng& random, std::uint32_t all, const geometric& gaps) {
    std::uint32_t count = 0;
    for (cycle_t at = gaps.next(random); at <= all; at += gaps.next(random)) ++count;
    return count;
}

}  // namespace sare::traffic
