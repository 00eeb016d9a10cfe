// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/packet_removal.h"

namespace sare {

/// Cause by which statistics count packets and messages that a reset drops.
constexpr const char* reset_cause = "reset";

/// Resets single blocks of a network before a cycle.
class block_reset {
  public:
    /// `t`: the next cycle to be run.
    block_reset(network_state& net, cycle_t t) : m_net(net), m_t(t), m_removal(net) {}
    /// Resets a router, and drops the packets that are in it, hold an output VC of it, or are on its links.
    void router(std::uint32_t r);
    /// Resets the NIC of a node, and drops its messages and the packets in it or on its links.
    void nic(std::uint32_t n);

  private:
    network_state& m_net;
    const cycle_t m_t;
    packet_removal m_removal;
};

}  // namespace sare
