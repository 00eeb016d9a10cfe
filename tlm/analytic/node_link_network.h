// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/analytic/contention_free.h"

namespace sare {

/// A network in which only the links of nodes are waited for (fidelity: node_links): an ideal crossbar with
/// one link from each node and one to it. A link carries one message at a time, in the order of the cycles of
/// arrival; of one cycle, in the order in which the messages left their sources. The first bit of a message
/// reaches the link to its node after the latencies of both links; if that link is busy, the message waits in
/// the crossbar, which has room for all. Its last bit arrives when both links have carried it. A message that
/// meets no other takes as long as latency_rule says.
class node_link_network final : public contention_free {
  public:
    /// Makes the network; arguments are as for contention_free(), whose `crossbar` is true here.
    node_link_network(const topology& map, const nic_params& nic, double clock_seconds,
                      std::uint32_t classes);

    void send(const message& m) override;
    std::uint32_t queued(std::uint32_t node) const override;
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override;
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override;
    node_counts counts_of(std::uint32_t node) const override;
    generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_of_class[place_of(node, message_class)].waiting;
    }
    bool queues_at_nodes() const override { return true; }
    std::string describe_standstill() const override { return "links of nodes alone are waited for"; }

  private:
    static constexpr std::uint32_t none = 0xffffffff;  ///< value of `slot` and of `wanted`: none

    /// The two links of a node and its source queue.
    struct node_links {
        /// Times, in ps, until which the link from the node and the link to it are in use.
        picoseconds_t from_free = 0, to_free = 0;
        std::uint32_t queued = 0;   ///< messages in the source queue, the one on the link included
        std::uint32_t on_link = 0;  ///< message class of the message on the link from the node
        /// Slots (flight_at()) of the first and the last message that wait behind the one on the link; of no
        /// meaning unless queued > 1.
        std::uint32_t first = 0, last = 0;
    };
    /// Counts of a message class at a node.
    struct class_counts {
        /// Messages of the class in the source queue, the one on the link included.
        std::uint32_t queued = 0;
        /// Level of call_when_queued(): queue_space() is called when `queued` is no more than this; none: no
        /// call is asked for.
        std::uint32_t wanted = none;
        generated_counts waiting;  ///< messages that wait behind the message on the link, and their flits
    };
    /// Event at a node. If `slot` is `none`, the link from the node becomes free; else the message
    /// flight_at(slot) comes to the link to the node.
    struct event {
        cycle_t when;              ///< cycle in which the model handles it
        std::uint64_t number;      ///< number in the order of making: the order of events of one cycle
        std::uint32_t node, slot;  ///< node of the event; slot of the message that comes, or none
        picoseconds_t at;          ///< exact time, in ps
        bool operator<(const event& o) const { return when != o.when ? when > o.when : number > o.number; }
    };

    double overlap_seconds() const override { return 0; }
    cycle_t next_advance() const override { return m_events.empty() ? workload::never : m_events.top().when; }
    void advance(cycle_t t) override;
    void put_on_link(std::uint32_t slot, picoseconds_t at);
    void link_is_free(std::uint32_t node);
    void come_to_node(const event& e);

    /// Returns the index in m_of_class of a node and message class.
    std::size_t place_of(std::uint32_t node, std::uint32_t message_class) const {
        return std::size_t{node} * classes() + message_class;
    }

    std::vector<node_links> m_links;
    std::vector<class_counts> m_of_class;  ///< counts of each node and class, by place_of()
    std::priority_queue<event> m_events;
    std::uint64_t m_made = 0;  ///< number of events that were made so far
};

}  // namespace sare
