// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/nic/injection_policy.h"
#include "tlm/nic/nic_table.h"
#include "tlm/router_api/link_sleep.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace sare {

/// What is known of the links of a NIC.
enum class nic_links : std::uint8_t {
    any,
    uniform,  ///< they take a flit a cycle, are as long as those of other NICs, and credits come one by one
    polled    ///< uniform ones; what reads them is found without being woken
};

/// The network interfaces of a part of a network at work: source queues, packets cut from messages,
/// injection, ejection, reassembly. They know links, and nothing of routers.
class nics final : public nic_table {
  public:
    explicit nics(const nic_surroundings& around) : nic_table(around) {}

    /// @name The last of building
    /// @{
    /// `prepares`: null where nothing has to be prepared in headers. `prefetches`: there are many NICs.
    /// `looked_through`: in each cycle tables of sets are looked through, so what is in them wakes by itself.
    void finish(const routing_function* prepares, bool prefetches, bool looked_through);
    /// Before finish(): links have bit errors, and packets that came with one are given to `drop` with the
    /// node, instead of being consumed.
    void drop_bad_packets(std::function<void(std::uint32_t node, std::uint32_t packet)> drop) {
        m_drop_bad = std::move(drop);
    }
    /// From now on.
    void prepare_by(const routing_function* routing) { m_prepares = routing; }
    /// @}

    /// Links that can sleep, by wire_extras::sleeps - 1.
    void set_sleepers(std::deque<link_sleep>& all) { m_sleepers = &all; }
    void set_observer(observer* o) { m_observer = o; }
    bool is_observed() const { return m_observer != nullptr; }
    /// Without, only messages of the bridge are told.
    void tell_deliveries(bool all) { m_wants_deliveries = all; }
    void serialize(archive& a);

    /// @name A cycle
    /// @{
    /// Runs those of word `word` of the NICs' bits to wake that are set in `awake`.
    void run(std::uint32_t word, std::uint64_t awake, cycle_t t);
    /// Where there are many, run() leaves them all for later, until here.
    void run_rest(cycle_t t) {
        if (!m_awake.empty()) run_left(t);
    }
    void inject(cycle_t t) {
        if (m_injecting_nodes != 0 && m_own != 0) inject_all(t);
    }
    /// What has begun goes on, and no packet begins.
    void inject_begun(cycle_t t);
    bool any_injecting() const { return m_injecting_nodes != 0; }
    /// A packet's last flit is `here`, in a cycle's plane, for one of word `word` of the NICs' bits to wake.
    bool packet_ends(std::uint32_t word, std::uint64_t awake, const std::uint64_t* here) const;
    struct arrival {
        std::uint32_t node, message;
    };
    std::vector<arrival>& arrivals() { return m_arrivals; }  ///< messages complete in this cycle
    /// Nodes and message classes whose queue fell to the level asked for.
    using source_queues = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    source_queues& room() { return m_room; }
    const source_queues& room() const { return m_room; }
    /// @}

    /// @name Messages
    /// @{
    /// Gives its number in messages.
    std::uint32_t send(std::uint32_t n, const message& m);
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level);
    /// Takes a message that is not sent: nothing of it is in a queue. Gives its number.
    std::uint32_t refuse(const message& m);
    /// Takes messages out of the source queues of a node, or what has not been injected of them, where
    /// `which` says so, and calls `out` with each and its flits that had not begun. No packet is being
    /// injected.
    void withdraw(std::uint32_t node, const std::function<bool(const message&)>& which,
                  const std::function<void(std::uint32_t message, std::uint32_t flits)>& out);
    /// @}

    /// @name Reset, between two cycles
    /// @{
    /// NIC n is as after construction, but for what it counts; its source queue is empty.
    void clear(std::uint32_t node);
    /// The flits of a packet that are not in the network.
    struct flits_outside {
        std::uint32_t unsent = 0, consumed = 0;
    };
    /// Takes a packet out of NIC n, as which it is being injected, or received. Gives the flits of it that
    /// have not been injected, and those that have been consumed.
    flits_outside take_out(std::uint32_t node, std::uint32_t packet);
    void give_credits(std::uint32_t node, std::uint32_t vc, std::int32_t credits) {
        m_nics[node].vc_credits[vc] = static_cast<std::uint16_t>(m_nics[node].vc_credits[vc] + credits);
    }
    /// @}

    /// @name NICs whose work is done outside: only their source queues stay here
    /// @{
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class);
    /// Of a class, what was taken and has not begun to leave: messages of which nothing has, flits.
    generated_counts held(std::uint32_t node, std::uint32_t message_class) const {
        return m_held.empty() ? generated_counts{}
                              : m_held[std::size_t{node} * m_around.classes + message_class];
    }
    std::uint32_t flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t);
    void flit_arrives(std::uint32_t node, const flit& f, cycle_t t);
    /// @}

    /// @name NICs whose injection queues and consumption are in their router: taken over, and
    /// @{
    /// Bits of the nodes that have something in their source queues, a word for 64.
    const std::vector<std::uint64_t>& waiting() const { return m_injecting; }
    /// The packet that next_packet() gave leaves the source queue; its number in packets.
    std::uint32_t take_packet(std::uint32_t node, std::uint32_t message_class);
    /// Its head leaves the injection queue in cycle `t`.
    void packet_leaves(std::uint32_t node, std::uint32_t id, cycle_t t);
    /// Its tail is consumed in cycle `t`: the packet is no more.
    void packet_arrives(std::uint32_t node, std::uint32_t id, cycle_t t);
    /// @}

    std::uint64_t flit_hops() const { return m_flit_hops; }

  private:
    std::uint32_t send_with_more_slots(std::uint32_t n, const message& m);
    template <nic_links L>
    void run_one(nic_state& n, std::uint64_t* here, std::uint64_t* back, cycle_t t);
    template <nic_links L>
    void run_usual(std::uint32_t word, std::uint64_t awake, cycle_t t);
    void run_any(std::uint32_t word, std::uint64_t awake, cycle_t t);
    void run_left(cycle_t t);
    static void take_credits(nic_state& n, std::uint32_t vcs);
    static void take_batches(nic_state& n, std::uint32_t vcs, std::uint16_t* counts);
    [[noreturn]] static void report_credits();
    template <nic_links L>
    void consume(nic_state& n, std::uint64_t word, std::uint32_t vc, std::uint64_t* back, cycle_t t);
    [[noreturn]] static void report_out_of_place(std::uint32_t node, const flit& f);
    template <nic_links L>
    void finish_packet(nic_state& n, const packet& p, std::uint32_t id, cycle_t t);
    void finish_message(const nic_state& n, const message_record& m, std::uint32_t id);
    bool take_good(nic_state& n, const packet& p, std::uint32_t id);
    void inject_all(cycle_t t);
    template <class F>
    std::uint64_t inject_word(std::size_t word, F&& f);
    template <nic_links L>
    std::uint64_t inject_usual(std::size_t word, std::uint64_t* there, cycle_t t);
    void stop_injecting(std::size_t word, std::uint64_t nodes);
    void note_idle(const nic_state& n);
    template <nic_links L>
    void inject_in_turn(nic_state& n, std::uint64_t* there, cycle_t t);
    template <nic_links L>
    bool inject_class(nic_state& n, class_queue& queue, std::uint64_t* there, cycle_t t);
    template <nic_links L>
    bool inject_whole(nic_state& n, class_queue& queue, message_record& m, std::uint64_t* there, cycle_t t);
    static void check_place(nic_state& n, const packet& p, const flit& f, std::uint32_t vc);
    bool next_vc(const nic_state& n, class_queue& queue, std::uint32_t need) const;
    std::uint32_t open_shared_vcs(const nic_state& n, const class_queue& queue, std::uint32_t need) const;
    void make_policies();
    void inject_by_policy(nic_state& n, cycle_t t);
    bool can_send(const nic_state& n, std::uint32_t message_class, cycle_t t);
    bool inject_any(nic_state& n, class_queue& queue, cycle_t t);
    struct made_packet {
        std::uint32_t id, key;  ///< slot, and what its head carries
    };
    made_packet make_packet(nic_state& n, const class_queue& queue, const message_record& m,
                            std::uint32_t flits, cycle_t t);
    bool start_packet(nic_state& n, class_queue& queue, message_record& m, std::uint32_t& key, cycle_t t);
    template <nic_links L>
    void send_flit(nic_state& n, const class_queue& queue, std::uint64_t word, std::uint64_t* there,
                   cycle_t t);
    void leave_source(nic_state& n, class_queue& queue);
    bool is_waking(nic_state& n, cycle_t t);
    link_sleep& sleeper_of(const nic_state& n) { return (*m_sleepers)[n.flits_extras.sleeps - 1U]; }
    void end_message(nic_state& n, class_queue& queue, const message_record& m);
    void has_room(const nic_state& n, class_queue& queue);
    void know_hops(const nic_state& n, std::uint32_t id);
    std::uint32_t make_waiting(nic_state& n, class_queue& queue, message_record& m, std::size_t k);
    void find_usual(bool looked_through);
    /// What a route table says the way of a packet by; heads carry it instead of their number, so that no
    /// router need touch the packet.
    static std::uint32_t route_key(const class_queue& queue, std::uint32_t column) {
        return queue.first_key + (column & queue.key_mask);
    }
    /// Of a table of routes with keys.
    std::uint32_t column(const route_header& way) const {
        return way.state * m_from_state_to_state + way.destination;
    }

    const routing_function* m_prepares = nullptr;  ///< headers, at the source
    observer* m_observer = nullptr;
    std::function<void(std::uint32_t, std::uint32_t)> m_drop_bad;
    std::deque<link_sleep>* m_sleepers = nullptr;
    std::vector<std::unique_ptr<injection_policy>> m_policies;  ///< by NIC, null: none; empty: none has one
    std::vector<waiting_packet> m_waiting;  ///< [node * classes + class], where NICs are taken over
    std::vector<generated_counts> m_held;   ///< likewise: of packets taken that have not begun to leave
    std::vector<std::uint32_t> m_awake;     ///< for run_rest()
    std::vector<arrival> m_arrivals;
    source_queues m_room;
    std::uint64_t m_flit_hops = 0;
    std::uint32_t m_injecting_nodes = 0;
    std::uint32_t m_usual_flit_delay = 0, m_usual_credit_delay = 0;
    bool m_wants_deliveries = false;
    bool m_prefetches = false;
    bool m_found = false;  ///< all NICs of m_uniform are known to be nic_links::polled
};

}  // namespace sare
