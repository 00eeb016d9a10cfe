// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/place.h"

namespace sare::cosim {

/// A router drawn at random from all variants of rtl/sare_router.sv, with a place: somewhere in a mesh, torus
/// or ring, or behind tables of random ports.
struct random_case : surroundings {
    router_setting setting;
    router_place at;
    std::string place;  ///< router_place::text()
};

/// Value of `most_vcs` for small routers, which compile in seconds: up to 24 ports times VCs, and a size is
/// the more probable the smaller it is.
constexpr std::uint32_t by_cost = 0;

/// Draws a router with its place. The same seed gives the same one on every machine. `most_vcs`: largest
/// number of ports times VCs, up to 256, which determines the build time of a Verilated router; or by_cost.
random_case draw_case(std::uint64_t seed, std::uint32_t most_vcs = 128);
/// Draws the same router without its place.
router_setting draw_setting(std::uint64_t seed, std::uint32_t most_vcs = 128);

}  // namespace sare::cosim
