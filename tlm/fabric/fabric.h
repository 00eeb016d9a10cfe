// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/counted_network.h"
#include "tlm/api/packet.h"
#include "tlm/api/packet_changes.h"
#include "tlm/api/workload.h"
#include "tlm/base/thread_team.h"
#include "tlm/fabric/congestion.h"
#include "tlm/fabric/hazards/failures.h"
#include "tlm/router_api/link_sleep.h"
#include "tlm/fabric/observer_list.h"
#include "tlm/fabric/packet_listener.h"
#include "tlm/fabric/parts/partition.h"
#include "tlm/fabric/parts/partition_map.h"
#include "tlm/fabric/parts/remote_links.h"
#include "tlm/nic/all_nics.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/clock_domain.h"
#include "tlm/router_api/connection.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/protocol_error.h"
#include "tlm/router_api/route_table.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/topology.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The network as a machine, moved cycle by cycle. The fabric owns the links, knows which endpoints are
/// awake, and keeps the order of a cycle; what a router or NIC does is theirs. No SystemC here; the modules
/// of tlm/systemc build it, and cycle_engine runs it.
/// Numbers of nodes, routers, ports, VCs and message classes that there are not, and all of them before
/// finish(), are std::out_of_range, in one line; not so what only routers call.
namespace sare {

/// A block that is not ours on one of our links: it is handed what arrives, cycle by cycle, and writes
/// through fabric::write_flit and write_credit.
class foreign_endpoint {
  public:
    virtual ~foreign_endpoint() = default;
    virtual void flit_arrived(const flit& f) = 0;
    virtual void credit_arrived(std::uint32_t vc, std::uint32_t count) = 0;
};

class fabric final : public traffic_port, public counted_network {
  public:
    using end = link_end;

    /// @name Building, before finish(). All routers have the same number of VCs.
    /// @{
    explicit fabric(std::uint32_t vcs, std::uint32_t classes, std::uint64_t seed);
    ~fabric() override;
    fabric(const fabric&) = delete;
    fabric& operator=(const fabric&) = delete;

    /// Gives its number. Throws config::error for a number of ports or VCs that cannot be. `clock`: cycles of
    /// the network that one of the router's takes.
    std::uint32_t add_router(std::shared_ptr<const router_model> model, std::uint32_t ports,
                             std::uint32_t clock = 1);
    std::uint32_t add_nic(const nic_params& params);
    std::uint32_t add_foreign(foreign_endpoint& block);
    /// `in_place_of`: the router or NIC that a foreign `to` stands for (its number was given by add_router()
    /// or add_nic()); the sender then treats it as that: buffers, and when a packet may begin. Throws
    /// config::error for attributes that no link has.
    void connect(const end& from, const end& to, const link_attributes& link,
                 const std::optional<end>& in_place_of = std::nullopt);
    /// The network's map and its routing function; both outlive the fabric.
    void set_routing(const topology& map, const routing_function& routing);
    /// What will fail, after set_routing(). All routers are readable ones then, and routes are not tabulated.
    /// finish() throws config::error where the network cannot go on.
    void set_failures(failure_schedule all);
    /// Bits of a flit, for links with bit errors. After set_routing().
    void set_bit_errors(std::uint32_t flit_bits);
    /// Several threads run it, a part each: results are the same. Fewer, or one, where threads_obstacle()
    /// says why.
    void set_threads(const thread_policy& rule) { m_thread_policy = rule; }
    /// Before the first connect(): it is one of several processes that run the network, each the routers and
    /// nodes of its rank. All make all routers and NICs known; links between others are forgotten at once.
    void set_world(world& all, partition_map ranks) {
        m_remote = std::make_unique<remote_links>(all, std::move(ranks), m_packets, m_messages);
    }
    /// Lays out all memory. Throws config::error where buffers and packets do not fit the switching mode.
    void finish();
    /// No implementation of a router but the readable one: results must not change. For tests.
    void forbid_fast_routers() { m_fast_allowed = false; }
    /// As if there were too many routers for looking them all through.
    void run_from_lists() { m_from_lists = true; }
    /// @}

    /// @name Running
    /// @{
    /// `first`: the first cycle that it lives in, none before it will be run any more.
    void set_workload(workload* w, cycle_t first = 0);
    /// @name What looks on, before the first cycle or in mid-run. They outlive the run or are removed.
    /// @{
    /// In the place of the one that was set before; null: of none.
    void set_observer(observer* o) {
        m_observers.set(o);
        notify_observers();
    }
    /// Beside those there are.
    void add_observer(observer& o) {
        m_observers.add(o);
        notify_observers();
    }
    void remove_observer(const observer& o) {
        m_observers.remove(o);
        notify_observers();
    }
    /// As network_engine has it; what goes into blocks that are not ours is not seen. After finish().
    std::vector<std::string> observe_flits(flit_observer& o);
    void remove_observer(const flit_observer& o);
    void add_observer(cycle_observer& o);
    void remove_observer(const cycle_observer& o);
    /// The ends of the links by the numbers that flit_observer has; none before observe_flits().
    std::vector<std::pair<end, end>> observed_links() const;
    /// There are observers of flits or cycles.
    bool is_watched() const { return m_watch != nullptr; }
    /// @}
    /// Messages whose tag has the highest bit set go to `b` and not to the workload.
    void set_bridge(workload* b) { m_bridge = b; }
    void set_cycle_seconds(double s) { m_cycle_seconds = s; }
    /// Another seed than at construction; before the first cycle.
    void set_seed(std::uint64_t seed);
    /// Runs cycle `t`, larger than any before.
    void step(cycle_t t);
    /// Cycle `t` is over, though nothing happened in it or in those before it: for a look inside then.
    void pass(cycle_t t) {
        if (m_watch != nullptr) notify_cycles(t + 1);
        if (is_new(t)) advance_to(t);
    }
    /// The present cycle is over, where there has been one.
    void pass() {
        if (m_begun) pass(m_now);
    }
    /// The first cycle after `t` in which anything can happen; workload::never if nothing ever will.
    cycle_t next_work(cycle_t t) const;
    /// The same, where several processes run the network: next_work() may then name an earlier one.
    cycle_t next_work_of_all(cycle_t t) const;
    /// Runs cycles from `next`, which next_work() gave, that come before `before`, up to the first one that
    /// may not be the business of routers, links and NICs alone: one in which a workload, an observer or a
    /// block that is not ours is called. Gives the first cycle not run that has work.
    cycle_t run_unobserved(cycle_t next, cycle_t before);
    /// Evaluate the blocks of a cycle in a random order: results must not change. For tests.
    void shuffle_evaluation(std::uint64_t seed);
    /// Writes all that cycles change, or reads it into a network that was built alike: docs/checkpoint.md.
    /// Between two cycles. Throws state_error where it cannot be.
    void serialize(archive& a);
    /// What networks are told apart by, in words: how it is built, and of what.
    std::string build_text() const;
    /// @}

    /// @name Reset: before cycle `t` is run
    /// @{
    /// Every packet and every message is dropped with cause "reset", which step(t) tells; then all is as
    /// after finish(), but for what is counted.
    void reset(cycle_t t);
    /// One router. Lost are the packets that have a flit in it or on its links, or that have an output VC of
    /// it: they are taken out of the whole network, with their credits.
    void reset_router(std::uint32_t router, cycle_t t);
    /// One NIC. Lost are the messages in its source queues, and the packets that it is injecting or receiving
    /// or that have a flit on its links.
    void reset_nic(std::uint32_t node, cycle_t t);
    /// Why that cannot be, on one line; "" if it can.
    std::string obstacle_to_reset() const;
    std::string obstacle_to_block_reset() const;
    /// @}

    /// @name Links that sleep
    /// @{
    std::size_t sleepers() const { return m_sleepers.size(); }
    /// By number, wire_extras::sleeps - 1; and of the link at an output of a router or NIC, if it can sleep.
    link_sleep& sleeper(std::uint32_t number) {
        if (number >= m_sleepers.size()) refuse("link that can sleep", number, m_sleepers.size());
        return m_sleepers[number];
    }
    const link_sleep* sleeper_of(const end& from) const {
        const auto number = sleeper_number(from);
        return number ? &m_sleepers[*number] : nullptr;
    }
    std::optional<std::uint32_t> sleeper_number(const end& from) const;
    /// @}

    /// @name traffic_port
    /// @{
    std::uint32_t nodes() const override { return m_nics.size(); }
    bool is_here(std::uint32_t node) const override {
        return m_remote == nullptr || m_remote->node_is_here(checked_node(node, nodes()));
    }
    std::uint32_t classes() const override { return m_classes; }
    std::uint64_t seed() const override { return m_seed; }
    cycle_t now() const override { return m_now; }
    cycle_t first_cycle() const override { return m_first_cycle; }
    double cycle_seconds() const override { return m_cycle_seconds; }
    const std::vector<std::uint32_t>& dims() const override { return m_dims; }
    std::uint32_t router_of(std::uint32_t node) const override {
        return m_map == nullptr ? node : m_map->router_of(node_id(checked_node(node, nodes()))).value;
    }
    const multicast_table* multicast() const override {
        return m_conserves_packets || m_routing == nullptr ? nullptr : m_routing->groups();
    }
    std::uint32_t flits_for(std::uint64_t bytes) const override { return m_nics.flits_for(bytes); }
    void send(const message& m) override {
        if (__builtin_expect(!m_sends_at_once, 0)) return send_with_hazards(m);
        check(m);
        m_nics.all_in_one().send(m.source, m);
    }
    /// Why it cannot be sent: which of its numbers is none ("to node 7, and there are 4"); "" if it can.
    std::string wrong_with(const message& m) const;
    std::uint32_t queued(std::uint32_t node) const override {
        return m_nics[checked_node(node, m_live_nodes)].queued;
    }
    void call_when_queued(std::uint32_t node, std::uint32_t level) override {
        const auto [its, n] = m_nics.at(checked_node(node, m_live_nodes));
        its.call_when_queued(n, level);
    }
    /// @}

    /// @name For foreign blocks: what they send in cycle `at`, the current one or a later one
    /// @{
    void write_flit(std::uint32_t foreign, const flit& f, cycle_t at);
    void write_credit(std::uint32_t foreign, std::uint32_t vc, cycle_t at);
    /// @}

    /// @name For NICs whose work is done outside: only their source queues stay here
    /// @{
    void take_over_nic(std::uint32_t node) { m_nics.take_over(checked_node(node, nodes())); }
    bool is_taken_over(std::uint32_t node) const { return m_nics.is_taken_over(checked_node(node, nodes())); }
    using waiting_packet = sare::waiting_packet;
    /// The packet of a class that is next, or has begun to leave; null if none waits.
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class) {
        const auto [its, n] = m_nics.at(checked_queue(node, message_class));
        return its.next_packet(n, message_class);
    }
    /// A flit of it leaves in cycle `t`; its number in packets(), which it gets with the first one.
    std::uint32_t flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t) {
        const auto [its, n] = m_nics.at(checked_queue(node, message_class));
        return its.flit_leaves(n, message_class, t);
    }
    /// A flit has arrived; its credit is given outside.
    void flit_arrives(std::uint32_t node, const flit& f, cycle_t t) {
        if (f.packet >= m_packets.slots()) refuse("packet", f.packet, m_packets.slots());
        const auto [its, n] = m_nics.at(checked_node(node, m_live_nodes));
        its.flit_arrives(n, f, t);
    }
    /// @}

    /// @name For routers that own the injection queues of their nodes: see nics
    /// @{
    std::uint32_t take_packet(std::uint32_t node, std::uint32_t message_class) {
        const auto [its, n] = m_nics.at(node);
        return its.take_packet(n, message_class);
    }
    void packet_leaves(std::uint32_t node, std::uint32_t id, cycle_t t) {
        const auto [its, n] = m_nics.at(node);
        its.packet_leaves(n, id, t);
    }
    void flit_injected(std::uint32_t node) {
        const auto [its, n] = m_nics.at(node);
        its.flit_injected(n);
    }
    void flit_consumed(std::uint32_t node) {
        const auto [its, n] = m_nics.at(node);
        its.flit_consumed(n);
    }
    void packet_arrives(std::uint32_t node, std::uint32_t id, cycle_t t) {
        const auto [its, n] = m_nics.at(node);
        its.packet_arrives(n, id, t);
    }
    /// @}

    /// @name For routers: what they work with
    /// @{
    /// Where it reads and writes, in cycles of its own clock.
    clock_domain& domain_of(std::uint32_t router) {
        return m_domain_of.empty() ? m_parts[0].base : *m_domains[m_domain_of[router]];
    }
    const clock_domain& domain_of(std::uint32_t router) const {
        return m_domain_of.empty() ? m_parts[0].base : *m_domains[m_domain_of[router]];
    }
    const routing_function* routing() const { return m_routing; }
    /// A copy of packet `id`, which has come to router `r` by port `in`: as long, of the same message, with a
    /// way of its own. Whoever asks for it sends its flits on, the head with head_number(). The message is
    /// complete when the copies have come, too; workload::packet_delivered() tells of each. References to
    /// packets() are void.
    std::uint32_t copy(std::uint32_t r, std::uint32_t in, std::uint32_t id, const route_header& way);
    /// Packet `id` ends at router `r`, which has all of its flits, or had: none of them is anywhere else. The
    /// workload is told, and its message is never delivered. `cause`: what the statistics count it by.
    /// `port`: the output that it waited for.
    void drop(std::uint32_t r, std::uint32_t id, const std::string& cause,
              std::uint32_t port = drop_location::no_port);
    /// A packet leaves by an emergency route.
    void count_detour(std::uint32_t flits) { m_changes.detoured.add(flits); }
    /// flit::sequence of the head of a packet: what says its way in this network, or 0.
    std::uint16_t head_number(std::uint32_t id) const;
    /// The ways on of a packet whose head is at router `r`: routing_function::route() or what the table says
    /// of it, or route_seeing(). The header is brought up to date unless a table speaks.
    void find_candidates(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                         route_set& out) const {
        if (m_routes.exists())
            m_routes.look_up(r, in, header, out);
        else if (m_asks_more)
            find_candidates_seeing(r, in, in_vc, header, out);
        else
            m_routing->route(r, in, in_vc, header, out);
    }
    /// What find_candidates() gives at the most, and whether some of it may be an escape: now or later.
    std::uint32_t most_ways() const;
    bool needs_escape() const;
    const route_table& routes() const { return m_routes; }
    std::uint32_t vcs_per_class() const { return m_vcs / m_classes; }
    /// Some router sends credits in batches: they are counted wherever they go.
    bool batched() const { return m_batched; }
    /// Flits, the largest packet any NIC makes.
    std::uint64_t max_packet() const { return m_nics.max_packet(); }
    bool fast_routers_allowed() const { return m_fast_allowed; }
    /// What is awake is in a list, for these routers are more than what lies in the caches.
    bool runs_from_lists() const {
        constexpr std::uint32_t few = 256;
        return m_from_lists || routers() > few || nodes() > few;
    }
    /// In router_model::make_banks(): lets heads carry keys of the route table, if that can be.
    void key_routes();
    /// Routers need not count the hops of packets.
    bool knows_hops() const { return m_routes.keyed(); }
    /// The link at an output or input port, until finish() ends; null for a port that leads nowhere.
    const connection* link_from(std::uint32_t router, std::uint32_t port) const;
    const connection* link_into(std::uint32_t router, std::uint32_t port) const;
    /// Cycles of the writer from the grant of a flit to its reading, and of its credit: up to where it goes
    /// over to another clock, if it does.
    struct wire_delays {
        std::uint32_t forward, backward;
    };
    wire_delays delays_of(const connection& c);
    /// Cycles of the writer between two flits: it sends no faster than a reader of another clock takes them.
    std::uint32_t cycles_per_flit(const connection& c) const;
    /// Places for flits in the buffer of one VC at the receiving end.
    std::uint32_t depth_at(const connection& c) const;
    /// The same, at the other end of the link of an output port; 0 for a port that leads nowhere.
    std::uint32_t depth_beyond(std::uint32_t router, std::uint32_t port) const {
        check_place(router, port, 0);
        return m_depth_beyond[place_of(router, port)];
    }
    /// What routing is told of all routers; null where it does not ask.
    const congestion_board* board() const { return m_board.get(); }
    /// Output ports of the whole network, in order of routers and ports.
    std::size_t place_of(std::uint32_t router, std::uint32_t port) const {
        return m_first_port[router] + port;
    }
    router_bank& bank_of(std::uint32_t router) const { return *m_banks[m_bank_of[router]]; }
    std::uint32_t place_in_bank(std::uint32_t router) const { return m_place_in_bank[router]; }
    /// @}

    /// @name Looking inside, after finish()
    /// @{
    bool finished_building() const { return !m_bank_of.empty(); }
    std::uint32_t routers() const override { return static_cast<std::uint32_t>(m_models.size()); }
    std::uint32_t ports(std::uint32_t router) const override {
        return m_ports[checked_router(router, routers())];
    }
    const router_model& model(std::uint32_t router) const {
        return *m_models[checked_router(router, routers())];
    }
    std::uint32_t vcs() const override { return m_vcs; }
    const nic_state& nic(std::uint32_t node) const { return m_nics[checked_node(node, m_live_nodes)]; }
    in_vc in(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
        check_place(router, port, vc);
        return bank_of(router).in(place_in_bank(router), port, vc);
    }
    out_vc out(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
        check_place(router, port, vc);
        return bank_of(router).out(place_in_bank(router), port, vc);
    }
    void count_buffers(std::vector<std::uint64_t>& bins) const override;
    std::uint32_t flits_sent() const override;
    std::uint32_t flits_sent(std::uint32_t router) const {
        check_place(router, 0, 0);
        if (!has_router(router)) return 0;
        return bank_of(router).flits_sent(place_in_bank(router));
    }
    std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const override {
        check_place(router, port, vc);
        if (!has_router(router)) return 0;
        return bank_of(router).flits_sent(place_in_bank(router), port, vc);
    }
    /// The flit at place k (from the front) of an input VC.
    flit buffered(std::uint32_t router, std::uint32_t port, std::uint32_t vc, std::uint32_t k) const {
        if (k >= in(router, port, vc).count) refuse("flit", k, in(router, port, vc).count);
        return bank_of(router).buffered(place_in_bank(router), port, vc, k);
    }
    /// Whether an input VC still bids in VA (and so has no output VC).
    bool bids_for_vc(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
        check_place(router, port, vc);
        return bank_of(router).bids_for_vc(place_in_bank(router), port, vc);
    }
    const shared_pool<packet>& packets() const { return m_packets; }
    const shared_pool<message_record>& messages() const { return m_messages; }
    shared_pool<packet>& packets() { return m_packets; }
    /// The links to other processes; null where there are none.
    const remote_links* beyond() const { return m_remote.get(); }
    /// It is of this process: all else of this page is for these.
    bool has_router(std::uint32_t router) const {
        return m_remote == nullptr || m_remote->router_is_here(router);
    }
    /// That run it, each a part.
    std::uint32_t threads() const { return static_cast<std::uint32_t>(m_parts.size()); }
    /// After finish(): why there are not as many as set_threads() asked for, on one line; "" if there are.
    const std::string& threads_obstacle() const { return m_threads_obstacle; }
    const topology* map() const override { return m_map; }
    // Sums over the NICs: not for every cycle.
    std::uint64_t flits_injected() const override { return m_nics.sum_of(&nic_state::injected_flits); }
    std::uint64_t flits_consumed() const override { return m_nics.sum_of(&nic_state::consumed_flits); }
    std::uint64_t packets_injected() const override { return m_nics.sum_of(&nic_state::injected_packets); }
    std::uint64_t packets_consumed() const override { return m_nics.sum_of(&nic_state::consumed_packets); }
    const packet_changes& changes() const override { return m_changes; }
    node_counts counts_of(std::uint32_t node) const override;
    std::uint64_t messages_waiting() const { return m_nics.messages_waiting(); }  ///< wholly or in part
    std::uint64_t messages_started() const override { return m_nics.messages_started(); }
    /// Nothing is in the network or in a source queue.
    bool empty() const { return m_messages.in_use() == 0; }
    /// The measure of work done.
    std::uint64_t flit_hops() const override { return m_nics.flit_hops(); }
    /// Every credit is back and every buffer empty; else a line that says what is left.
    std::string leftovers() const;
    /// Of routers and links.
    std::uint64_t slab_bytes() const;
    /// @}

  private:
    class block_reset;     ///< see block_reset.h
    class packet_removal;  ///< see packet_removal.h
    class failure_state;   ///< see failure_state.h
    class bit_errors;      ///< see bit_errors.h
    struct hazards;        ///< see hazards.h
    /// @name What callers gave
    /// @{
    [[noreturn]] static void refuse(const char* what, std::uint64_t number, std::uint64_t all);
    [[noreturn]] void refuse(const message& m) const;
    static std::uint32_t checked_node(std::uint32_t node, std::uint32_t all) {
        if (__builtin_expect(node >= all, 0)) refuse("node", node, all);
        return node;
    }
    static std::uint32_t checked_router(std::uint32_t router, std::uint32_t all) {
        if (__builtin_expect(router >= all, 0)) refuse("router", router, all);
        return router;
    }
    std::uint32_t checked_queue(std::uint32_t node, std::uint32_t message_class) const {
        if (__builtin_expect(message_class >= m_classes, 0))
            refuse("message class", message_class, m_classes);
        return checked_node(node, m_live_nodes);
    }
    void check_place(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
        checked_router(router, static_cast<std::uint32_t>(m_bank_of.size()));
        if (port >= m_ports[router]) refuse("port", port, m_ports[router]);
        if (vc >= m_vcs) refuse("VC", vc, m_vcs);
    }
    void check(const message& m) const {
        if (__builtin_expect(m.source >= m_live_nodes || m.destination >= m_live_nodes ||
                                 m.message_class >= m_classes || m.flits == 0,
                             0))
            refuse(m);
    }
    /// @}
    void begin_reset(cycle_t t);
    void end_reset(cycle_t t);
    /// Flits of a message that are gone; its workload will be told.
    void lose(std::uint32_t message, std::uint32_t flits, const std::string& cause,
              const drop_location& at = drop_location());
    void give_back(std::uint32_t packet, std::uint32_t part = 0);
    void put_in_queue(const message& m) {
        const auto [its, n] = m_nics.at(m.source);
        const std::uint32_t id = its.send(n, m);
        if (m_remote != nullptr) m_remote->name(m_messages[id]);
    }
    void notify_observers();
    void notify_of_parts(cycle_t t);
    void find_candidates_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& header,
                                route_set& out) const;
    hazards& hazardous();
    void send_with_hazards(const message& m);
    void drop_bad(std::uint32_t node, std::uint32_t packet);
    void route_by(const routing_function& routing);
    template <class F>
    void in_all_parts(const F& f);
    bool is_worth_threads() const;
    void prepare_injection();
    void fetch(partition& p, cycle_t t);
    void run_part(partition& p, cycle_t t);
    void run_endpoint(partition& p, const clock_domain& d, std::uint32_t e, cycle_t t);
    void run_awake(partition& p, std::uint64_t* here, cycle_t t, bool others);
    bool calls_outside(const std::uint64_t* here) const;
    void run_slow_domains(partition& p, cycle_t t);
    void run_crossings(cycle_t t);
    void run_owners(partition& p, cycle_t t);
    void settle_nodes();
    void run_others(partition& p, std::uint64_t* active, cycle_t t);
    void run_foreign(std::uint32_t index, cycle_t t);
    void run_shuffled(partition& p, const clock_domain& d, std::uint64_t* active, cycle_t t, bool owners);
    void begin_watched(cycle_t t);
    void notify_cycles(cycle_t before);
    void show_flits(cycle_t t);
    void notify_drops(cycle_t t);
    void notify_packets(cycle_t t);
    cycle_t next_work_here(cycle_t t) const;
    void deliver(cycle_t t);
    void gather_arrivals();
    void call_for_room();
    void advance_to(cycle_t t);
    /// Time has not come to cycle `t` yet; in the beginning not to cycle 0 either.
    bool is_new(cycle_t t) const { return t > m_now || !m_begun; }
    void forget_times(cycle_t t);

    void index_connections();
    void part_network();
    std::uint32_t possible_parts();
    thread_team& team();
    void make_banks();
    void number_endpoints();
    void lay_out_planes();
    void place_crossings();
    std::uint32_t endpoint_of(std::uint32_t router) const;
    /// How one direction of a link, flits or credits, goes from its writer to its reader.
    struct direction {
        clock_domain *from, *to;
        std::uint32_t before;  ///< cycles of `from`; all of them where there is one clock
        std::uint32_t lead;    ///< see clock_crossing
        std::uint32_t after;   ///< cycles of `to`
        bool crosses() const { return from->period() != to->period(); }  ///< from clock to clock
        bool is_cut() const { return from != to && !crosses(); }         ///< from part to part
    };
    direction direction_of(const end& writer, const end& reader, std::uint32_t clock, std::uint32_t own,
                           std::uint32_t on_link, std::uint32_t at_reader);
    direction flits_of(const connection& c);
    direction credits_of(const connection& c);
    bool is_beyond(const end& e) const { return m_remote != nullptr && !m_remote->is_here(e); }
    void check_border() const;
    void wire_writer(const connection& c);
    void wire_reader(const connection& c);
    clock_domain& domain_of(const end& e) {
        if (is_beyond(e)) return m_remote->beyond(e);
        if (e.what == end::kind::router) return domain_of(e.id);
        return m_parts[e.what == end::kind::nic ? m_partition_map.of_node[e.id] : 0].base;
    }
    std::uint32_t clock_of(const end& e) const {
        return e.what == end::kind::router ? domain_of(e.id).period() : 1;
    }
    std::uint32_t needed_reach(const clock_domain& d);
    std::pair<wire, wire_extras> begin_of(const direction& d, std::pair<wire, wire_extras> reader,
                                          bool has_flits);
    bool is_inside(const connection& c) const;
    bool is_inside_router(std::uint32_t node) const;
    void wire_inside(const connection& c);
    void build_wires();
    std::uint16_t add_sleeper(const connection& c);
    void wire_nic(const connection& c, const wire& w, const wire_extras& x);
    std::vector<std::uint16_t> count_hops() const;
    void know_hops();
    std::uint32_t inbox_counts() const;
    void show_congestion();
    std::pair<wire, wire_extras> flits_to(const end& reader) const;
    std::pair<wire, wire_extras> credits_to(const end& reader) const;
    std::string leftovers_of(std::uint32_t router) const;

    // What never changes after finish().
    std::uint32_t m_vcs, m_classes;
    std::uint64_t m_seed;
    double m_cycle_seconds = 1e-9;
    std::vector<std::uint32_t> m_dims;
    const topology* m_map = nullptr;
    const routing_function* m_routing = nullptr;
    bool m_shows_congestion = false, m_asks_more = false;  ///< routing looks at it; that, or links may fail
    std::unique_ptr<congestion_board> m_board;
    route_table m_routes;
    std::vector<std::shared_ptr<const router_model>> m_models;  ///< by router
    std::vector<std::uint32_t> m_ports;                         ///< by router
    std::vector<std::uint32_t> m_clocks;                        ///< by router; empty where all are 1
    partition_map m_partition_map;
    std::vector<std::uint16_t> m_domain_of;                 ///< by router; empty where there is one
    std::vector<router_bank*> m_banks;                      ///< of all domains
    std::vector<std::uint32_t> m_bank_of, m_place_in_bank;  ///< by router
    std::vector<std::uint16_t> m_depth_beyond;              ///< by place_of()
    std::vector<std::size_t> m_first_port;                  ///< by router: see place_of()
    // Until finish() ends.
    static constexpr std::uint32_t no_link = 0xffffffff;
    std::vector<connection> m_connections;
    std::vector<std::uint32_t> m_link_from, m_link_into;  ///< by place_of(): in m_connections
    std::vector<std::uint32_t> m_inboxes_of_crossings;    ///< and of cuts
    std::size_t m_next_crossing = 0;                      ///< of these

    bool m_owners = false;    ///< some routers own the injection queues of their nodes
    bool m_has_slow = false;  ///< some have another clock than 1
    bool m_batched = false;
    bool m_conserves_packets = true;  ///< all routers do
    bool m_fast_allowed = true;
    bool m_from_lists = false;

    struct foreign_state {
        foreign_endpoint* block;
        std::uint32_t inbox = 0;  ///< word of a plane
        port_wires wires;
        port_extras extras;
    };
    std::vector<foreign_state> m_foreign;

    std::deque<link_sleep> m_sleepers;
    std::map<end, std::uint32_t> m_sleeper_of;  ///< by its beginning

    thread_policy m_thread_policy;
    std::string m_threads_obstacle;
    shared_pool<packet> m_packets;
    shared_pool<message_record> m_messages;
    std::deque<partition> m_parts{1};
    bool m_alone = true;                     ///< there is one part: asked several times a cycle
    bool m_sends_at_once = false;            ///< a message goes to its NIC without further ado
    std::uint32_t m_live_nodes = 0;          ///< of which there are NICs: none before finish()
    std::unique_ptr<remote_links> m_remote;  ///< null where this is the only process
    std::vector<clock_domain*> m_domains;    ///< of all parts
    std::unique_ptr<thread_team> m_team;     ///< null where there is one part
    all_nics m_nics;
    hop_table m_hops;  ///< where heads carry keys
    packet_changes m_changes;
    std::vector<packet_drop> m_drops;   ///< in this cycle
    std::vector<nics::arrival> m_lost;  ///< messages that owe nothing more, in this cycle
    std::vector<std::uint64_t> m_lone;  ///< routers of a bank that are awake: one
    observer_list m_observers;
    packet_listener m_listener{m_messages};
    struct watch;                        ///< flit_observers and cycle_observers
    std::unique_ptr<watch> m_watch;      ///< null where there are none
    std::unique_ptr<hazards> m_hazards;  ///< null where nothing fails and no bit is hit
    watch& watched();
    void view_links();
    void close_watch();
    /// Of a message; null: nobody's.
    workload* owner_of(const message& m) const { return (m.tag >> 63) != 0 ? m_bridge : m_workload; }
    workload* m_workload = nullptr;
    workload* m_bridge = nullptr;
    cycle_t m_first_cycle = 0;  ///< of the workload

    cycle_t m_now = 0;
    bool m_begun = false;  ///< with cycle 0
    bool m_shuffle = false;
    rng m_shuffle_random;
    std::vector<std::uint32_t> m_order;
};

}  // namespace sare
