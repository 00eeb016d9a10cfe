// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet_changes.h"
#include "tlm/api/synchronized_workload.h"
#include "tlm/base/shared_pool.h"
#include "tlm/base/thread_team.h"
#include "tlm/base/thread_trial.h"
#include "tlm/fabric/parts/network_clocks.h"
#include "tlm/fabric/parts/partition.h"
#include "tlm/fabric/parts/partition_map.h"
#include "tlm/fabric/parts/remote_links.h"
#include "tlm/fabric/run/foreign_port.h"
#include "tlm/fabric/run/observer_list.h"
#include "tlm/fabric/run/packet_listener.h"
#include "tlm/fabric/view/congestion.h"
#include "tlm/nic/all_nics.h"
#include "tlm/router_api/in_parts.h"
#include "tlm/router_api/link_sleep.h"
#include "tlm/router_api/router_context.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The data of a network, which network_builder makes, network_stepper changes and network_view reads. Only
/// files of tlm/fabric include this.
namespace sare {

struct hazards;
class lagging_engine;
class link_watch;

/// The routers of a network. Arrays are indexed by router number unless a comment says otherwise. Nothing
/// changes once the network is finished.
struct router_table {
    std::vector<std::shared_ptr<const router_model>> models;  ///< model of each router
    std::vector<std::uint32_t> ports;                         ///< number of ports of each router
    /// Clock period of each router, in cycles of the network; empty: all have period 1.
    std::vector<clock_ratio> clocks;
    network_clocks running;                      ///< clocks of all blocks
    std::map<std::uint32_t, router_gate> gates;  ///< power gates of the routers that can go off; by router
    /// Index in network_state::domains of the router's clock domain; empty: there is one domain.
    std::vector<std::uint16_t> domain_of;
    /// Banks (objects with the state of many routers of a kind) of all domains; by bank number.
    std::vector<router_bank*> banks;
    std::vector<bank_check*> checks;  ///< checker of each bank, by bank number; null: the bank is not checked
    /// Sums over all routers, such as the phits in the network, to which several banks add; each once.
    std::vector<shared_sum*> sums;
    /// Number of the bank that holds the router; the router's number within that bank.
    std::vector<std::uint32_t> bank_of, in_bank;
    std::vector<std::size_t> first_port;  ///< port_index() of the router's port 0
    /// Capacity, in flits, of the buffer of one VC behind each output port; by port_index().
    std::vector<std::uint16_t> depth_beyond;
    /// True: a foreign block stands in the router's place, in this or another process.
    std::vector<bool> foreign;

    /// Returns the router_terms of router `r` (number of VCs, buffers and so on, which its neighbours must
    /// know); the reference is valid until the next call of terms() or terms_of(). The terms of the model
    /// asked last are kept, since neighbours mostly share one.
    const router_terms& terms(std::uint32_t r) const { return terms_of(*models[r]); }
    /// Returns the router_terms of routers of a model; the reference is valid until the next call of terms()
    /// or terms_of().
    const router_terms& terms_of(const router_model& model) const {
        if (&model != m_asked) {
            m_asked = &model;
            m_terms = model.terms();
        }
        return m_terms;
    }

  private:
    mutable const router_model* m_asked = nullptr;
    mutable router_terms m_terms;
};

/// The links of a network while it is built; empty when it is finished.
struct link_table {
    static constexpr std::uint32_t no_link = 0xffffffff;  ///< value of `from` and `into`: no link
    std::vector<connection> all;                          ///< all links, one direction each
    /// Index in `all` of the link that begins at each output, and of the link that ends at each input;
    /// no_link: none. By port_index().
    std::vector<std::uint32_t> from, into;
};

/// Properties of a whole network, found before the first cycle so that cycles need not look for them.
struct network_modes {
    bool owners = false;            ///< some routers contain the injection queues of their nodes
    bool has_slow = false;          ///< some routers or NICs have another clock than the network
    bool batched = false;           ///< some routers send credits in batches
    bool conserves_packets = true;  ///< no router copies packets or drops them
    bool compact_allowed = true;    ///< fast, compact implementations of routers may be chosen
    bool counts_events = false;     ///< events of routers are counted, for some statistic
    bool all_checked = false;  ///< routers of all kinds are checked in each cycle, not only those of plugins
    network_scale least_scale = network_scale::small;  ///< least scale, set by network_builder::run_as()
    bool few_packets = false;       ///< few packets are expected: network_builder::expect_few_packets()
    bool dense = false;             ///< the network is run as network_scale::dense or dense_huge
    bool shows_congestion = false;  ///< the routing function looks at queues
    bool one_part = true;           ///< the network has one part, run by one thread
    bool refusals = false;          ///< some node refuses what arrives there, or has done so
};

/// The workloads of a network, and what they can ask of it.
struct network_traffic {
    workload* main = nullptr;  ///< workload of all messages except those of `bridge`; null: none
    /// `main`, if it is a synchronized_workload and several processes run the network; else null.
    synchronized_workload* synchronized = nullptr;
    /// Most flits that a node takes in a cycle; set only if `synchronized` is not null.
    std::uint32_t most_ejected = 1;
    workload* bridge = nullptr;       ///< workload of messages with bit 63 of the tag set; null: `main`
    cycle_t first_cycle = 0;          ///< first cycle in the life of `main`
    double cycle_seconds = 1e-9;      ///< clock period in seconds
    std::vector<std::uint32_t> dims;  ///< sizes of the grid of nodes, by dimension; 0 varies fastest

    /// Returns the workload that has sent a message; null: none is set.
    workload* owner_of(const message& m) const {
        return bridge != nullptr && (m.tag >> 63) != 0 ? bridge : main;
    }
};

/// Short cut by which network_port::send() gives messages to the NICs without checks for hazards, processes
/// and parts. `to` is null in a network with hazards, several processes or several parts, and before the
/// network is finished.
struct direct_sending {
    nics* to = nullptr;                    ///< NICs that take messages; null: no short cut
    std::uint32_t nodes = 0, classes = 0;  ///< number of nodes, and of message classes, of the network
};

/// Events of a cycle that the workload has not been told of yet.
struct cycle_events {
    std::vector<packet_drop> drops;   ///< packets that were dropped
    std::vector<nics::arrival> lost;  ///< messages that lost a packet and have no flit under way any more
};

/// Running the blocks of each cycle in random order, which must not change results: for tests.
struct shuffled_order {
    bool on = false;  ///< true: the order is random
    rng random;       ///< stream from which the order of each cycle is drawn
};

/// The threads that run a network, one for each part.
struct network_threads {
    thread_policy policy;  ///< rules for the number of threads
    std::string obstacle;  ///< reason why there are fewer threads than wanted; "": there are not fewer
    std::unique_ptr<thread_team> team;  ///< null before the first cycle that several threads share
    thread_trial trial;                 ///< measures whether several threads are faster than one
    /// Router banks that keep a number for each packet slot (tlm/router_api/in_parts.h).
    std::vector<packet_keeper*> packet_keepers;
};

/// The state of a network, which its routers see as router_context. Numbers of routers, nodes, ports and VCs
/// are not checked.
class network_state final : public router_context {
  public:
    using end = link_end;

    /// Makes an empty network. `shares`: VCs of each message class at a port; `seed`: seed of all random
    /// streams.
    network_state(const class_vcs& shares, std::uint64_t seed);
    ~network_state() override;

    /// @name router_context
    /// @{
    std::uint32_t routers() const override { return static_cast<std::uint32_t>(table.models.size()); }
    std::uint32_t nodes() const override { return nics.size(); }
    std::uint32_t ports(std::uint32_t router) const override { return table.ports[router]; }
    bool batched() const override { return modes.batched; }
    std::uint64_t max_packet() const override { return nics.max_packet(); }
    bool compact_layouts_allowed() const override { return modes.compact_allowed; }
    network_scale scale() const override;
    using router_context::domain_of;
    clock_domain& domain_of(std::uint32_t router) override {
        return table.domain_of.empty() ? parts[0].base : *domains[table.domain_of[router]];
    }
    link_sleep& sleeper(std::uint32_t number) override { return sleepers[number]; }
    const connection* link_from(std::uint32_t router, std::uint32_t port) const override;
    const connection* link_into(std::uint32_t router, std::uint32_t port) const override;
    wire_delays delays_of(const connection& c) const override;
    std::uint32_t cycles_per_flit(const connection& c) const override;
    buffer_places places_at(const connection& c) const override;
    void key_routes() override;
    std::uint32_t most_candidates() const override;
    packet_id copy(router_id r, port_id in, packet_id id, const route_header& way) override;
    void drop(router_id r, packet_id id, const std::string& cause, std::uint32_t port) override;
    void count_detour(std::uint32_t flits) override { changes.detoured.add(flits); }
    injection_port& injection() override { return nics; }
    /// @}

    /// @name Routes and time
    /// @{
    route_table& routes() { return m_routes; }
    using router_context::routes;
    shared_pool<message_record>& messages() { return m_messages; }
    using router_context::messages;
    /// Sets the map and the routing function; both must outlive the network.
    void set_routing(const topology& map, const routing_function& routing);
    /// Replaces the routing function while the network runs, after a failure. From then on routing sees no
    /// congestion.
    void route_by(const routing_function& routing);
    /// Sets whether the route of a head is looked up by find_candidates_seeing(), since routing looks at
    /// queues or links may fail.
    void set_routing_sees(bool sees) { m_routing_sees = sees; }
    /// Restarts all streams of random numbers from `seed`.
    void set_seed(std::uint64_t seed);
    /// True if cycle `t` has not begun: `t` is later than now(), or advance_to() has not been called yet.
    bool is_new(cycle_t t) const { return t > m_now || !begun; }
    /// Makes `t`, which must not be before now(), the current cycle. First does what is due before it:
    /// samples of congestion, choices of clock governors, shared sums, and forget_times() of the banks.
    void advance_to(cycle_t t) {
        if (__builtin_expect(t >> 31 != m_now >> 31 || board != nullptr || !table.sums.empty() ||
                                 table.running.are_governed(),
                             0))
            prepare_for(t);
        m_now = t;
        begun = true;
    }
    /// @}

    /// @name Where things are
    /// @{
    /// True after network_builder::finish(), if there is a router.
    bool is_finished() const { return !table.bank_of.empty(); }
    /// Returns the index of a router's port among the ports of all routers, in ascending order of router and
    /// port.
    std::size_t port_index(std::uint32_t router, std::uint32_t port) const {
        return table.first_port[router] + port;
    }
    /// Returns the state of an input VC of a router of this process.
    in_vc in(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
        return bank_of(router).in(in_bank(router), port, vc);
    }
    /// Returns the state of an output VC of a router of this process.
    out_vc out(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
        return bank_of(router).out(in_bank(router), port, vc);
    }
    /// Returns the capacity, in flits, of the buffer of one VC behind an output port; 0 for a port that leads
    /// nowhere.
    std::uint32_t depth_beyond(std::uint32_t router, std::uint32_t port) const {
        return table.depth_beyond[port_index(router, port)];
    }
    router_bank& bank_of(std::uint32_t router) const override { return *table.banks[table.bank_of[router]]; }
    std::uint32_t in_bank(std::uint32_t router) const override { return table.in_bank[router]; }
    bool has_router(std::uint32_t router) const override {
        return remote == nullptr || remote->router_is_here(router);
    }
    /// True if this process runs the node.
    bool has_node(std::uint32_t node) const { return remote == nullptr || remote->node_is_here(node); }
    /// True if another process runs the block at this end of a link.
    bool is_remote(const end& e) const { return remote != nullptr && !remote->is_here(e); }
    /// Returns the router that a node sends into; the node's own number in a network without a map.
    std::uint32_t router_of(std::uint32_t node) const {
        return m_map == nullptr ? node : m_map->router_of(node_id(node)).value;
    }
    /// Returns the domain whose planes the block at this end of a link reads; for a block of another process
    /// a stand-in (remote_links::beyond()).
    clock_domain& domain_of(const end& e);
    /// Returns the clock of the block at this end of a link.
    const running_clock& clock_of(const end& e) const {
        if (e.what == end::kind::router) return domain_of(e.id).clock();
        return e.what == end::kind::nic ? nics.clock(e.id) : running_clock::of_network();
    }
    /// True if the router of a node contains the node's injection queues, so that no link lies between them.
    bool is_inside_router(std::uint32_t node) const;
    /// Returns the wire that carries flits to the block at the reading end of a link, without its delay.
    std::pair<wire, wire_extras> flits_to(const end& reader) const;
    /// Returns the wire that carries credits to the block at the writing end of a link, without its delay.
    std::pair<wire, wire_extras> credits_to(const end& writer) const;
    /// @}

    /// @name Losses
    /// @{
    /// Gives slot `packet` back to the pool; call it in the thread that runs part `part`, or while no other
    /// thread runs.
    void give_back(std::uint32_t packet, std::uint32_t part = 0);
    /// Notes that `flits` flits of a message, given by its slot, will never arrive; its workload is told in
    /// the next step. Does not count them as dropped. `cause`: name under which the message's loss is
    /// counted; `at`: place that the workload is told; `order`: see packet_drop.
    void lose(std::uint32_t message, std::uint32_t flits, const std::string& cause,
              const drop_location& at = drop_location(), std::uint64_t order = packet_drop::first);
    /// @}

    /// Connects the NICs with the observers of packets: directly in a network of one part, else by the
    /// deferred_observer of each part. Call after each change of the observers.
    void share_observers();

    /// Writes the state that cycles change, or reads it into a network that was built alike. Throws
    /// state_error if the state cannot be written or does not fit.
    void serialize(archive& a);

    router_table table;                        ///< routers, their banks and clocks
    link_table links;                          ///< links, until the network is finished
    network_modes modes;                       ///< properties of the whole network
    partition_map map_of_parts;                ///< part that each router and node belongs to
    std::deque<partition> parts{1};            ///< parts of this process; by part number
    std::vector<clock_domain*> domains;        ///< domains of all parts; by domain number
    network_threads threads;                   ///< threads that run the parts
    std::unique_ptr<remote_links> remote;      ///< null: this is the only process
    std::unique_ptr<congestion_board> board;   ///< null: routing does not look at queues of other routers
    std::vector<foreign_block_state> foreign;  ///< foreign blocks; by number of add_foreign()
    /// Links that can sleep, and links from and to routers that can go off; by number.
    std::deque<link_sleep> sleepers;
    /// Index in `sleepers` of each link that can sleep; by the writing end of the link.
    std::map<end, std::uint32_t> sleeper_of;
    all_nics nics;                 ///< NICs of all nodes
    std::uint32_t live_nodes = 0;  ///< number of nodes that have NICs; 0 before the network is finished
    hop_table hops;  ///< number of routers on each route; empty unless heads carry keys of the route table
    network_traffic traffic;                 ///< workloads
    direct_sending sending;                  ///< short cut of network_port::send()
    packet_changes changes;                  ///< counts of copied, dropped and lost packets
    cycle_events events;                     ///< events that workloads have not been told of yet
    observer_list observers;                 ///< observers of packets
    packet_listener listener{m_messages};    ///< packets that have arrived, for `traffic.main`
    std::unique_ptr<link_watch> watch;       ///< null: nobody observes flits or cycles
    std::unique_ptr<sare::hazards> hazards;  ///< null: no failures and no bit errors
    shuffled_order shuffle;                  ///< random order of blocks, for tests
    /// Latency in cycles of the fastest link from a router to a router, and from a router to a NIC; 1 if
    /// there is none.
    std::uint32_t least_link_cycles = 1, least_ejection_cycles = 1;
    /// Engine that may still have to run cycles which are over; null: none.
    lagging_engine* behind = nullptr;
    bool begun = false;  ///< true: the first cycle has begun

  private:
    void find_candidates_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                                route_set& out) const override;
    void prepare_for(cycle_t t);
    void forget_times(cycle_t t);
};

/// Drops packet `id`, a slot, at a block that holds all of its flits, and gives the slot back. Statistics
/// count the drop under `cause` at `at`. `part`: part of the network that the block belongs to; `order`: see
/// packet_drop.
void drop_packet(network_state& net, std::uint32_t id, const std::string& cause, const drop_location& at,
                 std::uint64_t order, std::uint16_t part);

/// True if the network has one part and one process, no hazards, and only routers that neither copy nor drop
/// packets nor contain their nodes' queues.
inline bool runs_alone(const network_state& net) {
    return net.modes.conserves_packets && net.modes.one_part && !net.modes.owners && net.hazards == nullptr &&
           net.remote == nullptr;
}

/// True if cycles that call nothing outside of the network may be run by run_unobserved(): runs_alone() is
/// true, nobody observes flits or cycles, and no node has ever refused what arrives.
inline bool runs_unseen(const network_state& net) {
    return runs_alone(net) && net.watch == nullptr && !net.modes.refusals;
}

/// Returns the power gate of the router at an end of a link; null: it is no router that can go off.
inline router_gate* gate_at(network_state& net, const link_end& e) {
    const auto its = e.what == link_end::kind::router ? net.table.gates.find(e.id) : net.table.gates.end();
    return its == net.table.gates.end() ? nullptr : &its->second;
}

}  // namespace sare
