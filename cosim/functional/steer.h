// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/router_cover.h"

namespace sare::cosim {

/// Returns the one of `count` consecutive seeds, from `first` on, whose random router (draw_case(), see
/// cosim/random/random_case.h) would hit most holes of `points` for its cost. A hole is a possible bin
/// without a hit. The cost is an estimate of the seconds to build and run the router; a hole that the router
/// only might hit counts 0.1. Returns `first` if no router would hit any. `most_vcs`: largest product of
/// ports and VCs, 2 to 256, or by_cost (0): small routers. `held`: map of values that parameters of the
/// router must have; null: all are random. Throws config::error for an unknown name or a value out of range
/// in `held`, and if no router drawn has all these values.
std::uint64_t steered_seed(std::uint64_t first, std::uint32_t count, std::uint32_t most_vcs,
                           const config::value& held, const router_points& points);

}  // namespace sare::cosim
