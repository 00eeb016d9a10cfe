// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// A traffic_port that shows some nodes of another one: messages between them may go through processes that
/// have none of them.
class port_of_some {
  public:
    virtual ~port_of_some() = default;
    virtual const traffic_port& port_of_all() const = 0;
};

/// False where other processes run a part of the network, too.
inline bool has_all_nodes(const traffic_port& port) {
    if (const auto* const some = dynamic_cast<const port_of_some*>(&port))
        return has_all_nodes(some->port_of_all());
    std::uint32_t node = 0;
    while (node < port.nodes() && port.is_here(node)) ++node;
    return node == port.nodes();
}

}  // namespace sare
