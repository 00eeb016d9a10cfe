// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/packet.h"

#include <cstdint>
#include <vector>

namespace sare {

class archive;
struct run_result;

/// Counters of hops (routers visited) of packets consumed in the measured window. In networks of up to 1,024
/// nodes that have a topology it also counts packets injected, by routers on a shortest path, and flits
/// injected, by pair of nodes. Its user calls injected() and consumed() in the measured window only.
class hop_counts {
  public:
    /// Makes counters at 0; finds the shortest paths in `net` if it has a topology and up to 1,024 nodes.
    explicit hop_counts(const counted_network& net);

    /// Counts a packet that is injected; does nothing above 1,024 nodes or without a topology.
    void injected(const packet& p) {
        if (m_distances.empty()) return;
        const std::size_t pair = std::size_t{p.route.source} * m_nodes + p.route.destination;
        ++m_injected[m_distances[pair]];
        m_pair_flits[pair] += p.flits;
    }
    /// Counts a packet that is consumed, by packet::hops.
    void consumed(const packet& p) { ++m_consumed[p.hops]; }
    /// Sets hops_mean and hops_max (NaN without packets) and pair_flits (empty where injected() does nothing)
    /// of `out`. Appends a row to its `distances` for each number of routers with packets: those injected at
    /// that distance, and those consumed. Call once for each `out`.
    void report(run_result& out) const;
    /// Adds the counters of another process, for the same network.
    void add(const hop_counts& other);
    void serialize(archive& a);  ///< writes the counters to `a`, or reads them from it

  private:
    void find_distances(const counted_network& net);  ///< fills m_distances

    std::size_t m_nodes = 0;  ///< number of nodes; 0 above 1,024 nodes or without a topology
    /// Routers on a shortest path, [source * nodes + destination]; empty above 1,024 nodes or without a
    /// topology.
    std::vector<std::uint16_t> m_distances;
    std::vector<std::uint64_t> m_injected;    ///< packets injected, by distance
    std::vector<std::uint64_t> m_pair_flits;  ///< flits injected, [source * nodes + destination]
    std::vector<std::uint64_t> m_consumed;    ///< packets consumed, by number of routers visited; 2^16 bins
};

}  // namespace sare
