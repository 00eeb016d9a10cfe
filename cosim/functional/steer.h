// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/router_cover.h"

namespace sare::cosim {

/// Of `count` seeds of random routers, from `first` on, the one whose router can hit most holes for what it
/// costs to build and run. The first, if there are none.
std::uint64_t steered_seed(std::uint64_t first, std::uint32_t count, std::uint32_t most_vcs,
                           const router_points& points);

}  // namespace sare::cosim
