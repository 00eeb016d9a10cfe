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

    /// Drops every packet and every message by cause "reset", which workloads are told of in
    /// network_stepper::step(t). The network is then as after finish(), but for its counters.
    void all(cycle_t t);
    /// Resets one router. Packets that have a flit in it or on its links, or hold an output VC of it, are
    /// lost: all their flits are taken out of the network, with their credits. Throws std::out_of_range.
    void router(std::uint32_t router, cycle_t t);
    /// Resets one NIC. The messages in its source queues are lost, and the packets that it is injecting or
    /// receiving or that have a flit on its links. Throws std::out_of_range.
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
/// Call before packets are taken out of the network before cycle `t`: tells observers of the earlier cycles
/// while the state is as it was, and makes `t` the current cycle.
void begin_removal(network_state& net, cycle_t t);
/// Call afterwards: tells observers of cycles that packets have been taken out.
void end_removal(network_state& net, cycle_t t);
/// @}

}  // namespace sare
