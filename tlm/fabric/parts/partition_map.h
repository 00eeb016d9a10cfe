// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <cstdint>
#include <vector>

namespace sare {

/// The part of a network, a number from 0, that each router and each node belongs to.
struct partition_map {
    std::vector<std::uint16_t> of_router, of_node;  ///< part of each router; part of each node
};

/// Rules for how many threads run a network, and in which cycles they do.
struct thread_policy {
    std::uint32_t threads = 1;  ///< number of threads wanted
    /// Least number of routers for each thread; fewer threads run otherwise.
    std::uint32_t least_routers = 1;
    /// Least number of packets in the network, for each thread, with which several threads share a cycle;
    /// with fewer packets one thread runs all parts.
    std::uint32_t least_packets = 0;
    std::uint32_t processors = ~0U;  ///< number of processors of the machine, the most threads that are made
    /// Speed that each further thread must add, as a share of the speed of one thread; if it adds less, one
    /// thread runs all parts (see thread_trial). 0: all threads run, whatever they add.
    double least_share = 0;
};

/// Cuts a network into `parts` parts, 1 or more, with about as many ports each and few crossing links: grids
/// into slabs or blocks, other networks by METIS or by the order of their nodes (see cut.h). No part is empty
/// if there are at least `parts` routers. A node belongs to the part of its router. `ports`: number of ports
/// of each router. `map`: has the coordinates of routers; null: no coordinates are known.
partition_map cut_network(const std::vector<connection>& links, const std::vector<std::uint32_t>& ports,
                          std::uint32_t nodes, std::uint32_t parts, const topology* map = nullptr);

/// Cuts part `own` of `all` again into `parts`, as cut_network() cuts a network. Routers and nodes of other
/// parts do not count for this; in the result they belong to part 0.
partition_map cut_again(const partition_map& all, std::uint32_t own, const std::vector<connection>& links,
                        const std::vector<std::uint32_t>& ports, std::uint32_t parts,
                        const topology* map = nullptr);

/// Cuts a map (topology) into `parts`, as cut_network() cuts a network: for several processes, before
/// anything is built.
partition_map cut_map(const topology& map, std::uint32_t parts);

/// Returns a number of 64 bits that is the same for equal maps: by it processes and checkpoints find that
/// their parts differ.
std::uint64_t digest(const partition_map& all);

}  // namespace sare
