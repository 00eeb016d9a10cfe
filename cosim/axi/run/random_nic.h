// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/run/random_run.h"

namespace sare::axi {

/// A NIC of a node that may say no, sare_nic_inject and sare_nic_receive, at a router with routes in a table,
/// or in a grid of two dimensions.
struct nic_setting {
    std::uint32_t vcs = 2, classes = 1, flit_width = 64, nodes = 4;
    std::uint32_t depth = 4;   ///< of the router's buffers
    std::uint32_t places = 4;  ///< of the NIC's own, by VC
    std::uint32_t delay = 1, credit_delay = 1;
    bool cut_through = false, atomic = false, lookahead = false;
    std::uint32_t side = 0;    ///< routers along each dimension of the grid; 0: a table
    std::uint32_t router = 0;  ///< its number in the grid
    bool rings = false;        ///< the grid is a torus

    static config::schema<nic_setting> fields();
};

/// The same for the same seed on every machine.
nic_setting draw_nic(std::uint64_t seed);

/// Model and RTL in lock step between a random node and a random router. Ends with the first difference.
random_outcome run(const random_run& what, const nic_setting& nic);

}  // namespace sare::axi
