// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"

#include <vector>

namespace sare::cosim {

/// Finds out by which input ports packets to each node come into each router, for a routing function that
/// depends on nothing but router, input port and destination. For any other routing function has() may be
/// wrong.
class arrivals {
  public:
    /// Follows one packet from every node to every node of `map`. Both arguments are used only in the
    /// constructor.
    arrivals(const topology& map, const routing_function& routing);

    /// Returns true if a packet to node `destination` can come into router `r` by its input port `in`; true
    /// also for the port of a node that sends to itself. Numbers are those of `map`, from 0 (not checked).
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
    std::vector<std::size_t> m_first;  ///< index of each router's port 0 among the ports of all routers
    std::vector<bool> m_has;           ///< results of has(), by index(router, input port, destination)
};

}  // namespace sare::cosim
