// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/place.h"

namespace sare::cosim {

/// A router drawn at random from all that rtl/sare_router.sv can be, with a place to stand: somewhere in a
/// mesh, torus or ring, or behind tables of random ports.
struct random_case : surroundings {
    router_setting setting;
    router_place at;
    std::string place;  ///< for people
};

/// Instead of the most ports times VCs: up to 24 of them, each size as likely as it is cheap, so that what is
/// drawn compiles in seconds.
constexpr std::uint32_t by_cost = 0;

/// The same for the same seed on every machine. `most_vcs` bounds ports times VCs, which is what a Verilated
/// router's build time grows with: 256 is all there is.
random_case draw_case(std::uint64_t seed, std::uint32_t most_vcs = 128);
/// The same router without its place.
router_setting draw_setting(std::uint64_t seed, std::uint32_t most_vcs = 128);

}  // namespace sare::cosim
