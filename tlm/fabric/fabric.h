// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/nic_state.h"
#include "tlm/fabric/observer.h"
#include "tlm/fabric/packet.h"
#include "tlm/fabric/plain_block.h"
#include "tlm/fabric/router_params.h"
#include "tlm/fabric/workload.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/topology.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The network as a machine: routers, links and NICs in slabs, moved cycle by cycle. No SystemC here; the
/// modules of tlm/systemc build it, and cycle_engine runs it.
namespace sare {

/// Something went wrong that is not the user's configuration: a foreign block broke the protocol.
class protocol_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A block that is not ours on one of our links: it is handed what arrives, cycle by cycle, and writes
/// through fabric::write_flit and write_credit.
class foreign_endpoint {
  public:
    virtual ~foreign_endpoint() = default;
    virtual void flit_arrived(const flit& f) = 0;
    virtual void credit_arrived(std::uint32_t vc, std::uint32_t count) = 0;
};

class fabric final : public traffic_port {
  public:
    /// @name Building, before finish(). All routers have the same number of VCs.
    /// @{
    explicit fabric(std::uint32_t vcs, std::uint32_t classes, std::uint64_t seed);
    ~fabric() override;
    fabric(const fabric&) = delete;
    fabric& operator=(const fabric&) = delete;

    std::uint32_t add_router(const router_params& params, std::uint32_t ports);
    std::uint32_t add_nic(const nic_params& params);
    std::uint32_t add_foreign(foreign_endpoint& block);
    /// A flit written by `from` at `from_port` arrives at `to` on `to_port`; the credits go back the same
    /// way.
    struct end {
        enum class kind : std::uint8_t { router, nic, foreign };
        kind what;
        std::uint32_t id;
        std::uint32_t port;
    };
    /// `in_place_of`: the router or NIC that a foreign `to` stands for (its number was given by add_router()
    /// or add_nic()); the sender then treats it as that: buffers, and when a packet may begin.
    void connect(const end& from, const end& to, const link_attributes& link,
                 const std::optional<end>& in_place_of = std::nullopt);
    /// The network's map and its routing function; both outlive the fabric.
    void set_routing(const topology& map, const routing_function& routing);
    /// Lays out the slabs. Throws config::error where buffers and packets do not fit the switching mode.
    void finish();
    /// @}

    /// @name Running
    /// @{
    /// `first`: the first cycle that it lives in, none before it will be run any more.
    void set_workload(workload* w, cycle_t first = 0);
    void set_observer(observer* o) { m_observer = o; }
    /// Messages whose tag has the highest bit set go to `b` and not to the workload.
    void set_bridge(workload* b) { m_bridge = b; }
    void set_cycle_seconds(double s) { m_cycle_seconds = s; }
    /// Another seed than at construction; before the first cycle.
    void set_seed(std::uint64_t seed);
    /// Runs cycle `t`, larger than any before.
    void step(cycle_t t);
    /// Cycle `t` is over, though nothing happened in it or in those before it: for who looks inside then.
    void pass(cycle_t t) { m_now = t > m_now ? t : m_now; }
    /// The first cycle after `t` in which anything can happen; workload::never if nothing ever will.
    cycle_t next_work(cycle_t t) const;
    /// Use no plain blocks (router_block): results must not change. Before finish(); for tests.
    void forbid_plain_blocks() { m_plain_allowed = false; }
    /// Evaluate the blocks of a cycle in a random order: results must not change. For tests.
    void shuffle_evaluation(std::uint64_t seed);
    /// @}

    /// @name traffic_port
    /// @{
    std::uint32_t nodes() const override { return static_cast<std::uint32_t>(m_nics.size()); }
    std::uint32_t classes() const override { return m_classes; }
    std::uint64_t seed() const override { return m_seed; }
    cycle_t now() const override { return m_now; }
    cycle_t first_cycle() const override { return m_first_cycle; }
    double cycle_seconds() const override { return m_cycle_seconds; }
    const std::vector<std::uint32_t>& dims() const override { return m_dims; }
    std::uint32_t flits_for(std::uint64_t bytes) const override;
    void send(const message& m) override;
    std::uint32_t queued(std::uint32_t node) const override { return m_nics[node].queued; }
    void call_when_queued(std::uint32_t node, std::uint32_t level) override;
    /// @}

    /// @name For foreign blocks: what they send in cycle `at`, the current one or a later one
    /// @{
    void write_flit(std::uint32_t foreign, const flit& f, cycle_t at);
    void write_credit(std::uint32_t foreign, std::uint32_t vc, cycle_t at);
    /// @}

    /// @name For NICs whose work is done outside: only their source queues stay here
    /// @{
    void take_over_nic(std::uint32_t node) { m_nics[node].link_free = workload::never; }
    bool is_taken_over(std::uint32_t node) const { return m_nics[node].link_free == workload::never; }
    struct waiting_packet {
        route_header route;
        std::uint32_t flits = 0;  ///< 0: not prepared yet
    };
    /// The packet of a class that is next, or has begun to leave; null if none waits.
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class);
    /// A flit of it leaves in cycle `t`; its number in packets(), which it gets with the first one.
    std::uint32_t flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t);
    /// A flit has arrived; its credit is given outside.
    void flit_arrives(std::uint32_t node, const flit& f, cycle_t t);
    /// @}

    /// @name Looking inside
    /// @{
    std::uint32_t routers() const { return static_cast<std::uint32_t>(m_router_shape.size()); }
    const router_shape& shape(std::uint32_t router) const { return m_shapes[m_router_shape[router]]->shape; }
    std::uint32_t vcs() const { return m_vcs; }
    const nic_state& nic(std::uint32_t node) const { return m_nics[node]; }
    in_vc in(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    out_vc out(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    /// Of all input VCs of a router: adds one to the bin of how many flits each holds. Makes bins as needed.
    void count_buffers(std::uint32_t router, std::vector<std::uint64_t>& bins) const;
    /// Flits that a router has sent, in all or by one output VC, modulo 2^32.
    std::uint32_t flits_sent(std::uint32_t router) const;
    std::uint32_t flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    /// The flit at place k (from the front) of an input VC.
    flit buffered(std::uint32_t router, std::uint32_t port, std::uint32_t vc, std::uint32_t k) const;
    /// Whether an input VC still bids in VA (and so has no output VC).
    bool bids_for_vc(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    const pool<packet>& packets() const { return m_packets; }
    const pool<message_record>& messages() const { return m_messages; }
    pool<packet>& packets() { return m_packets; }
    const topology* map() const { return m_map; }
    // Sums over the NICs: not for every cycle.
    std::uint64_t flits_injected() const { return sum_of(&nic_state::injected_flits); }
    std::uint64_t flits_consumed() const { return sum_of(&nic_state::consumed_flits); }
    std::uint64_t packets_injected() const { return sum_of(&nic_state::injected_packets); }
    std::uint64_t packets_consumed() const { return sum_of(&nic_state::consumed_packets); }
    std::uint64_t messages_waiting() const { return sum_of(&nic_state::queued); }  ///< wholly or in part
    std::uint64_t messages_started() const;                                        ///< first packet injected
    /// Nothing is in the network or in a source queue.
    bool empty() const { return m_messages.in_use() == 0; }
    /// Flits of consumed packets times the routers they visited: the measure of work done.
    std::uint64_t flit_hops() const { return m_flit_hops; }
    /// Every credit is back and every buffer empty; else a line that says what is left.
    std::string leftovers() const;
    std::uint64_t slab_bytes() const;
    /// @}

  private:
    template <int N>
    friend class router_step;
    template <int N>
    friend void step_router(fabric&, const router_shape&, std::uint32_t, std::uint64_t, cycle_t);
    template <int S, int N, bool InList>
    friend struct plain_cycle_base;
    template <int S, int N, bool Usual>
    friend struct plain_cycle;
    friend class wait_for_graph;

    struct connection {
        end from, to;
        link_attributes link;
        std::optional<end> in_place_of;
    };
    struct shape_entry {
        router_shape shape;
        void (*step)(fabric&, const router_shape&, std::uint32_t, std::uint64_t, cycle_t) = nullptr;
        /// Instead, where there are too many routers to stay in the caches.
        void (*step_list)(fabric&, const router_shape&, const std::uint32_t*, std::size_t, cycle_t) = nullptr;
        std::vector<std::uint32_t> awake;  ///< for it: room for all routers, and list_look_ahead behind them
        std::size_t n_awake = 0;
    };
    /// Routers of one kind in one word of the bits to wake.
    struct group {
        std::uint32_t word;
        std::uint32_t kind;
        std::uint64_t members;
    };

    void run_endpoint(std::uint32_t e, cycle_t t);
    void find_awake(std::uint64_t* here) const;
    void run_routers(std::uint64_t* active, cycle_t t);
    static void list_awake(shape_entry& kind, std::uint32_t word, std::uint64_t bits);
    void run_list(shape_entry& kind, cycle_t t);
    void run_others(std::uint64_t* active, cycle_t t);
    void run_nics(std::uint32_t word, std::uint64_t active, cycle_t t);
    void run_nic_list(const std::uint32_t* nics, std::size_t n, cycle_t t);
    template <bool Usual>
    void run_nic(nic_state& n, std::uint64_t* here, std::uint64_t* back, cycle_t t);
    static void take_credits(nic_state& n, std::uint32_t vcs);
    static void take_batches(nic_state& n, std::uint32_t vcs, std::uint16_t* counts);
    [[noreturn]] static void report_credits();
    template <bool Usual>
    void consume(nic_state& n, std::uint64_t word, std::uint32_t vc, std::uint64_t* back, cycle_t t);
    [[noreturn]] static void report_out_of_place(std::uint32_t node, const flit& f);
    void finish_packet(nic_state& n, const packet& p, std::uint32_t id, cycle_t t);
    void run_foreign(std::uint32_t index, cycle_t t);
    void inject_all(cycle_t t);
    template <class F>
    void for_each_injecting(F&& f);
    void inject_in_turn(nic_state& n, cycle_t t);
    template <bool Usual>
    bool inject_lane(nic_state& n, nic_lane& lane, std::uint64_t* there, cycle_t t);
    template <bool Usual>
    bool inject_whole(nic_state& n, nic_lane& lane, message_record& m, std::uint64_t* there, cycle_t t);
    static void check_place(nic_state& n, const packet& p, const flit& f, std::uint32_t vc);
    static bool next_vc(const nic_state& n, nic_lane& lane, std::uint32_t need);
    template <bool Usual>
    std::uint32_t make_packet(nic_state& n, const nic_lane& lane, const message_record& m,
                              std::uint32_t flits, cycle_t t);
    template <bool Usual>
    bool start_packet(nic_state& n, nic_lane& lane, message_record& m, cycle_t t);
    template <bool Usual>
    void send_flit(nic_state& n, const nic_lane& lane, std::uint64_t word, std::uint64_t* there, cycle_t t);
    void end_message(nic_state& n, nic_lane& lane, const message_record& m);
    void hand_over(cycle_t t);
    void run_shuffled(std::uint64_t* active, cycle_t t);
    void build_shapes();
    std::uint32_t place_sets();
    void build_slabs();
    void build_wires();
    void build_route_table();
    bool tabulate_routes();
    void key_routes();
    void count_hops();
    /// What a plain router's table says the way of a packet by; heads carry it instead of their number, so
    /// that no router touches the packet.
    static std::uint32_t route_key(const nic_lane& lane, std::uint32_t destination) {
        return lane.first_key + (destination & lane.key_mask);
    }
    struct wire_delays {
        std::uint32_t forward, backward;
    };
    wire_delays delays_of(const connection& c) const;
    bool plain_links(shape_entry* e) const;
    void add_to_group(std::uint32_t router);
    std::uint32_t reach_of(const connection& c) const;
    template <class F>
    static decltype(auto) block_type(const router_shape& s, F&& f);
    template <class F>
    decltype(auto) visit_block(std::uint32_t router, F&& f) const;
    /// The same, once the block stands as of the end of m_now.
    template <class F>
    decltype(auto) look_at(std::uint32_t router, F&& f) const;
    void forget_times();
    template <class B>
    std::uint64_t front_of(const router_shape& s, B& b, std::uint32_t i) const;
    bool are_few() const;
    template <class B>
    void init_router(B& place, std::uint32_t router, std::uint64_t ways, std::uint64_t stamps);
    void choose_layout();
    static void choose_step(shape_entry& e);
    void find_usual_nics();
    void open_accounts();
    std::uint32_t endpoint_of(const end& e) const;
    std::pair<wire, wire_extras> wire_to(const end& reader, bool credits) const;
    static end receiving_end(const connection& c);
    const router_shape* receiver_of(const connection& c) const;
    std::uint32_t depth_at(const connection& c) const;
    void open_port(std::uint32_t router, std::uint32_t port, std::uint32_t depth);
    void check_packet_fits(const router_shape& s) const;

    template <class T>
    std::uint64_t sum_of(T nic_state::*counter) const {
        std::uint64_t sum = 0;
        for (const nic_state& n : m_nics) sum += n.*counter;
        return sum;
    }
    template <class B>
    B& block(std::uint32_t router) const {
        return *reinterpret_cast<B*>(m_router_at[router]);
    }
    std::uint64_t* plane(cycle_t at) const {
        return m_planes + (static_cast<std::uint32_t>(at) & m_slot_mask) * m_plane_words;
    }
    void put_flit(const wire& w, const flit& f, cycle_t t) { put_flit(w, f.as_word(), f.vc, t); }
    void put_flit(const wire& w, std::uint64_t word, std::uint32_t vc, cycle_t t) {
        std::uint64_t* p = plane(t + w.delay);
        p[w.inbox] |= w.port_bit << (vc & w.place);
        p[w.flit_at] = word;
        p[w.wake_word] |= w.wake_bit;
        p[0] = 1;
    }
    void put_credit(const wire& w, const wire_extras& x, std::uint32_t vc, cycle_t t) {
        const cycle_t leaves = x.batch == 1 ? t : (t + x.batch - 1) / x.batch * x.batch;
        std::uint64_t* p = plane(leaves + w.delay);
        const std::uint32_t bit = w.place + vc;
        p[w.inbox + (bit >> 6)] |= std::uint64_t{1} << (bit & 63);
        if (x.counts != 0) ++reinterpret_cast<std::uint16_t*>(p + w.inbox + x.counts)[bit];
        p[w.wake_word] |= w.wake_bit;
        p[0] = 1;
    }

    // What never changes after finish().
    std::uint32_t m_vcs, m_classes, m_vcs_per_class = 0;
    std::uint64_t m_seed;
    double m_cycle_seconds = 1e-9;
    std::vector<std::uint32_t> m_dims;
    const topology* m_map = nullptr;
    const routing_function* m_routing = nullptr;
    /// [router * nodes + destination]: which choice; empty: ask m_routing. Of plain routers: [router * keys +
    /// key], see route_key().
    std::vector<std::uint8_t> m_route_table;
    std::vector<std::uint16_t> m_hops_to;     ///< [router * nodes + destination], where nobody counts hops
    std::vector<std::uint32_t> m_nic_router;  ///< to which a NIC sends
    bool m_prepares_headers = false;          ///< there is no table, and the routing function may want to
    std::vector<route_candidate> m_choices;   ///< all the ways that the table has
    std::vector<connection> m_connections;
    std::vector<std::unique_ptr<shape_entry>> m_shapes;
    std::vector<std::uint32_t> m_router_shape;
    std::vector<group> m_groups;
    std::vector<std::uint64_t> m_router_buffer;  ///< first flit
    std::uint64_t m_max_packet = 0;              ///< flits, the largest any NIC makes
    std::vector<nic_params> m_nic_params;
    std::vector<foreign_endpoint*> m_foreign;
    std::vector<port_wires> m_wires;        ///< of routers, then NICs, then foreign blocks
    std::vector<port_extras> m_extras;      ///< the same places
    std::vector<std::uint64_t> m_wires_of;  ///< first of an endpoint in m_wires
    std::vector<std::uint32_t> m_inbox_of;  ///< of an endpoint: word in a plane
    std::vector<std::uint32_t> m_flits_of;  ///< of an endpoint: word in a plane, flit of port 0
    std::uint32_t m_sets_at =
        0;  ///< word in a plane: the sets of endpoints one after the other (m_all_plain)
    std::uint32_t m_set_shift = 0;  ///< from one to the next, as a power of two
    bool m_looks_ahead = false;     ///< and more than lie in a cache of the processor's own
    bool m_in_lists = false;  ///< too many routers for the caches, or nothing says their ways: see plain_step
    bool m_looks_through = false;  ///< the words of a plane, for who is awake
    bool m_all_plain = false;
    bool m_tabulated = false;                                             ///< there is a route table
    bool m_keyed = false;                                                 ///< heads carry a route_key()
    bool m_usual_nics = false;                                            ///< see nic_step.cpp
    std::uint32_t m_first_nic = 0, m_first_foreign = 0, m_endpoints = 0;  ///< endpoint numbers
    std::uint32_t m_slot_mask = 0;
    std::uint32_t m_wake_words = 0;
    bool m_batched = false;

    // Slabs.
    std::uint8_t* m_routers = nullptr;
    std::vector<std::uint8_t*> m_router_at;  ///< in m_routers
    flit* m_buffers = nullptr;
    std::uint64_t* m_planes = nullptr;
    std::uint64_t m_router_bytes = 0, m_buffer_bytes = 0, m_plane_words = 0;
    std::vector<route_candidate> m_ways;  ///< of adaptive routing, for routers that keep them
    std::vector<std::uint32_t> m_stamps;  ///< of matrix arbiters
    std::vector<nic_state> m_nics;
    std::vector<waiting_packet> m_waiting;     ///< [node * classes + class], where NICs are taken over
    std::vector<nic_lane> m_lanes;             ///< [node * classes + class]
    std::vector<std::uint16_t> m_nic_credits;  ///< [node * vcs + vc]
    std::vector<std::uint64_t> m_expected;     ///< [node * vcs + vc]: see nic_state
    std::vector<std::uint32_t> m_awake_nics;   ///< for run_nic_list()
    std::vector<std::uint64_t> m_injecting;    ///< nodes with something to inject
    std::uint32_t m_injecting_nodes = 0;
    std::vector<rng> m_router_random;  ///< for random selection only

    pool<packet> m_packets;
    pool<message_record> m_messages;
    workload* m_workload = nullptr;
    workload* m_bridge = nullptr;
    observer* m_observer = nullptr;
    cycle_t m_first_cycle = 0;  ///< of the workload
    bool m_wants_deliveries = false;
    struct arrival {
        std::uint32_t node;
        std::uint32_t message;
    };
    void* m_mapped[3] = {};
    std::size_t m_mapped_bytes[3] = {};
    std::vector<arrival> m_arrivals;    ///< messages complete in this cycle
    std::vector<std::uint32_t> m_room;  ///< nodes whose queue fell to the level asked for

    cycle_t m_now = 0;
    std::uint64_t m_flit_hops = 0, m_messages_sent = 0;
    bool m_plain_allowed = true;
    bool m_shuffle = false;
    rng m_shuffle_random;
    std::vector<std::uint32_t> m_order;
};

template <class F>
decltype(auto) fabric::look_at(std::uint32_t router, F&& f) const {
    return visit_block(router, [&](auto& b) -> decltype(auto) {
        b.settle(static_cast<std::uint32_t>(m_now));
        return f(b);
    });
}

/// Calls `f` with a null pointer to the type of block of a shape.
template <class F>
decltype(auto) fabric::block_type(const router_shape& s, F&& f) {
    if (s.plain && s.capacity == 32 && !s.in_list) {
        if (s.stride == 2) return f(static_cast<plain_block<1, 32, false>*>(nullptr));
        return f(static_cast<plain_block<2, 32, false>*>(nullptr));
    }
    if (s.plain && s.capacity == 32) {
        if (s.stride == 2) return f(static_cast<plain_block<1, 32, true>*>(nullptr));
        return f(static_cast<plain_block<2, 32, true>*>(nullptr));
    }
    if (s.plain) {
        if (s.stride == 4) return f(static_cast<plain_block<2, 64, true>*>(nullptr));
        return f(static_cast<plain_block<3, 64, true>*>(nullptr));
    }
    if (s.capacity == 64) return f(static_cast<router_block<64>*>(nullptr));
    if (s.capacity == 256) return f(static_cast<router_block<256>*>(nullptr));
    return f(static_cast<router_block<1024>*>(nullptr));
}

/// Calls `f(block)` with a router's block as what it is.
template <class F>
decltype(auto) fabric::visit_block(std::uint32_t router, F&& f) const {
    return block_type(shape(router), [&](auto* type) -> decltype(auto) {
        return f(block<std::remove_pointer_t<decltype(type)>>(router));
    });
}

}  // namespace sare
