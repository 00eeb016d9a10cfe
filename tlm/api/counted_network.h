// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/route_header.h"
#include "tlm/api/workload.h"

#include <cstdint>
#include <vector>

namespace sare {

class topology;
class world;
struct packet_changes;

/// Packets and flits that a node has injected and consumed since the start, and its source queue.
struct node_counts {
    std::uint64_t injected_packets = 0, consumed_packets = 0;  ///< injected: first flit sent; consumed: whole
    std::uint64_t injected_flits = 0, consumed_flits = 0;
    generated_counts waiting;  ///< messages with no flit injected yet; flits not injected yet
    generated_counts unsent;   ///< messages and flits lost before they were injected, counted like `waiting`

    node_counts& operator+=(const node_counts& o) {
        injected_packets += o.injected_packets;
        consumed_packets += o.consumed_packets;
        injected_flits += o.injected_flits;
        consumed_flits += o.consumed_flits;
        waiting += o.waiting;
        unsent += o.unsent;
        return *this;
    }
};

/// The counters of a network since its start, whatever moves its packets: all that statistics read. If
/// several processes run it, the counts from flits_injected() to flit_hops() are of the whole network, and
/// all processes must call these and changes() together.
class counted_network {
  public:
    virtual ~counted_network() = default;

    virtual const topology* map() const = 0;  ///< topology; null: built without one
    /// Processes that run the network, each a part of it; null if there is one. A process has counts other
    /// than 0 only for its own routers and nodes.
    virtual world* processes() const { return nullptr; }
    virtual std::uint32_t nodes() const = 0;
    virtual std::uint64_t flits_injected() const = 0;
    virtual std::uint64_t flits_consumed() const = 0;
    virtual std::uint64_t packets_injected() const = 0;  ///< packets whose first flit is injected
    virtual std::uint64_t packets_consumed() const = 0;  ///< packets that have arrived whole
    virtual std::uint64_t messages_started() const = 0;  ///< messages whose first packet is injected
    virtual std::uint64_t flit_hops() const = 0;  ///< sum over consumed packets: flits times routers visited
    /// Packets copied and dropped, messages lost. If several processes run the network: complete in rank 0
    /// only.
    virtual const packet_changes& changes() const = 0;
    virtual node_counts counts_of(std::uint32_t node) const = 0;  ///< counts of one node of this process
    /// @name Message classes
    /// @{
    virtual std::uint32_t classes() const { return 1; }
    /// Message class, from 0, of a packet with the header `way`.
    virtual std::uint32_t class_of(const route_header& way) const {
        (void)way;
        return 0;
    }
    /// The share of a message class in node_counts::waiting, without flits of packets partly injected.
    virtual generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// The share of a message class in node_counts::unsent, without flits of packets partly injected.
    virtual generated_counts unsent_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// @}

    /// @name Routers with buffers and links: only if vcs() is not 0
    /// @{
    virtual std::uint32_t vcs() const = 0;  ///< virtual channels a port; 0: no links and buffers
    virtual std::uint32_t routers() const = 0;
    virtual std::uint32_t ports(std::uint32_t router) const = 0;
    /// Flits that all routers of this process have sent by all outputs, modulo 2^32.
    virtual std::uint32_t flits_sent() const = 0;
    /// Flits that a router has sent by one output VC, modulo 2^32; 0 for a router of another process.
    virtual std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Adds to `bins[k]` the number of input VCs, of all routers of this process, that hold k flits now;
    /// makes `bins` longer as needed.
    virtual void count_buffers(std::vector<std::uint64_t>& bins) const = 0;
    /// @}

    std::uint64_t flits_inside() const;    ///< flits in the network now: injected or copied, not yet gone
    std::uint64_t packets_inside() const;  ///< packets in the network now: injected or copied, not yet gone
};

}  // namespace sare
