// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/place.h"

namespace sare::cosim {

/// A random router, with the network around it: a position in a mesh, torus or ring, or tables with a random
/// output port for each destination node. All parameters of rtl/sare_router.sv are varied.
struct random_case : surroundings {
    router_setting setting;
    router_place at;
    std::string place;  ///< `at` as text for messages, such as "router 5 of 4x4"
};

/// Value of `most_vcs` for small routers, which build in seconds: at most 24 ports times VCs, small products
/// being more probable than large ones.
constexpr std::uint32_t by_cost = 0;

/// Returns the random router of a seed, with its place; the same on every machine. `most_vcs`: largest
/// product of ports and VCs, 2 to 256, by which the time to build the RTL grows; or by_cost.
random_case draw_case(std::uint64_t seed, std::uint32_t most_vcs = 128);
/// Returns the setting of the router that draw_case() returns for the same arguments.
router_setting draw_setting(std::uint64_t seed, std::uint32_t most_vcs = 128);

}  // namespace sare::cosim
