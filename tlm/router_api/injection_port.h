// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>
#include <vector>

namespace sare {

/// The next packet of a message class in a source queue, not yet in router_context::packets(). It is
/// for nodes whose packets are injected by a router or by a block outside of the model.
struct waiting_packet {
    route_header route;       ///< header of the packet
    std::uint32_t flits = 0;  ///< flits of the packet; 0: the packet is not prepared yet
};

/// Nodes as their routers see them. The functions are for routers that own the injection queues of their
/// nodes (router_terms::owns_nodes), so that no link lies between such a node and its router. A node is given
/// by its number in the network, a message or packet by its slot.
class injection_port {
  public:
    virtual ~injection_port() = default;

    /// Returns the number of messages in the source queues of a node, all classes together.
    virtual std::uint32_t queued(std::uint32_t node) const = 0;
    /// Returns the next packet of a class, which take_packet() would take; null if the source queue is empty.
    virtual const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class) = 0;
    /// Takes the packet that next_packet() has returned, not null (not checked), out of the source queue.
    /// Returns its slot in router_context::packets().
    virtual packet_id take_packet(node_id node, std::uint32_t message_class) = 0;
    /// Notes that the head of packet `id`, from take_packet(), leaves the injection queue in cycle `t`.
    virtual void packet_leaves(node_id node, packet_id id, cycle_t t) = 0;
    /// Counts a flit that leaves the injection queue of a node.
    void flit_injected(std::uint32_t node) {
        ++*m_injected_flits[node];
        --*m_held_flits[node];
    }
    /// Counts a flit that a node consumes.
    void flit_consumed(std::uint32_t node) { ++*m_consumed_flits[node]; }
    /// Notes that node `node` consumes the tail of packet `id` in cycle `t`, which ends the packet and frees
    /// its slot.
    virtual void packet_arrives(node_id node, packet_id id, cycle_t t) = 0;
    /// Gives NIC `nic` a credit for VC `vc` at once, without a link. Only for networks of one part, and while
    /// no NIC has anything to send.
    virtual void take_credit(std::uint32_t nic, std::uint32_t vc) = 0;

  protected:
    /// Pointers to the counters of each node, so that counting a flit costs no virtual call. m_held_flits:
    /// flits in injection queues, taken and not yet injected.
    std::vector<std::uint64_t*> m_injected_flits, m_consumed_flits, m_held_flits;
};

}  // namespace sare
