// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <string>

namespace sare {

class network_state;

/// Resets a network, or one block of it, before cycle `t`, the next one to be run.
class network_reset {
  public:
    explicit network_reset(network_state& net) : m_net(net) {}

    /// Drops all packets and messages by cause "reset". The state is then as after network_builder::finish(),
    /// but statistics go on counting. Workloads hear of the losses in the next network_stepper::step(t),
    /// observers only by packets_taken_out(). Call only if obstacle() is "".
    void all(cycle_t t);
    /// Resets one router. Packets that have a flit in it or on its links, or hold an output VC of it, are
    /// lost: all their flits are taken out of the network, and their credits given back. Throws
    /// std::out_of_range for an unknown router. Call only if obstacle_to_blocks() is "".
    void router(std::uint32_t router, cycle_t t);
    /// Resets one NIC. The messages in its source queues are lost, and the packets that it is injecting or
    /// receiving or that have a flit on its links. Throws std::out_of_range for an
    /// unknown node. Call only if obstacle_to_blocks() is "".
    void nic(std::uint32_t node, cycle_t t);
    /// Returns why all() cannot be called, on one line; "" if it can.
    std::string obstacle() const;
    /// Returns why router() and nic() cannot be called, on one line; "" if they can.
    std::string obstacle_to_blocks() const;

  private:
    void count_unsent();

    network_state& m_net;
};

/// @name For hazards: bracket around a removal of packets
/// @{
/// Call before packets are taken out before cycle `t`: tells cycle observers of the cycles before `t` while
/// the state is as it was, and makes `t` the current cycle.
void begin_removal(network_state& net, cycle_t t);
/// Call afterwards: tells cycle observers that packets were taken out before cycle `t`.
void end_removal(network_state& net, cycle_t t);
/// @}

}  // namespace sare
