// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>
#include <vector>

namespace sare {

/// The packet of a class that is next in a source queue whose NIC is modelled elsewhere.
struct waiting_packet {
    route_header route;
    std::uint32_t flits = 0;  ///< 0: not prepared yet
};

/// What nodes have of a network. The source queues are for routers that own the injection queues of their
/// nodes (router_terms::owns_nodes): there is no link between such a node and its router.
class injection_port {
  public:
    virtual ~injection_port() = default;

    /// Messages that wait in the source queue of a node.
    virtual std::uint32_t queued(std::uint32_t node) const = 0;
    /// The packet of a class that is next; null if none waits.
    virtual const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class) = 0;
    /// Takes that packet out of the source queue. Returns its number in router_context::packets().
    virtual std::uint32_t take_packet(std::uint32_t node, std::uint32_t message_class) = 0;
    /// The head of a packet that was taken leaves the injection queue in cycle `t`.
    virtual void packet_leaves(std::uint32_t node, std::uint32_t id, cycle_t t) = 0;
    void flit_injected(std::uint32_t node) {
        ++*m_injected_flits[node];
        --*m_held_flits[node];
    }
    void flit_consumed(std::uint32_t node) { ++*m_consumed_flits[node]; }
    /// The tail of a packet is consumed in cycle `t`: the packet is no more.
    virtual void packet_arrives(std::uint32_t node, std::uint32_t id, cycle_t t) = 0;
    /// A credit for NIC `nic` of a network of one part, without a plane: while none has anything to send.
    virtual void take_credit(std::uint32_t nic, std::uint32_t vc) = 0;

  protected:
    /// Counters of each node, so that a flit costs no virtual call; held: of packets taken and not injected
    /// yet.
    std::vector<std::uint64_t*> m_injected_flits, m_consumed_flits, m_held_flits;
};

}  // namespace sare
