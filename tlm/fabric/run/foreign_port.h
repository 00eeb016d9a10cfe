// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/run/foreign_endpoint.h"
#include "tlm/router_api/link_ring.h"

#include <cstdint>
#include <optional>

namespace sare {

class network_state;

/// A block that is not Sare's own (see foreign_endpoint), with its inbox and the wires that it writes.
struct foreign_block_state {
    foreign_endpoint* block;  ///< the block
    /// Index of the first word of its inbox in a plane (see link_ring). The inbox has 64-bit words: word 0 is
    /// not 0 if a flit has arrived; word 1 has a bit for each VC with credits; word 2 is the flit; from word
    /// 3 on, only if credits come in batches, are 16-bit numbers of credits by VC.
    std::uint32_t inbox = 0;
    port_wires wires;    ///< wires that the block writes
    port_extras extras;  ///< depth, delays and counts that belong to the wires
};

/// Sends flits and credits for foreign blocks. `foreign`: number that network_builder::add_foreign()
/// returned; `at`: cycle of sending, the current one or later. `at` (for a batched credit: the cycle of its
/// batch) plus the delay of the wire must be less than link_ring::reach() cycles, 16 or more, after the
/// current cycle; this is not checked. Throws std::out_of_range for an unknown block, VC or packet.
class foreign_port {
  public:
    explicit foreign_port(network_state& net) : m_net(net) {}
    /// Sends a flit on VC `f.vc` of the link that the block writes.
    void write_flit(std::uint32_t foreign, const flit& f, cycle_t at);
    /// Sends a credit for VC `vc` of the link that the block reads.
    void write_credit(std::uint32_t foreign, std::uint32_t vc, cycle_t at);
    /// Makes a packet of `flits` flits (1 to 65,535, not checked) that comes from outside of the network, and
    /// returns its slot in router_context::packets(). Its message has no number, and nobody is told of it.
    std::uint32_t make_packet(const route_header& route, std::uint32_t flits);

  private:
    network_state& m_net;
    std::optional<std::uint32_t> m_message;  ///< message of all packets of make_packet()
};

}  // namespace sare
