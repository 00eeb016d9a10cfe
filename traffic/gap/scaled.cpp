// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/scaled.h"

#include <algorithm>
#include <cmath>

namespace sare::traffic {

std::uint64_t scaled_law::draw_whole(rng& random, std::uint64_t most) const {
    const double x = std::min(draw(random), static_cast<double>(most)), whole = std::floor(x);
    const bool up = x > whole && random.bernoulli(x - whole);
    return static_cast<std::uint64_t>(whole) + (up ? 1 : 0);
}

}  // namespace sare::traffic
