// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/packet.h"

#include <cstdint>
#include <vector>

namespace sare {

class archive;
struct run_result;

/// Hops of the packets that were consumed in the measured window; of those that were injected the length of a
/// shortest path, and the flits by pair of nodes, in networks of 1,024 nodes at most.
class hop_counts {
  public:
    explicit hop_counts(const counted_network& net);

    void injected(const packet& p) {
        if (m_distances.empty()) return;
        const std::size_t pair = std::size_t{p.route.source} * m_nodes + p.route.destination;
        ++m_injected[m_distances[pair]];
        m_pair_flits[pair] += p.flits;
    }
    void consumed(const packet& p) { ++m_consumed[p.hops]; }
    void report(run_result& out) const;
    /// Of another process.
    void add(const hop_counts& other);
    void serialize(archive& a);

  private:
    void find_distances(const counted_network& net);

    std::size_t m_nodes = 0;
    std::vector<std::uint16_t> m_distances;   ///< routers on a shortest path, by pair of nodes
    std::vector<std::uint64_t> m_injected;    ///< packets by distance
    std::vector<std::uint64_t> m_pair_flits;  ///< injected, by pair of nodes
    std::vector<std::uint64_t> m_consumed;    ///< packets by hops, as many as packet::hops can count
};

}  // namespace sare
