// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>
#include <vector>

namespace sare {

/// The next packet of a class in a source queue whose NIC is modelled elsewhere.
struct waiting_packet {
    route_header route;
    std::uint32_t flits = 0;  ///< flits of the packet; 0: not prepared yet
};

/// The nodes as routers see them. The source queues are for routers that own the injection queues of their
/// nodes (router_terms::owns_nodes), so that no link lies between such a node and its router.
class injection_port {
  public:
    virtual ~injection_port() = default;

    /// Number of messages in the source queue of a node.
    virtual std::uint32_t queued(std::uint32_t node) const = 0;
    /// Returns the next packet of a class; null if none waits.
    virtual const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class) = 0;
    /// Takes the next packet out of the source queue. Returns its number in router_context::packets().
    virtual std::uint32_t take_packet(std::uint32_t node, std::uint32_t message_class) = 0;
    /// Notes that the head of a packet taken before leaves the injection queue in cycle `t`.
    virtual void packet_leaves(std::uint32_t node, std::uint32_t id, cycle_t t) = 0;
    /// Counts a flit that leaves the injection queue of a node, and flit_consumed() one that is consumed.
    void flit_injected(std::uint32_t node) {
        ++*m_injected_flits[node];
        --*m_held_flits[node];
    }
    void flit_consumed(std::uint32_t node) { ++*m_consumed_flits[node]; }
    /// Notes that the tail of a packet is consumed in cycle `t`, which ends the packet.
    virtual void packet_arrives(std::uint32_t node, std::uint32_t id, cycle_t t) = 0;
    /// Gives a credit for VC `vc` directly to NIC `nic`, in a network of one part while no NIC has anything
    /// to send.
    virtual void take_credit(std::uint32_t nic, std::uint32_t vc) = 0;

  protected:
    /// Counters by node, so that a flit costs no virtual call; held: flits taken over and not yet injected.
    std::vector<std::uint64_t*> m_injected_flits, m_consumed_flits, m_held_flits;
};

}  // namespace sare
