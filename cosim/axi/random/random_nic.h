// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/random/random_run.h"

namespace sare::axi {

/// Parameters of a test of the NIC of an AXI node, rtl/sare_nic_inject.sv and rtl/sare_nic_receive.sv,
/// between a node that may refuse flits and a router. The router routes by a table, or is one of a
/// two-dimensional grid. Ranges are in fields().
struct nic_setting {
    std::uint32_t vcs = 2;           ///< number of VCs of the link
    std::uint32_t classes = 1;       ///< number of message classes, each of which has the same number of VCs
    std::uint32_t flit_width = 64;   ///< bits of data of a flit
    std::uint32_t nodes = 4;         ///< number of entries of the routing table, one for each node
    std::uint32_t depth = 4;         ///< flits of a VC that the router's input buffer holds, 2 to 64
    std::uint32_t places = 4;        ///< flits of a VC that the NIC's receive buffer holds, 2 to 64
    std::uint32_t delay = 1;         ///< cycles that a flit takes in the NIC before it is on the link
    std::uint32_t credit_delay = 1;  ///< cycles from a credit's arrival until it counts
    /// True: a packet is sent only if the router's buffer has room for all its flits.
    bool cut_through = false;
    bool atomic = false;       ///< true: a packet is sent only to an empty buffer of the router
    bool lookahead = false;    ///< true: heads carry their route at the router
    std::uint32_t side = 0;    ///< number of routers along each of the two dimensions of the grid; 0: routing
                               ///< by table
    std::uint32_t router = 0;  ///< number of the router in the grid
    bool rings = false;        ///< true: the grid is a torus
    bool shared = false;       ///< true: the VCs share the router's buffer
    std::uint32_t reserved = 1;  ///< shared: places of that buffer that each VC has for itself

    /// Returns the schema of the parameters.
    static config::schema<nic_setting> fields();
};

/// Returns random parameters that the RTL supports. The same seed gives the same parameters on every machine.
nic_setting draw_nic(std::uint64_t seed);

/// Tests a NIC: runs its model and its RTL in lock step, while the node and the router around it offer and
/// take flits at random, by what.seed. Ends after what.cycles cycles; with a difference already at it, or at
/// cycle what.waves.last if that is later. Returns the difference, if any, and the counts of the run.
random_outcome run(const random_run& what, const nic_setting& nic);

}  // namespace sare::axi
