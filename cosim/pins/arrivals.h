// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <vector>

namespace sare::cosim {

/// Which packets come in where, with a routing function that looks at router, input port and destination and
/// at nothing else: what it says of others is nothing.
class arrivals {
  public:
    /// Follows a packet from every node to every node.
    arrivals(const topology& map, const routing_function& routing);

    /// Packets to node `destination` come into router `r` by port `in`.
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
    std::vector<std::size_t> m_first;  ///< by router: its port 0 among all ports
    std::vector<bool> m_has;
};

}  // namespace sare::cosim
