// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

class network_state;

/// Tells workloads and observers what a cycle has brought about, in an order that does not depend on the
/// order in which blocks ran: drops by router, packets and messages by node.
class deliveries {
  public:
    explicit deliveries(network_state& net) : m_net(net) {}
    /// Packets, for observers, where several parts have run.
    void tell_observers(cycle_t t);
    /// Drops, packets, and messages that are complete or lost.
    void deliver(cycle_t t);
    /// Nodes whose source queue has fallen to the level that the workload asked for.
    void call_for_room();

  private:
    bool any() const;
    void tell_drops(cycle_t t);
    void tell_packets(cycle_t t);
    void gather_arrivals();

    network_state& m_net;
};

}  // namespace sare
