// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/forwarding.h"
#include "tlm/base/pool.h"
#include "tlm/combining/collective_port.h"
#include "tlm/combining/combiners.h"
#include "tlm/combining/combining_tree.h"

#include <deque>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace sare {

class combiner_network;

/// Collectives in the network, between a workload and a network with combiners or with routers that fork
/// packets: docs/multicast.md. To the workload this object is the network, without combiners; to the network
/// it is the workload. Owned by simulation (tlm/network/simulation.h).
class network_collectives final : public forwarding_workload, public forwarding_port, public collective_port {
  public:
    /// `inner`: the workload; `p`: the section `combining`; `map`: the network. `inner` and `map` must
    /// outlive the object. `forks`: true if its routers fork packets; `packet`: most flits of a packet.
    network_collectives(workload& inner, const combining_params& p, const topology& map, bool forks,
                        std::uint32_t packet);

    /// Returns the tables of the combiners.
    const combiners& combining_tables() const { return m_tables; }

    /// @name The network as the workload sees it
    /// @{
    std::uint32_t nodes() const override { return m_nodes; }
    const std::vector<std::uint32_t>& dims() const override { return m_dims; }
    void send(const message& m) override;
    bool can(network_call::kind what) const override {
        return what == network_call::kind::multicast ? m_forks : m_combined != nullptr;
    }
    std::uint32_t open(const std::vector<std::uint32_t>& nodes) override;
    bool take_part(const network_call& call) override;
    /// @}

    /// @name The workload as the network sees it
    /// @{
    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    bool wants_deliveries() const override { return true; }
    void delivered(const delivery& d) override;
    bool wants_packets() const override { return m_forks || m_inner.wants_packets(); }
    void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) override;
    bool finished() const override { return m_inner.finished() && m_events.empty(); }
    void judged(const judged_sources& all) override;
    generated_counts generated(cycle_t now) override;
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override {
        return node < m_nodes ? m_inner.backlog_of(node, message_class) : generated_counts{};
    }
    std::uint32_t nodes_needed() const override;
    config::value results() const override;
    void serialize(archive& a) override;
    /// @}

  private:
    static constexpr std::uint32_t none = combining_tree::none;
    /// A group of open().
    struct group {
        std::vector<std::uint32_t> nodes;     ///< node of each member
        std::vector<std::uint32_t> place_of;  ///< index in `places` of the node of each member
        std::vector<combining_tree::place> places;
        std::unordered_map<std::uint32_t, std::uint32_t> place_at;  ///< index in `places` by node
        partial_sum whole;    ///< sum of the contributions of all members
        combining_tree tree;  ///< empty if there are no combiners
        /// Number of packets of sums for which entries are reserved and that have not come to the root.
        std::uint32_t in_tables = 0;
        /// Indices in m_operations of sums with packets not reserved yet, oldest first.
        std::deque<std::uint32_t> unreserved;
    };
    /// Data of an operation that a node has got so far.
    struct reception {
        std::uint64_t weight = 0, digest = 0;  ///< sums of partial_sum over all packets
        bool whole = false;
        std::vector<std::uint64_t> tags;  ///< tags of members that wait for the result
        void serialize(archive& a) { a(weight, digest, whole, tags); }
    };
    /// The packets of an operation that one member sends.
    struct stream {
        std::uint32_t member = 0;
        std::uint32_t next = 0;       ///< number of the next packet to be sent, from 0
        std::uint32_t under_way = 0;  ///< packets sent that have not come to the first combiner
        bool stalled = false;
        cycle_t since = 0;  ///< cycle since which the stream is stalled
    };
    /// A collective that at least one member has called and that is not over.
    struct operation {
        network_call as;  ///< the first call; only `member` and `tag` differ in others
        std::uint32_t packets = 0, last_flits = 0;
        std::uint32_t called = 0;       ///< members that have called
        std::uint32_t places_left = 0;  ///< nodes that have not got all packets yet
        std::uint32_t reserved = 0;  ///< number of packets, from packet 0 on, for which entries are reserved
        std::uint32_t stalled = 0;   ///< number of streams that are stalled
        cycle_t began = 0;
        std::vector<reception> at;  ///< data that each node has got; by place
        std::vector<stream> streams;
        void serialize(archive& a) {
            a(as, packets, last_flits, called, places_left, reserved, stalled, began, at, streams);
        }
        bool sums() const { return as.what <= network_call::kind::sum_to_one; }
    };
    /// A packet under way, or in a combiner.
    struct packet_state {
        std::uint32_t operation = 0, number = 0;
        partial_sum sum;
        std::uint32_t from = none;    ///< router from which the packet comes; none: a node, or the root
        std::uint32_t stream = none;  ///< index of the stream that sent it; none: a combiner has sent it
        bool down = false;            ///< true: the packet is on its way down from the root
    };
    /// Packet, a slot of m_packets, that the combiner of `router` has handled by cycle `when`; `router` none:
    /// data for the other members at a sender's node. Events come by rising cycle, in a cycle by `serial`.
    struct event {
        cycle_t when;
        std::uint64_t serial;
        std::uint32_t router, packet;
        bool operator>(const event& o) const { return std::tie(when, serial) > std::tie(o.when, o.serial); }
    };
    struct counts {
        std::uint64_t contributions = 0, results = 0;  ///< packets that nodes have sent, and have got
        /// Links that packets cross; links if each node were sent to alone.
        std::uint64_t links = 0, unicast_links = 0;
        /// Packets that waited for entries; sum of their waits in cycles.
        std::uint64_t stalled = 0, stalled_cycles = 0;
        std::uint64_t most_queued = 0;  ///< most packets that waited at a port of a combiner
    };

    /// True if `what` is the multicast of a collective.
    bool is_forked(const message& what) const { return m_forks && what.source == what.destination; }
    group make_group(std::vector<std::uint32_t> nodes, std::uint32_t number) const;
    std::uint32_t find_or_begin(const network_call& call);
    void begin_sending(std::uint32_t slot, const network_call& call);
    void send_multicast(std::uint32_t slot, const network_call& call);
    void send_on(std::uint32_t slot, std::uint32_t stream);
    bool may_send(std::uint32_t slot, std::uint32_t stream);
    void send_packet(std::uint32_t from, std::uint32_t to, const packet_state& x);
    void send_between(std::uint32_t router, std::uint32_t next, packet_state x);
    void send_to_node(std::uint32_t router, std::uint32_t place, const packet_state& x);
    void give_to_others_at(std::uint32_t slot, std::uint32_t place);
    void arrive(const delivery& d, std::uint32_t packet);
    void work(std::uint32_t router, packet_state x);
    void pass_up(std::uint32_t router, packet_state x);
    void pass_down(std::uint32_t router, const packet_state& x);
    void spread(std::uint32_t router, const packet_state& x);
    void receive(std::uint32_t slot, std::uint32_t place, const partial_sum& sum, cycle_t injected);
    void end_if_over(std::uint32_t slot);
    void count_unicast(const operation& o, const group& g);
    void send_waiting(group& g);

    const combining_params m;
    const topology& m_map;
    const combiner_network* m_combined;  ///< null: there are no combiners
    const std::uint32_t m_nodes, m_packet;
    const bool m_forks;  ///< true: routers fork packets, and collectives alone send multicasts
    const std::vector<std::uint32_t> m_dims;
    const multicast_table* m_table = nullptr;
    combiners m_tables;
    std::vector<group> m_groups;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> m_by_number;
    pool<operation> m_operations;
    pool<packet_state> m_packets;  ///< packets under way; the tag of a packet's message is its slot here
    std::priority_queue<event, std::vector<event>, std::greater<>> m_events;
    std::map<std::uint32_t, std::uint32_t> m_groups_at;  ///< number of groups whose packets meet at a router
    std::uint64_t m_serial = 0;
    generated_counts m_generated;
    counts m_counts;
};

}  // namespace sare
