// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/injection_port.h"

#include <cstdint>

namespace sare {

class network_state;

/// Access for NICs that are modelled outside (network_builder::take_over_nic()); only their source queues are
/// in the network. All functions throw std::out_of_range for unknown numbers.
class external_nics {
  public:
    explicit external_nics(network_state& net) : m_net(net) {}

    /// Returns the packet of a class that is to leave next, or that has begun to leave; null if none waits.
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class);
    /// Counts a flit of the packet of next_packet() that leaves in cycle `t`: the first flit gives the packet
    /// its slot, the last one removes it from the source queue. Returns the slot in
    /// router_context::packets(). next_packet() must have returned the packet; this is not checked.
    std::uint32_t flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t);
    /// Counts a flit that arrives in cycle `t`, and the packet with its tail. The NIC sends the credit
    /// itself. Throws protocol_error for a flit out of order.
    void flit_arrives(std::uint32_t node, const flit& f, cycle_t t);

  private:
    network_state& m_net;
};

}  // namespace sare
