// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/agreeing.h"
#include "tlm/api/packet_changes.h"
#include "tlm/base/shared_pool.h"
#include "tlm/base/thread_team.h"
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

/// What a network is made of and what it is doing: the data that the builder makes, the stepper moves and the
/// view shows. Only files of tlm/fabric include this.
namespace sare {

struct hazards;
class lagging_engine;
class link_watch;

/// The routers of a network, by number. All of it is fixed when the network is finished.
struct router_table {
    std::vector<std::shared_ptr<const router_model>> models;
    std::vector<std::uint32_t> ports;
    std::vector<std::uint32_t> clocks;            ///< empty where all are 1
    std::vector<std::uint16_t> domain_of;         ///< empty where there is one domain
    std::vector<router_bank*> banks;              ///< of all domains
    std::vector<shared_sum*> sums;                ///< what these count together
    std::vector<std::uint32_t> bank_of, in_bank;  ///< by router: its bank, its number there
    std::vector<std::size_t> first_port;          ///< by router: see network_state::port_index()
    std::vector<std::uint16_t> depth_beyond;      ///< by port_index(): flits that a VC at the other end holds
    std::vector<bool> foreign;  ///< blocks that are not the model's stand there, in any process

    /// What the model of router `r` says; until the next call. While the network is built: mostly neighbours
    /// have one model, which is not asked again.
    const router_terms& terms(std::uint32_t r) const { return terms_of(*models[r]); }
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
    static constexpr std::uint32_t no_link = 0xffffffff;
    std::vector<connection> all;
    std::vector<std::uint32_t> from, into;  ///< by port_index(): in `all`
};

/// What is true of a whole network, so that no cycle need find out.
struct network_modes {
    bool owners = false;            ///< some routers own the injection queues of their nodes
    bool has_slow = false;          ///< some routers have another clock than 1
    bool batched = false;           ///< some routers send credits in batches
    bool conserves_packets = true;  ///< no router copies or drops packets
    bool fast_allowed = true;       ///< fast implementations may be chosen
    network_scale least_scale = network_scale::small;  ///< it is run as, however few routers there are
    bool few_packets = false;                          ///< at a time, mostly
    bool shows_congestion = false;                     ///< routing looks at congestion
    bool one_part = true;                              ///< one thread runs all
};

/// The traffic of a network, and who is told of it.
struct network_traffic {
    workload* main = nullptr;
    agreeing_workload* agreeing = nullptr;  ///< that, where several processes run the network
    std::uint32_t most_ejected = 1;         ///< then: flits that a node takes in a cycle
    workload* bridge = nullptr;             ///< of messages whose tag has the highest bit set
    cycle_t first_cycle = 0;                ///< of the main workload
    double cycle_seconds = 1e-9;
    std::vector<std::uint32_t> dims;  ///< of the grid of nodes

    /// The workload of a message; null: nobody's.
    workload* owner_of(const message& m) const { return (m.tag >> 63) != 0 ? bridge : main; }
};

/// Where messages go at once: nowhere in a network with hazards, processes or several parts, and before it is
/// finished.
struct direct_sending {
    nics* to = nullptr;
    std::uint32_t nodes = 0, classes = 0;
};

/// What a cycle has brought about and the workload is still to be told.
struct cycle_events {
    std::vector<packet_drop> drops;
    std::vector<nics::arrival> lost;  ///< messages that owe nothing more
};

/// The order of blocks in a cycle, drawn at random: results must not depend on it.
struct shuffled_order {
    bool on = false;
    rng random;
};

/// How many threads run a network.
struct network_threads {
    thread_policy policy;
    std::string obstacle;                        ///< why there are fewer than wanted; "" if there are not
    std::unique_ptr<thread_team> team;           ///< null where there is one part, and before it is needed
    std::vector<packet_keeper*> packet_keepers;  ///< banks
};

class network_state final : public router_context {
  public:
    using end = link_end;

    network_state(const class_vcs& shares, std::uint64_t seed);
    ~network_state() override;

    /// @name router_context
    /// @{
    std::uint32_t routers() const override { return static_cast<std::uint32_t>(table.models.size()); }
    std::uint32_t nodes() const override { return nics.size(); }
    std::uint32_t ports(std::uint32_t router) const override { return table.ports[router]; }
    bool batched() const override { return modes.batched; }
    std::uint64_t max_packet() const override { return nics.max_packet(); }
    bool fast_routers_allowed() const override { return modes.fast_allowed; }
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
    std::uint32_t depth_at(const connection& c) const override;
    void key_routes() override;
    std::uint32_t most_candidates() const override;
    std::uint32_t copy(std::uint32_t r, std::uint32_t in, std::uint32_t id, const route_header& way) override;
    void drop(std::uint32_t r, std::uint32_t id, const std::string& cause, std::uint32_t port) override;
    void count_detour(std::uint32_t flits) override { changes.detoured.add(flits); }
    injection_port& injection() override { return nics; }
    /// @}

    /// @name Routes and time
    /// @{
    route_table& routes() { return m_routes; }
    using router_context::routes;
    shared_pool<message_record>& messages() { return m_messages; }
    using router_context::messages;
    void set_routing(const topology& map, const routing_function& routing);
    /// From now on packets go by another routing function.
    void route_by(const routing_function& routing);
    void set_routing_sees(bool sees) { m_routing_sees = sees; }
    void set_seed(std::uint64_t seed);
    /// Cycle `t` has not begun; in the beginning cycle 0 has not either.
    bool is_new(cycle_t t) const { return t > m_now || !begun; }
    void advance_to(cycle_t t) {
        if (__builtin_expect(t >> 31 != m_now >> 31 || board != nullptr || !table.sums.empty(), 0))
            prepare_for(t);
        m_now = t;
        begun = true;
    }
    /// @}

    /// @name Where things are
    /// @{
    bool is_finished() const { return !table.bank_of.empty(); }
    /// Of a router port among the ports of the whole network, in order of routers.
    std::size_t port_index(std::uint32_t router, std::uint32_t port) const {
        return table.first_port[router] + port;
    }
    in_vc in(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
        return bank_of(router).in(in_bank(router), port, vc);
    }
    out_vc out(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
        return bank_of(router).out(in_bank(router), port, vc);
    }
    std::uint32_t depth_beyond(std::uint32_t router, std::uint32_t port) const {
        return table.depth_beyond[port_index(router, port)];
    }
    router_bank& bank_of(std::uint32_t router) const override { return *table.banks[table.bank_of[router]]; }
    std::uint32_t in_bank(std::uint32_t router) const override { return table.in_bank[router]; }
    bool has_router(std::uint32_t router) const override {
        return remote == nullptr || remote->router_is_here(router);
    }
    bool has_node(std::uint32_t node) const { return remote == nullptr || remote->node_is_here(node); }
    bool is_remote(const end& e) const { return remote != nullptr && !remote->is_here(e); }
    std::uint32_t router_of(std::uint32_t node) const {
        return m_map == nullptr ? node : m_map->router_of(node_id(node)).value;
    }
    clock_domain& domain_of(const end& e);
    std::uint32_t clock_of(const end& e) const {
        return e.what == end::kind::router ? domain_of(e.id).period() : 1;
    }
    /// The queues of a node are in its router, so that there is no link between them.
    bool is_inside_router(std::uint32_t node) const;
    /// Where the reader of a link finds flits, or the writer of a link credits.
    std::pair<wire, wire_extras> flits_to(const end& reader) const;
    std::pair<wire, wire_extras> credits_to(const end& writer) const;
    /// @}

    /// @name Losses
    /// @{
    /// Gives a slot of the pool of packets back.
    void give_back(std::uint32_t packet, std::uint32_t part = 0);
    /// So many flits of a message will never come; its workload will be told. `order`: see packet_drop.
    void lose(std::uint32_t message, std::uint32_t flits, const std::string& cause,
              const drop_location& at = drop_location(), std::uint64_t order = packet_drop::first);
    /// @}

    /// NICs tell the observers at once, or, where other parts run at the same time, when all parts have run.
    void share_observers();

    /// Writes all that cycles change, or reads it into a network that was built alike.
    void serialize(archive& a);

    router_table table;
    link_table links;
    network_modes modes;
    partition_map map_of_parts;
    std::deque<partition> parts{1};
    std::vector<clock_domain*> domains;  ///< of all parts
    network_threads threads;
    std::unique_ptr<remote_links> remote;  ///< null where this is the only process
    std::unique_ptr<congestion_board> board;
    std::vector<foreign_block_state> foreign;
    std::deque<link_sleep> sleepers;
    std::map<end, std::uint32_t> sleeper_of;  ///< by the beginning of its link
    all_nics nics;
    std::uint32_t live_nodes = 0;  ///< nodes that have NICs: none before the network is finished
    hop_table hops;                ///< where heads carry keys
    network_traffic traffic;
    direct_sending sending;
    packet_changes changes;
    cycle_events events;
    observer_list observers;
    packet_listener listener{m_messages};
    std::unique_ptr<link_watch> watch;       ///< null where nobody observes flits or cycles
    std::unique_ptr<sare::hazards> hazards;  ///< null where nothing fails and no bit is hit
    shuffled_order shuffle;
    /// Latency of the fastest link between routers, and to a NIC.
    std::uint32_t least_link_cycles = 1, least_ejection_cycles = 1;
    lagging_engine* behind = nullptr;  ///< who has cycles still to run that are over; null: nobody
    bool begun = false;                ///< with cycle 0

  private:
    void find_candidates_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                                route_set& out) const override;
    void prepare_for(cycle_t t);
    void forget_times(cycle_t t);
};

/// Packet `id`, all of whose flits have come to one block, is dropped there. `part`: that of the block, which
/// is running; `order`: see packet_drop.
void drop_packet(network_state& net, std::uint32_t id, const std::string& cause, const drop_location& at,
                 std::uint64_t order, std::uint16_t part);

/// Of what the network is made of: it runs by itself, and nothing fails.
inline bool runs_alone(const network_state& net) {
    return net.modes.conserves_packets && net.modes.one_part && !net.modes.owners && net.hazards == nullptr &&
           net.remote == nullptr;
}

/// Cycles may run in which nothing outside is called, without what step() does besides.
inline bool runs_unseen(const network_state& net) {
    return runs_alone(net) && net.watch == nullptr;
}

}  // namespace sare
