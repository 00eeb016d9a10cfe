// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <vector>

namespace sare::cosim {

/// Input ports by which packets to each node come into each router. The routing function must depend on
/// nothing but router, input port and destination; for others the answers are wrong.
class arrivals {
  public:
    /// Follows one packet from every node to every node.
    arrivals(const topology& map, const routing_function& routing);

    /// True if packets to node `destination` come into router `r` by port `in`.
    bool has(std::uint32_t r, std::uint32_t in, std::uint32_t destination) const {
        return m_has[index(r, in, destination)];
    }

  private:
    std::size_t index(std::uint32_t r, std::uint32_t in, std::uint32_t destination) const {
        return (m_first[r] + in) * m_nodes + destination;
    }
    void follow(const topology& map, const routing_function& routing, std::uint32_t source,
                std::uint32_t destination);

    std::size_t m_nodes;
    std::vector<std::size_t> m_first;  ///< number of each router's port 0 among the ports of all routers
    std::vector<bool> m_has;           ///< values of has(), by index()
};

}  // namespace sare::cosim
