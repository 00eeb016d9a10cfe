// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <string>

namespace sare {

class network_state;

/// Resets a network, or one block of it, before cycle `t` is run.
class network_reset {
  public:
    explicit network_reset(network_state& net) : m_net(net) {}

    /// Drops every packet and every message with cause "reset", which network_stepper::step(t) tells; then
    /// all is as after finish(), but for what is counted.
    void all(cycle_t t);
    /// Resets one router. Lost are the packets that have a flit in it or on its links, or that have an output
    /// VC of it: they are taken out of the whole network, with their credits.
    void router(std::uint32_t router, cycle_t t);
    /// Resets one NIC. Lost are the messages in its source queues, and the packets that it is injecting or
    /// receiving or that have a flit on its links.
    void nic(std::uint32_t node, cycle_t t);
    /// Why that cannot be, on one line; "" if it can.
    std::string obstacle() const;
    std::string obstacle_to_blocks() const;

  private:
    void count_unsent();

    network_state& m_net;
};

/// @name For hazards
/// @{
/// Packets are taken out of the network before cycle `t`, and have been: observers are told of the cycles
/// before as they were.
void begin_removal(network_state& net, cycle_t t);
void end_removal(network_state& net, cycle_t t);
/// @}

}  // namespace sare
