// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/gap/geometric.h"

namespace sare::traffic {

/// Returns a random number by Poisson's law with the mean `mean`; 0 if `mean` is 0. Takes time in proportion
/// to the mean.
inline std::uint32_t draw_poisson(rng& random, double mean) {
    std::uint32_t count = 0;
    double at = draw_exponential(random);
    for (; at < mean; at += draw_exponential(random)) ++count;
    return count;
}

/// Returns a random number by the binomial law: successes in `all` trials. `gaps`: the geometric law of the
/// number of trials from one success to the next, made with the probability of success.
inline std::uint32_t draw_binomial(rng& random, std::uint32_t all, const geometric& gaps) {
    std::uint32_t count = 0;
    for (cycle_t at = gaps.next(random); at <= all; at += gaps.next(random)) ++count;
    return count;
}

}  // namespace sare::traffic
