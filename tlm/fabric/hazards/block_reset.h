// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/hazards/packet_removal.h"

namespace sare {

/// What packets are counted by that a reset drops.
constexpr const char* reset_cause = "reset";

/// The reset of one block of a network before a cycle.
class block_reset {
  public:
    block_reset(network_state& net, cycle_t t) : m_net(net), m_t(t), m_removal(net) {}
    void router(std::uint32_t r);
    void nic(std::uint32_t n);

  private:
    network_state& m_net;
    const cycle_t m_t;
    packet_removal m_removal;
};

}  // namespace sare
