// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Which part of a network each router and node belongs to, by number from 0.
struct partition_map {
    std::vector<std::uint16_t> of_router, of_node;
};

/// How many threads run a network, and when.
struct thread_policy {
    std::uint32_t threads = 1;
    std::uint32_t least_routers = 1;  ///< of each
    /// In the network for each of them, in a cycle that they share.
    std::uint32_t least_packets = 0;
    std::uint32_t processors = ~0U;  ///< of the machine
    /// Each but the first must add so much of the speed of one, or one runs the cycles: see thread_trial. 0:
    /// they all run, whatever it brings.
    double least_share = 0;
};

/// Cuts a network into `parts` (>= 1) of about as many ports each, for few crossing links: cut.h has the
/// ways. Routers with coordinates are cut into slabs or blocks; others as they follow each other in the order
/// of their nodes, or by METIS. No part is empty if there are as many routers. A node belongs to the part of
/// its router; parts need not be stretches of numbers. `ports`: by router. `map`: says which coordinates
/// routers have; null: none.
partition_map cut_network(const std::vector<connection>& links, const std::vector<std::uint32_t>& ports,
                          std::uint32_t nodes, std::uint32_t parts, const topology* map = nullptr);

/// The part `own` of `all`, cut again into `parts`, as cut_network() cuts a network; routers and nodes of
/// other parts count for nothing, and are in part 0 of what this gives.
partition_map cut_again(const partition_map& all, std::uint32_t own, const std::vector<connection>& links,
                        const std::vector<std::uint32_t>& ports, std::uint32_t parts,
                        const topology* map = nullptr);

/// The same of a map: for processes, which must know before anything is built.
partition_map cut_map(const topology& map, std::uint32_t parts);

/// A digest, by which processes and checkpoints see that their parts are the same.
std::uint64_t digest(const partition_map& all);

}  // namespace sare
