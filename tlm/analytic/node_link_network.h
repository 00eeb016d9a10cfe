// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/analytic/contention_free.h"

namespace sare {

/// Network of `fidelity: node_links`: an ideal crossbar with one link from each node and one to it. A link
/// carries one message at a time, in the order of arrival; nothing else is waited for. A message's first bit
/// reaches the link to its node after the latencies of both links, and then waits if that link is busy, in
/// the crossbar, which has room for all. Its last bit arrives when both links have carried it. A message that
/// meets no other takes as long as by latency_rule.
class node_link_network final : public contention_free {
  public:
    node_link_network(const topology& map, const nic_params& nic, double clock_seconds,
                      std::uint32_t classes);

    void send(const message& m) override;
    std::uint32_t queued(std::uint32_t node) const override { return m_links[node].queued; }
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_of_class[place_of(node, message_class)].queued;
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override;
    node_counts counts_of(std::uint32_t node) const override;
    generated_counts waiting_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_of_class[place_of(node, message_class)].waiting;
    }
    std::string describe_standstill() const override { return "links of nodes alone are waited for"; }

  private:
    static constexpr std::uint32_t none = 0xffffffff;

    struct node_links {
        picoseconds_t from_free = 0, to_free = 0;  ///< times until which the links are in use
        std::uint32_t queued = 0;                  ///< messages in the source queue, with the one on the link
        std::uint32_t on_link = 0;                 ///< message class of the one on the link
        /// Slots (see flight_at()) of the first and the last message that wait behind the one on the link; of
        /// no meaning unless queued > 1.
        std::uint32_t first = 0, last = 0;
    };
    /// Counts of a message class at a node.
    struct class_counts {
        std::uint32_t queued = 0;     ///< messages in the source queue, with the one on the link
        std::uint32_t wanted = none;  ///< highest `queued` at which to call queue_space(); none: no call
        generated_counts waiting;     ///< messages behind the one on the link
    };
    /// Event at a node: with slot `none` its link from the node becomes free, else the message in the slot
    /// comes to the link to the node.
    struct event {
        cycle_t when;          ///< cycle in which it is dealt with
        std::uint64_t number;  ///< number in order of making, which orders events of a cycle
        std::uint32_t node, slot;
        picoseconds_t at;  ///< exact time
        bool operator<(const event& o) const { return when != o.when ? when > o.when : number > o.number; }
    };

    double overlap_seconds() const override { return 0; }
    cycle_t next_advance() const override { return m_events.empty() ? workload::never : m_events.top().when; }
    void advance(cycle_t t) override;
    void put_on_link(std::uint32_t slot, picoseconds_t at);
    void link_is_free(std::uint32_t node);
    void come_to_node(const event& e);

    std::size_t place_of(std::uint32_t node, std::uint32_t message_class) const {
        return std::size_t{node} * classes() + message_class;
    }

    std::vector<node_links> m_links;
    std::vector<class_counts> m_of_class;  ///< by place_of()
    std::priority_queue<event> m_events;
    std::uint64_t m_made = 0;  ///< number of events that were made so far
};

}  // namespace sare
