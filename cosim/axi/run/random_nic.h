// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/run/random_run.h"

namespace sare::axi {

/// NICs (sare_nic_inject and sare_nic_receive) of a node that may refuse flits, at a router with a table of
/// routes, or in a grid of two dimensions.
struct nic_setting {
    std::uint32_t vcs = 2, classes = 1, flit_width = 64, nodes = 4;
    std::uint32_t depth = 4;   ///< depth of the router's buffers
    std::uint32_t places = 4;  ///< places of a VC in the NIC
    std::uint32_t delay = 1, credit_delay = 1;
    bool cut_through = false, atomic = false, lookahead = false;
    std::uint32_t side = 0;      ///< routers along each dimension of the grid; 0: a table
    std::uint32_t router = 0;    ///< number of the router in the grid
    bool rings = false;          ///< true: the grid is a torus
    bool shared = false;         ///< true: the VCs share the router's buffer
    std::uint32_t reserved = 1;  ///< places of it that each VC has for itself

    static config::schema<nic_setting> fields();
};

/// Draws parameters: the same for the same seed on every machine.
nic_setting draw_nic(std::uint64_t seed);

/// Runs model and RTL in lock step between a random node and a random router. Ends with the first difference.
random_outcome run(const random_run& what, const nic_setting& nic);

}  // namespace sare::axi
