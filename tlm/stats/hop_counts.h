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
/// nodes with a topology also: packets injected, by routers on a shortest path; and flits injected, by pair
/// of nodes.
class hop_counts {
  public:
    explicit hop_counts(const counted_network& net);

    /// Counts a packet that is injected; does nothing in larger networks.
    void injected(const packet& p) {
        if (m_distances.empty()) return;
        const std::size_t pair = std::size_t{p.route.source} * m_nodes + p.route.destination;
        ++m_injected[m_distances[pair]];
        m_pair_flits[pair] += p.flits;
    }
    /// Counts a packet that is consumed.
    void consumed(const packet& p) { ++m_consumed[p.hops]; }
    /// Sets hops_mean and hops_max (NaN without packets), distances and pair_flits (empty in larger networks)
    /// of `out`.
    void report(run_result& out) const;
    /// Adds the counters of another process.
    void add(const hop_counts& other);
    void serialize(archive& a);

  private:
    void find_distances(const counted_network& net);

    std::size_t m_nodes = 0;
    /// Routers on a shortest path, [source * nodes + destination]; empty in larger networks.
    std::vector<std::uint16_t> m_distances;
    std::vector<std::uint64_t> m_injected;    ///< packets injected, by distance
    std::vector<std::uint64_t> m_pair_flits;  ///< flits injected, [source * nodes + destination]
    std::vector<std::uint64_t> m_consumed;    ///< packets consumed, by number of routers visited; 2^16 bins
};

}  // namespace sare
