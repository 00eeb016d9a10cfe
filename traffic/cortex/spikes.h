// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/source/geometric.h"

namespace sare::traffic {

/// A number by Poisson's law.
inline std::uint32_t draw_poisson(rng& random, double mean) {
    constexpr double ln_2 = 0.6931471805599453;
    std::uint32_t count = 0;
    for (double at = -log2_uniform(random) * ln_2; at < mean; at -= log2_uniform(random) * ln_2) ++count;
    return count;
}

/// How many of `all` have something that each has by itself with a probability, in (0, 1].
inline std::uint32_t draw_binomial(rng& random, std::uint32_t all, const geometric& gaps) {
    std::uint32_t count = 0;
    for (cycle_t at = gaps.next(random); at <= all; at += gaps.next(random)) ++count;
    return count;
}

}  // namespace sare::traffic
