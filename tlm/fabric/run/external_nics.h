// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/injection_port.h"

#include <cstdint>

namespace sare {

class network_state;

/// NICs that are modelled elsewhere (network_builder::take_over_nic()): only their source queues are in the
/// network. Unknown numbers are std::out_of_range.
class external_nics {
  public:
    explicit external_nics(network_state& net) : m_net(net) {}

    /// The packet of a class that is next, or has begun to leave; null if none waits.
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class);
    /// A flit of that packet leaves in cycle `t`. Returns its number in router_context::packets(), which the
    /// packet gets with its first flit.
    std::uint32_t flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t);
    /// A flit has arrived; the NIC returns its credit itself.
    void flit_arrives(std::uint32_t node, const flit& f, cycle_t t);

  private:
    network_state& m_net;
};

}  // namespace sare
