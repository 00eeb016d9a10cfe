// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/run/foreign_endpoint.h"
#include "tlm/router_api/link_ring.h"

#include <cstdint>

namespace sare {

class network_state;

/// A block that is not the model's own (RTL or a user's module: see foreign_endpoint), with its inbox and the
/// wires that it writes.
struct foreign_block_state {
    foreign_endpoint* block;
    /// Word of a plane (see link_ring) where the inbox begins. Its 64-bit words: 0, nonzero if a flit has
    /// arrived; 1, a bit for each VC with credits; 2, the flit; from 3 on, only if credits are batched,
    /// 16-bit counts of credits by VC.
    std::uint32_t inbox = 0;
    port_wires wires;  ///< wires that the block writes
    port_extras extras;
};

/// Sends flits and credits for foreign blocks. `foreign`: number that network_builder::add_foreign()
/// returned; `at`: cycle of sending, not before the current one. `at` (a batched credit: the cycle of its
/// batch) plus the wire's delay must be within link_ring::reach() cycles, 16 or more, of the current cycle;
/// this is not checked. Throws std::out_of_range for an unknown block, VC or packet.
class foreign_port {
  public:
    explicit foreign_port(network_state& net) : m_net(net) {}
    /// Sends a flit on VC `f.vc` of the link that the block writes.
    void write_flit(std::uint32_t foreign, const flit& f, cycle_t at);
    /// Sends a credit for VC `vc` of the link that the block reads.
    void write_credit(std::uint32_t foreign, std::uint32_t vc, cycle_t at);

  private:
    network_state& m_net;
};

}  // namespace sare
