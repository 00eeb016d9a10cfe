// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/router_cover.h"

namespace sare::cosim {

/// Returns the one of `count` consecutive seeds, from `first` on, whose random router (draw_case()) would hit
/// most holes of `points` for its cost. The cost is an estimate of the seconds to build and run it; a hole
/// that the router only might hit counts 0.1. Returns `first` if no router would hit any. `most_vcs`, `held`:
/// as for draw_case(), and throws as it does.
std::uint64_t steered_seed(std::uint64_t first, std::uint32_t count, std::uint32_t most_vcs,
                           const config::value& held, const router_points& points);

}  // namespace sare::cosim
