// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// Interface of a traffic_port that shows only some nodes of another port, which port_of_all() returns.
/// Messages between the nodes shown may cross processes that run none of them.
class subset_port {
  public:
    virtual ~subset_port() = default;
    /// Returns the port whose nodes are shown in part; it may be a subset_port itself.
    virtual const traffic_port& port_of_all() const = 0;
};

/// True if this process runs all nodes of the network behind `port`, those that `port` does not show
/// included.
inline bool has_all_nodes(const traffic_port& port) {
    if (const auto* const some = dynamic_cast<const subset_port*>(&port))
        return has_all_nodes(some->port_of_all());
    std::uint32_t node = 0;
    while (node < port.nodes() && port.is_here(node)) ++node;
    return node == port.nodes();
}

}  // namespace sare
