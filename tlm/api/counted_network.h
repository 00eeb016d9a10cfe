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

/// What a node has sent and received since the start, and what waits in its source queue.
struct node_counts {
    std::uint64_t injected_packets = 0, consumed_packets = 0;
    std::uint64_t injected_flits = 0, consumed_flits = 0;
    generated_counts waiting;  ///< messages of which nothing is injected yet; flits of all
    generated_counts unsent;   ///< likewise, of what was lost before it was injected

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

/// The counters of a network since its start, whatever moves its packets: what statistics read.
class counted_network {
  public:
    virtual ~counted_network() = default;

    virtual const topology* map() const = 0;
    /// The processes that run it, each a part: of single routers and nodes, one knows its own alone. Null
    /// where there is one process.
    virtual world* processes() const { return nullptr; }
    virtual std::uint32_t nodes() const = 0;
    virtual std::uint64_t flits_injected() const = 0;
    virtual std::uint64_t flits_consumed() const = 0;
    virtual std::uint64_t packets_injected() const = 0;
    virtual std::uint64_t packets_consumed() const = 0;
    virtual std::uint64_t messages_started() const = 0;  ///< first packet injected
    virtual std::uint64_t flit_hops() const = 0;         ///< flits of consumed packets times routers visited
    virtual const packet_changes& changes() const = 0;
    virtual node_counts counts_of(std::uint32_t node) const = 0;
    /// @name Message classes
    /// @{
    virtual std::uint32_t classes() const { return 1; }
    virtual std::uint32_t class_of(const route_header& way) const {
        (void)way;
        return 0;
    }
    /// What of node_counts::waiting is of a class, but for the rest of a packet that has begun to leave.
    virtual generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Likewise of node_counts::unsent.
    virtual generated_counts unsent_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// @}

    /// @name Routers with buffers and links: only where there are VCs
    /// @{
    virtual std::uint32_t vcs() const = 0;  ///< 0: nothing is known of links and buffers
    virtual std::uint32_t routers() const = 0;
    virtual std::uint32_t ports(std::uint32_t router) const = 0;
    /// Modulo 2^32: of all routers that this process has, and by one output VC.
    virtual std::uint32_t flits_sent() const = 0;
    virtual std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Of all input VCs of these routers: adds one to the bin of how many flits each holds. Makes bins as
    /// needed.
    virtual void count_buffers(std::vector<std::uint64_t>& bins) const = 0;
    /// @}

    std::uint64_t flits_inside() const;
    std::uint64_t packets_inside() const;
};

}  // namespace sare
