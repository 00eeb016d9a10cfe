// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/injection_port.h"

#include <cstdint>

namespace sare {

class network_state;

/// Serves NICs that are modelled outside of the network (network_builder::take_over_nic()), of which only the
/// source queues are inside. All functions throw std::out_of_range for unknown nodes, classes and packets.
class external_nics {
  public:
    explicit external_nics(network_state& net) : m_net(net) {}

    /// Returns the packet of a message class that is to leave the source queue next, or that has begun to
    /// leave; null if none waits. The pointer is valid until the packet's last flit leaves.
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class);
    /// Counts a flit, of the packet that next_packet() returned, that leaves in cycle `t`. The first flit
    /// gives the packet its slot, the last one removes it from the source queue. Returns the slot in
    /// router_context::packets(). There must be such a packet; this is not checked.
    std::uint32_t flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t);
    /// Counts a flit that arrives at `node` in cycle `t`; a tail flit ends its packet. The NIC outside must
    /// send the credit itself. Throws protocol_error for a flit out of order.
    void flit_arrives(std::uint32_t node, const flit& f, cycle_t t);

  private:
    network_state& m_net;
};

}  // namespace sare
