// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/run/foreign_endpoint.h"
#include "tlm/router_api/link_ring.h"

#include <cstdint>

namespace sare {

class network_state;

/// A foreign block with its wires.
struct foreign_block_state {
    foreign_endpoint* block;
    std::uint32_t inbox = 0;  ///< first word of its inbox in a plane: flit set, credit set, flit, counts
    port_wires wires;         ///< wires that the block writes
    port_extras extras;
};

/// Sends flits and credits for foreign blocks. `foreign`: number that network_builder::add_foreign()
/// returned; `at`: cycle of sending, the current one or a later one. Throws std::out_of_range for unknown
/// numbers.
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
