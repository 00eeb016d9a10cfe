// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/packet_removal.h"

namespace sare {

/// Name of the cause by which statistics count packets and messages that a reset drops.
constexpr const char* reset_cause = "reset";

/// Resets single routers and NICs of a network before a cycle. Numbers are not checked; network_reset checks
/// them and calls this.
class block_reset {
  public:
    /// `t`: the next cycle to be run.
    block_reset(network_state& net, cycle_t t) : m_net(net), m_t(t), m_removal(net) {}
    /// Resets router `r`, and drops the packets that are in it, hold an output VC of it, or have a flit on
    /// its links, all by cause "reset".
    void router(std::uint32_t r);
    /// Resets the NIC of node `n`, and drops the messages in its source queues and the packets in it or with
    /// a flit on its links, all by cause "reset".
    void nic(std::uint32_t n);

  private:
    network_state& m_net;
    const cycle_t m_t;
    packet_removal m_removal;
};

}  // namespace sare
