// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

class topology;

/// Interface of a traffic_port that shows the topology between its nodes.
class mapped_port {
  public:
    virtual ~mapped_port() = default;
    /// Topology of the network; null: it has none.
    virtual const topology* map() const = 0;
};

}  // namespace sare
