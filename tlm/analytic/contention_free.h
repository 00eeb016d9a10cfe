// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/analytic/latency_rule.h"
#include "tlm/analytic/link_overlap.h"
#include "tlm/api/network_engine.h"
#include "tlm/api/overlapping_port.h"
#include "tlm/api/packet.h"
#include "tlm/api/packet_changes.h"
#include "tlm/base/pool.h"
#include "tlm/fabric/run/observer_list.h"
#include "tlm/nic/params.h"

#include <optional>
#include <queue>
#include <vector>

namespace sare {

/// A network in which no message waits for another, not even at its source: each arrives after the time that
/// latency_rule gives. A message is one packet. The model has no state of routers and links; its memory grows
/// with the nodes and with the messages under way. Calls within a cycle come in the order that `workload`
/// documents. Since source queues are always empty, each call_when_queued() is answered by queue_space() in
/// the same cycle.
class contention_free : public network_engine,
                        public counted_network,
                        public traffic_port,
                        public overlapping_port {
  public:
    /// `map` must outlive this object. `nic`: parameters of all NICs, of which the sizes of flits and packets
    /// count. `clock_seconds`: clock period in seconds, rounded to picoseconds, of which it must have 1 at
    /// least. `classes`: number of message classes, from 1. These numbers are not checked. `crossbar`: true:
    /// a path has only the links of its two nodes, whatever is between them.
    contention_free(const topology& map, const nic_params& nic, double clock_seconds, std::uint32_t classes,
                    bool crossbar = false);

    /// @name network_engine
    /// @{
    const counted_network& counters() const override { return *this; }
    void set_seed(std::uint64_t seed) override { m_seed = seed; }
    void set_observer(observer* o) override { m_observers.set(o); }
    void add_observer(observer& o) override { m_observers.add(o); }
    void remove_observer(const observer& o) override { m_observers.remove(o); }
    void set_workload(workload& w, bool stop_when_finished) override;
    bool finished() const override { return m_finished; }
    cycle_t finished_at() const override { return m_now; }
    cycle_t cycle() const override { return m_now; }
    cycle_t next_work(cycle_t t) const override;
    void run_until(cycle_t end) override;
    bool has_contention() const override { return false; }
    std::string describe_standstill() const override { return "nothing waits in a contention-free network"; }
    /// @}

    /// @name counted_network
    /// @{
    const topology* map() const override { return &m_map; }
    std::uint64_t flits_injected() const override { return m_all.injected_flits; }
    std::uint64_t flits_consumed() const override { return m_all.consumed_flits; }
    std::uint64_t packets_injected() const override { return m_all.injected_packets; }
    std::uint64_t packets_consumed() const override { return m_all.consumed_packets; }
    std::uint64_t messages_started() const override { return m_all.injected_packets; }
    std::uint64_t flit_hops() const override { return m_flit_hops; }
    const packet_changes& changes() const override { return m_no_changes; }
    node_counts counts_of(std::uint32_t node) const override;
    std::uint32_t vcs() const override { return 0; }
    std::uint32_t routers() const override { return m_map.routers(); }
    std::uint32_t ports(std::uint32_t r) const override { return m_map.ports(router_id(r)); }
    std::uint32_t flits_sent() const override { return 0; }
    std::uint32_t flits_sent(std::uint32_t, std::uint32_t, std::uint32_t) const override { return 0; }
    void count_buffers(std::vector<std::uint64_t>&) const override {}
    /// @}

    /// @name traffic_port (nodes() and classes() are also of counted_network)
    /// @{
    std::uint32_t nodes() const override { return static_cast<std::uint32_t>(m_nodes.size()); }
    std::uint32_t classes() const override { return m_classes; }
    std::uint64_t seed() const override { return m_seed; }
    cycle_t now() const override { return m_now; }
    double cycle_seconds() const override { return m_cycle_seconds; }
    const std::vector<std::uint32_t>& dims() const override { return m_dims; }
    std::uint32_t router_of(std::uint32_t node) const override;
    std::uint32_t flits_for(std::uint64_t bytes) const override { return sare::flits_for(m_nic, bytes); }
    void send(const message& m) override;
    std::uint32_t queued(std::uint32_t) const override { return 0; }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t) override;
    /// @}

    /// Returns the overlaps in time of messages on the links of nodes since cycle 0.
    const link_overlap& overlap() const { return m_overlap; }

  protected:
    const place_names* names() const override { return &m_map.names(); }  // of traffic_port
    std::uint32_t class_of(const route_header& way) const override { return way.vc_base; }
    generated_counts waiting_of(std::uint32_t, std::uint32_t) const override { return {}; }
    generated_counts unsent_of(std::uint32_t, std::uint32_t) const override { return {}; }
    std::uint32_t queued_of(std::uint32_t, std::uint32_t) const override { return 0; }

    /// Packets and flits that a node has injected and consumed since cycle 0.
    struct node_state {
        std::uint64_t injected_packets = 0, consumed_packets = 0;
        std::uint64_t injected_flits = 0, consumed_flits = 0;
    };
    /// A message under way.
    struct flight {
        message what;
        cycle_t injected = 0;     ///< cycle in which the message entered the network
        std::uint32_t links = 0;  ///< number of links of the path, the two links of its nodes included
        /// Slot (index for flight_at()) of the next message in the source queue in which this one waits; of
        /// no meaning while it does not wait.
        std::uint32_t next = 0;
    };
    /// The end of a message's flight.
    struct arrival {
        cycle_t when;  ///< cycle of the arrival
        /// Number of the will_arrive() call, from 1: the order of arrivals at a node in one cycle.
        std::uint64_t number;
        std::uint32_t node, slot;  ///< destination; slot of the message
        /// True if this arrival comes after `other`, so that a std::priority_queue has the next arrival on
        /// top.
        bool operator<(const arrival& other) const;
    };

    /// Throws std::out_of_range for an unknown node or message class.
    void check_queue(std::uint32_t node, std::uint32_t message_class) const;
    /// Returns the sum of latencies, number of links and least bandwidth of the path from one node to
    /// another.
    path_cost path(node_id from, node_id to) const;
    /// Returns latency and bandwidth of the link from a node to its router.
    path_cost link_from(std::uint32_t node) const;
    /// Returns latency and bandwidth of the link from a router to a node.
    path_cost link_to(std::uint32_t node) const;
    /// Makes the message in `slot`, an index of take_flight(), enter the network in the present cycle.
    /// will_arrive() must be called once for it later (not checked).
    void inject(std::uint32_t slot);
    /// Makes the message in `slot` arrive in cycle `when`, the present one or later; frees the slot then.
    void will_arrive(std::uint32_t slot, cycle_t when);
    /// Returns the next cycle in which advance() has work; workload::never, the default: it has none.
    virtual cycle_t next_advance() const { return workload::never; }
    /// Runs the derived class's part of cycle `t`, before messages arrive; by default nothing.
    virtual void advance(cycle_t t) { (void)t; }
    /// Asks for a call of workload::queue_space(node, message_class) in the present cycle; several calls are
    /// answered by as many.
    void call_soon(std::uint32_t node, std::uint32_t message_class) {
        m_room.emplace_back(node, message_class);
    }
    const latency_rule& rule() const { return m_rule; }                ///< rule for the times of messages
    flight& flight_at(std::uint32_t slot) { return m_flights[slot]; }  ///< message in a slot
    /// Returns a free slot for a message. The slot becomes free again when the message arrives.
    std::uint32_t take_flight() { return m_flights.take(); }

  private:
    cycle_t slowest_message() const override { return m_slowest; }
    double overlap_seconds() const override { return m_overlap.sum() * 1e-12; }
    void step(cycle_t t);
    void arrive(const arrival& a);
    void call_for_room();
    packet packet_of(const flight& f) const;

    const topology& m_map;
    nic_params m_nic;  ///< parameters of all NICs, which do not pad
    const latency_rule m_rule;
    const double m_cycle_seconds;
    const std::vector<std::uint32_t> m_dims;
    const std::uint32_t m_classes;
    const bool m_crossbar;
    const packet_changes m_no_changes;
    std::uint64_t m_seed = 1;
    observer_list m_observers;
    workload* m_workload = nullptr;

    cycle_t m_now = 0;
    bool m_begun = false;  ///< true: the first cycle has begun
    bool m_stop_when_finished = false, m_finished = false;
    std::vector<node_state> m_nodes;
    node_state m_all;               ///< sums over all nodes
    std::uint64_t m_flit_hops = 0;  ///< value of flit_hops()
    cycle_t m_slowest = 0;          ///< most cycles from injection to arrival of a message so far
    pool<flight> m_flights;
    std::priority_queue<arrival> m_arrivals;
    /// Node and message class of each call_soon() that waits.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_room;
    link_overlap m_overlap;
    std::uint64_t m_sent = 0;  ///< number of calls of will_arrive() so far
};

}  // namespace sare
