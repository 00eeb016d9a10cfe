// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>
#include <string>

namespace sare {

class network_state;

/// Resets a network, or one block of it, before cycle `t`, which must be the next cycle to be run (not
/// checked).
class network_reset {
  public:
    explicit network_reset(network_state& net) : m_net(net) {}

    /// Drops all packets and messages by cause "reset". The state is then that of a network that has just
    /// been built (random streams begin anew, too), except that counters go on. Workloads are told of the
    /// losses in the next network_stepper::step(t); observers of packets are not told, observers of cycles by
    /// cycle_observer::packets_taken_out(). Call only if obstacle() is "" (not checked).
    void all(cycle_t t);
    /// Resets one router. Packets that have a flit in it or on its links, or hold an output VC of it, are
    /// lost: all their flits are taken out of the network, and their credits given back. Throws
    /// std::out_of_range for an unknown router. Call only if obstacle_to_blocks() is "" (not checked).
    void router(std::uint32_t router, cycle_t t);
    /// Resets one NIC. The messages in its source queues are lost, and so are the packets that it is
    /// injecting or receiving or that have a flit on its links. Throws std::out_of_range for an unknown node.
    /// Call only if obstacle_to_blocks() is "" (not checked).
    void nic(std::uint32_t node, cycle_t t);
    /// Returns the reason why all() cannot be called, on one line; "" if all() can be called.
    std::string obstacle() const;
    /// Returns the reason why router() and nic() cannot be called, on one line; "" if they can be called.
    std::string obstacle_to_blocks() const;

  private:
    void count_unsent();

    network_state& m_net;
};

/// @name Functions for failures and resets, called before and after packets are taken out
/// @{
/// Tells observers of cycles the cycles before `t` that they have not been told yet, and makes `t` the
/// current cycle. Call before packets are taken out.
void begin_removal(network_state& net, cycle_t t);
/// Tells observers of cycles that packets were taken out before cycle `t`. Call after packets are taken out.
void end_removal(network_state& net, cycle_t t);
/// @}

}  // namespace sare
