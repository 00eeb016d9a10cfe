// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/route_header.h"
#include "tlm/api/workload/message.h"

#include <cstdint>
#include <vector>

namespace sare {

class topology;
class world;
struct packet_changes;

/// Counts of one node: packets and flits injected and consumed and messages lost since the start, and
/// messages that wait in its source queues now.
struct node_counts {
    /// Packets whose first flit the node has injected; packets that have arrived whole at the node.
    std::uint64_t injected_packets = 0, consumed_packets = 0;
    /// Flits that the node has injected; flits that it has consumed.
    std::uint64_t injected_flits = 0, consumed_flits = 0;
    /// `messages`: messages given to traffic_port::send() of which no flit is injected yet; `flits`: all
    /// flits sent and not injected yet.
    generated_counts waiting;
    /// `messages`: messages lost before any of their flits was injected; `flits`: flits lost before they were
    /// injected.
    generated_counts unsent;

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

/// Counters since the start, summed over all nodes of all processes. If several processes run the network,
/// all must call each function together.
class traffic_counters {
  public:
    virtual std::uint64_t flits_injected() const = 0;    ///< flits that have left their source NIC
    virtual std::uint64_t flits_consumed() const = 0;    ///< flits that their destination's NIC has consumed
    virtual std::uint64_t packets_injected() const = 0;  ///< packets whose first flit has been injected
    virtual std::uint64_t packets_consumed() const = 0;  ///< packets that have arrived whole
    virtual std::uint64_t messages_started() const = 0;  ///< messages whose first flit has been injected
    virtual std::uint64_t flit_hops() const = 0;  ///< sum over consumed packets: flits times routers visited
    /// Packets copied and dropped, and messages lost. If several processes run the network, rank 0 gets the
    /// drops and losses of all; other ranks get only packet_changes::dropped for all. `copied`, `detoured`
    /// and the counts of unsent messages are of the process itself in every rank.
    virtual const packet_changes& changes() const = 0;

  protected:
    ~traffic_counters() = default;
};

/// Counters of single nodes, all 0 for nodes of other processes. `node` must be below nodes(),
/// `message_class` below classes(); not every network checks it.
class node_counters {
  public:
    virtual std::uint32_t nodes() const = 0;  ///< number of nodes of the whole network
    /// Counts of one node; all 0 if another process runs it.
    virtual node_counts counts_of(std::uint32_t node) const = 0;
    virtual std::uint32_t classes() const { return 1; }  ///< number of message classes
    /// Returns the message class, from 0, of a packet whose header is `way`.
    virtual std::uint32_t class_of(const route_header& way) const {
        (void)way;
        return 0;
    }
    /// Returns the share of a message class in node_counts::waiting. If the node's router holds its source
    /// queues, `flits` does not include packets that are partly injected.
    virtual generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Returns the share of a message class in node_counts::unsent, without the flits not yet injected of
    /// packets that were dropped while they left their source.
    virtual generated_counts unsent_of(std::uint32_t node, std::uint32_t message_class) const = 0;

  protected:
    ~node_counters() = default;
};

/// Counters of routers with buffers and links: call these functions only if vcs() is not 0. They throw
/// std::out_of_range for an unknown router, port or VC.
class router_counters {
  public:
    /// Virtual channels of each port; 0: no routers with buffers and links are modelled.
    virtual std::uint32_t vcs() const = 0;
    virtual std::uint32_t routers() const = 0;                    ///< number of routers of the whole network
    virtual std::uint32_t ports(std::uint32_t router) const = 0;  ///< number of ports of a router
    /// Number of flits that all routers of this process have sent by all output ports since the start, modulo
    /// 2^32.
    virtual std::uint32_t flits_sent() const = 0;
    /// Number of flits that a router has sent by one output VC, modulo 2^32; 0 for a router of another
    /// process.
    virtual std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Adds to `bins[k]` the number of input VCs, of all routers modelled in this process (none in RTL), that
    /// hold k flits now; appends bins of 0 to `bins` where it is too short.
    virtual void count_buffers(std::vector<std::uint64_t>& bins) const = 0;

  protected:
    ~router_counters() = default;
};

/// Interface to all counters of a network since its start, from which statistics are made; a network without
/// routers has it, too.
class counted_network : public traffic_counters, public node_counters, public router_counters {
  public:
    virtual ~counted_network() = default;

    virtual const topology* map() const = 0;  ///< the topology; null: the network was built without one
    /// Returns the processes that run the network, each a part of it; null if one process runs all.
    virtual world* processes() const { return nullptr; }

    /// Number of flits in the network now: injected or copied, and neither consumed nor dropped. If several
    /// processes run the network, all must call it together.
    std::uint64_t flits_inside() const;
    /// Number of packets in the network now, counted as flits_inside() counts flits.
    std::uint64_t packets_inside() const;
};

}  // namespace sare
