// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/router_cover.h"

namespace sare::cosim {

/// Returns the seed, among `count` seeds of random routers from `first` on, whose router can hit most holes
/// for the cost of building and running it; `first` if there are no holes.
std::uint64_t steered_seed(std::uint64_t first, std::uint32_t count, std::uint32_t most_vcs,
                           const router_points& points);

}  // namespace sare::cosim
