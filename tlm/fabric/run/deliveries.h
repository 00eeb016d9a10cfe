// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/network_state.h"

namespace sare {

/// Tells workloads and observers what a cycle has brought about, in an order that does not depend on the
/// order in which blocks ran: drops by router, packets and messages by node.
class deliveries {
  public:
    explicit deliveries(network_state& net) : m_net(net) {}
    /// Packets, for observers: only where several parts have run.
    void tell_observers(cycle_t t);
    /// There may be something for deliver().
    bool any() const {
        return !m_net.modes.one_part || !m_net.parts.front().its_nics->arrivals().empty() ||
               !m_net.events.drops.empty() || !m_net.events.lost.empty() || !m_net.listener.come.empty();
    }
    /// There may be something for call_for_room().
    bool any_room() const { return !m_net.modes.one_part || !m_net.parts.front().its_nics->room().empty(); }
    /// Drops, packets, and messages that are complete or lost.
    void deliver(cycle_t t);
    /// Nodes whose source queue has fallen to the level that the workload asked for.
    void call_for_room();

  private:
    void tell_drops(cycle_t t);
    void tell_packets(cycle_t t);
    void gather_arrivals();

    network_state& m_net;
};

}  // namespace sare
