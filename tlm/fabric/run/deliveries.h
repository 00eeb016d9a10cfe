// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/network_state.h"

namespace sare {

/// Tells workloads and observers the events of a cycle, in an order that does not depend on the order in
/// which blocks ran: drops by router, packets and messages by node, all ascending.
class deliveries {
  public:
    explicit deliveries(network_state& net) : m_net(net) {}
    /// Tells observers the events of cycle `t` that NICs in the parts have kept, in order of nodes (drops: of
    /// source nodes). Only for a network of several parts.
    void tell_observers(cycle_t t);
    /// Tells observers the events of cycle `t` that routers with the source queues of nodes have kept, in
    /// order of routers, each of which may serve its nodes in turn. Only for a network of several parts.
    void tell_observers_of_owners(cycle_t t);
    /// True if deliver() may have events to tell; true in every cycle of a network of several parts.
    bool any() const {
        return !m_net.modes.one_part || !m_net.parts.front().its_nics->arrivals().empty() ||
               !m_net.events.drops.empty() || !m_net.events.lost.empty() || !m_net.listener.come.empty();
    }
    /// True if call_for_room() may have source queues to tell of; true in every cycle of a network of several
    /// parts.
    bool any_room() const { return !m_net.modes.one_part || !m_net.parts.front().its_nics->room().empty(); }
    /// Tells workloads the drops and packets of cycle `t`, then the messages that are complete or lost, and
    /// frees the slots of these messages.
    void deliver(cycle_t t);
    /// Calls workload::queue_space() for each source queue that has fallen to the level given to
    /// call_when_queued(), in ascending order of nodes and classes.
    void call_for_room();

  private:
    void tell_drops(cycle_t t);
    void tell_packets(cycle_t t);
    void gather_arrivals();
    template <class Place>
    void tell_events(cycle_t t, const Place& place);

    network_state& m_net;
};

}  // namespace sare
