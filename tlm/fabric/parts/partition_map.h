// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Part of a network, from 0, that each router and each node belongs to.
struct partition_map {
    std::vector<std::uint16_t> of_router, of_node;  ///< indexed by router; by node
};

/// Rules for how many threads run a network, and in which cycles.
struct thread_policy {
    std::uint32_t threads = 1;        ///< threads wanted
    std::uint32_t least_routers = 1;  ///< routers that each thread must have, at least
    /// Packets in the network per thread, at least, for a cycle to be shared; else one thread runs all parts.
    std::uint32_t least_packets = 0;
    std::uint32_t processors = ~0U;  ///< processors for the threads: no more threads than that
    /// Share of one thread's speed that each further thread must add; else one thread runs all parts, see
    /// thread_trial. 0: all threads run, whatever they add.
    double least_share = 0;
};

/// Cuts a network into `parts` (>= 1) with about as many ports each and few crossing links, by the ways of
/// cut.h: grids into slabs or blocks, other networks by the order of their nodes or by METIS. No part is
/// empty if there are at least `parts` routers. A node belongs to the part of its router. `ports`: number of
/// ports, by router. `map`: tells the coordinates of routers; null: they have none.
partition_map cut_network(const std::vector<connection>& links, const std::vector<std::uint32_t>& ports,
                          std::uint32_t nodes, std::uint32_t parts, const topology* map = nullptr);

/// Cuts part `own` of `all` again into `parts`, as cut_network() cuts a network. Routers and nodes of other
/// parts are not counted; the result has them in part 0.
partition_map cut_again(const partition_map& all, std::uint32_t own, const std::vector<connection>& links,
                        const std::vector<std::uint32_t>& ports, std::uint32_t parts,
                        const topology* map = nullptr);

/// Cuts a map into `parts`, as cut_network() cuts a network, before anything is built: for several processes.
partition_map cut_map(const topology& map, std::uint32_t parts);

/// Digest of a map of parts, by which processes and checkpoints see that their parts are the same.
std::uint64_t digest(const partition_map& all);

}  // namespace sare
