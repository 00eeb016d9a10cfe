// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/random/random_run.h"

namespace sare::axi {

/// Parameters of a test of one NIC, sare_nic_inject and sare_nic_receive, between a node that may refuse
/// flits and a router. The router routes by a table, or is one of a two-dimensional grid. fields() gives the
/// ranges.
struct nic_setting {
    std::uint32_t vcs = 2;           ///< number of VCs of the link
    std::uint32_t classes = 1;       ///< number of message classes, which share the VCs evenly
    std::uint32_t flit_width = 64;   ///< bits of a flit's data
    std::uint32_t nodes = 4;         ///< number of entries of the routing table
    std::uint32_t depth = 4;         ///< number of flits in the router's input buffer of a VC, 2 to 64
    std::uint32_t places = 4;        ///< number of flits in the NIC's receive buffer of a VC, 2 to 64
    std::uint32_t delay = 1;         ///< cycles of a flit in the NIC before the link
    std::uint32_t credit_delay = 1;  ///< cycles that a credit takes after it has come in
    bool cut_through = false;        ///< true: a packet goes only where it has room as a whole
    bool atomic = false;             ///< true: a packet goes only to an empty buffer
    bool lookahead = false;          ///< true: heads bring their route
    std::uint32_t side = 0;          ///< routers along each dimension of the grid; 0: a table
    std::uint32_t router = 0;        ///< number of the router in the grid
    bool rings = false;              ///< true: the grid is a torus
    bool shared = false;             ///< true: the VCs share the router's buffer
    std::uint32_t reserved = 1;      ///< flits of that buffer's places that each VC has for itself

    static config::schema<nic_setting> fields();
};

/// Draws parameters. The same seed gives the same ones on every machine.
nic_setting draw_nic(std::uint64_t seed);

/// Tests a NIC: runs its model and its RTL in lock step, while the node and the router around it offer and
/// take flits at random, by what.seed. Ends after what.cycles cycles or at the first difference; if that
/// comes before cycle what.waves.last, goes on to that cycle. Returns what was found.
random_outcome run(const random_run& what, const nic_setting& nic);

}  // namespace sare::axi
