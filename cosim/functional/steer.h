// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/router_cover.h"

namespace sare::cosim {

/// Returns the seed, among `count` seeds of random routers from `first` on, whose router hits most holes of
/// `points` for its cost, an estimate of the seconds to build and run it; a hole that it only could hit
/// counts 0.1. Returns `first` if no router hits any. `most_vcs`, `held`: see draw_case().
std::uint64_t steered_seed(std::uint64_t first, std::uint32_t count, std::uint32_t most_vcs,
                           const config::value& held, const router_points& points);

}  // namespace sare::cosim
