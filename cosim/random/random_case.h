// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/place.h"

namespace sare::cosim {

/// A router drawn at random from all variants of rtl/sare_router.sv, and the network around it: a position in
/// a mesh, torus or ring, or tables that give each destination node a random output port.
struct random_case : surroundings {
    router_setting setting;
    router_place at;
    std::string place;  ///< `at` in words, for messages: "router 5 of 4x4"
};

/// Value of `most_vcs` for small routers, which compile in seconds: up to 24 ports times VCs, and a size is
/// the more probable the smaller it is.
constexpr std::uint32_t by_cost = 0;

/// Draws a router with its place. The same seed gives the same one on every machine. `most_vcs`: largest
/// number of ports times VCs, 2 to 256, which determines the build time of a Verilated router; or by_cost.
/// `held`: a map of parameters of the router that have these values in each draw, by the names that
/// router_setting::take() knows. Throws config::error for an unknown name or value, and if no router has all
/// of them.
random_case draw_case(std::uint64_t seed, std::uint32_t most_vcs = 128, const config::value& held = {});
/// Draws the same router without its place.
router_setting draw_setting(std::uint64_t seed, std::uint32_t most_vcs = 128, const config::value& held = {});

}  // namespace sare::cosim
