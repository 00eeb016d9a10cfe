// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/place.h"

namespace sare::cosim {

/// A router drawn at random from all variants of rtl/sare_router.sv, with a place: somewhere in a mesh, torus
/// or ring, or behind tables of random ports.
struct random_case : surroundings {
    router_setting setting;
    router_place at;
    std::string place;  ///< for people
};

/// Value of `most_vcs`: up to 24 ports times VCs, each size as likely as it is cheap, so that the router
/// compiles in seconds.
constexpr std::uint32_t by_cost = 0;

/// Draws a router: the same for the same seed on every machine. `most_vcs` bounds ports times VCs, which
/// determine the build time of a Verilated router; 256 is the largest.
random_case draw_case(std::uint64_t seed, std::uint32_t most_vcs = 128);
/// Draws the same router without its place.
router_setting draw_setting(std::uint64_t seed, std::uint32_t most_vcs = 128);

}  // namespace sare::cosim
