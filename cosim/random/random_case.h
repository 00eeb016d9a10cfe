// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/place.h"

namespace sare::cosim {

/// A random router, with the network around it: a position in a mesh, torus or ring, or tables with a random
/// output port for each destination node. All parameters of rtl/sare_router.sv are varied.
struct random_case : surroundings {
    router_setting setting;  ///< the router
    router_place at;         ///< its place in a network
    std::string place;       ///< `at` as text for messages, such as "router 5 of 4x4"
};

/// Value of `most_vcs` for small routers, which build in seconds: at most 24 ports times VCs, small products
/// being more probable than large ones.
constexpr std::uint32_t by_cost = 0;

/// Returns the random router of a seed, with its place; the same on every machine. `most_vcs`: largest
/// product of ports and VCs, 2 to 256, by which the time to build the RTL grows; or by_cost. `held`: a map of
/// values that parameters of the router must have, by the names of router_setting::take(); the others stay
/// random. Null: all are random. Throws config::error for an unknown name or a value out of range, and if
/// none of 20000 draws can have all values of `held`.
random_case draw_case(std::uint64_t seed, std::uint32_t most_vcs = 128, const config::value& held = {});
/// Returns the setting of the router that draw_case() returns for the same arguments; throws as it does.
router_setting draw_setting(std::uint64_t seed, std::uint32_t most_vcs = 128, const config::value& held = {});

}  // namespace sare::cosim
