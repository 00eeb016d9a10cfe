// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/nic/injection_policy.h"
#include "tlm/nic/nic_table.h"
#include "tlm/router_api/link_sleep.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace sare {

/// Kinds of links of a NIC, for which there are faster versions of code.
enum class nic_links : std::uint8_t {
    any,  ///< no assumption about the links
    /// Links with one flit a cycle and the same delays as those of all other uniform NICs of the part;
    /// credits come singly, not in batches; no buffer places that VCs share, no link that can sleep, no
    /// injection_policy. No NIC is uniform in a network with bit errors or more than 32 VCs, or if it is
    /// taken over (see take_over()).
    uniform,
    /// Uniform links whose readers find flits and credits by looking through the table of each plane (see
    /// link_ring.h), so that the NIC sets no bit to wake the reader. Either all uniform NICs of a part are
    /// polled, or none is.
    polled
};

/// The NICs of a part of a network at work: source queues, packets cut from messages, injection, ejection,
/// reassembly. NICs know links, and nothing of routers.
class nics final : public nic_table {
  public:
    explicit nics(const nic_surroundings& around) : nic_table(around) {}

    /// @name Last steps of building
    /// @{
    /// Ends building. `prepares`: routing function whose begin() prepares the header of each new packet;
    /// null: none. `prefetches`: run() leaves NICs to run_rest(), which fetches their state into the caches
    /// before it is used; for large networks. `looked_through`: arrivals are searched for in the tables of
    /// planes (see link_ring.h) in each cycle, so that writers need set no bits to wake. Throws config::error
    /// if a NIC that is taken over (see take_over()) has `nic.arbiter` or `nic.rate` set.
    void finish(const routing_function* prepares, bool prefetches, bool looked_through);
    /// Makes NICs call `drop` for each packet with a bit error, with the number of the node in the whole
    /// network and the packet's slot, instead of consuming it. Call before finish().
    void drop_bad_packets(std::function<void(std::uint32_t node, std::uint32_t packet)> drop) {
        m_drop_bad = std::move(drop);
    }
    /// Replaces the routing function that prepares headers, from now on; null: none.
    void prepare_by(const routing_function* routing) { m_prepares = routing; }
    /// @}

    /// Sets the links that can sleep, indexed by wire_extras::sleeps - 1.
    void set_sleepers(std::deque<link_sleep>& all) { m_sleepers = &all; }
    /// Sets the observer of packets and messages; null: none.
    void set_observer(observer* o) { m_observer = o; }
    /// True if there is an observer.
    bool is_observed() const { return m_observer != nullptr; }
    /// Sets whether arrivals() gets all complete messages, or only those that lost a packet and those with
    /// bit 63 of the tag set, which a bridge sent.
    void tell_deliveries(bool all) { m_wants_deliveries = all; }
    /// Writes or reads the state of all NICs of the part.
    void serialize(archive& a);

    /// @name A cycle
    /// @{
    /// Takes what has arrived in cycle `t` at the NICs 64 * word + k for which bit k of `awake` is set.
    void run(std::uint32_t word, std::uint64_t awake, cycle_t t);
    /// Runs the NICs that run() has left over to fetch their state first. Call after run() for all words of
    /// the cycle.
    void run_rest(cycle_t t) {
        if (!m_awake.empty()) run_left(t);
    }
    /// Lets each NIC that has messages send a flit in cycle `t`, if the link takes one and a class has a
    /// credit.
    void inject(cycle_t t) {
        if (m_injecting_nodes != 0 && m_own != 0) m_clocks.empty() ? inject_all(t) : inject_at_edges(t);
    }
    /// Lets NICs send flits as inject() does, but only of packets whose heads have left; no packet begins.
    void inject_begun(cycle_t t);
    /// True if some source queue has a message.
    bool any_injecting() const { return m_injecting_nodes != 0; }
    /// Returns true if the plane `here` has the tail of a packet for one of the NICs 64 * word + k for which
    /// bit k of `awake` is set.
    bool packet_ends(std::uint32_t word, std::uint64_t awake, const std::uint64_t* here) const;
    /// A complete message: number of the node in the whole network where it ends, and slot of the message.
    struct arrival {
        std::uint32_t node, message;
    };
    /// Messages that are complete and that the workload has not been told of; the caller empties the list.
    std::vector<arrival>& arrivals() { return m_arrivals; }
    /// Pairs of node (in the whole network) and message class.
    using source_queues = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    /// Source queues that have fallen to the level asked for (call_when_queued()) and of which the workload
    /// has not been told; the caller empties the list.
    source_queues& room() { return m_room; }
    const source_queues& room() const { return m_room; }
    /// @}

    /// @name Messages
    /// @{
    /// Appends a message to the source queue of its class at NIC `n`. Returns the slot of the message.
    std::uint32_t send(std::uint32_t n, const message& m);
    /// Asks that the queue be added to room() once, when it holds at most `level` messages; at once if it
    /// does now. A second call replaces the level.
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level);
    /// Gives a slot to a message that will not be sent, and returns the slot; the message is in no source
    /// queue.
    std::uint32_t refuse(const message& m);
    /// Takes the messages for which `which` is true out of the source queues of a NIC, and calls `out` with
    /// the slot of each and the number of its flits that are not in packets yet. Call only while the NIC
    /// injects no packet.
    void withdraw(std::uint32_t node, const std::function<bool(const message&)>& which,
                  const std::function<void(std::uint32_t message, std::uint32_t flits)>& out);
    /// @}

    /// @name Ejection that a node refuses
    /// Flits of a class that a node does not take wait in the ejection buffers of its NIC, which returns no
    /// credits for them, so that they back up into the network.
    /// @{
    /// Sets whether NIC `node` takes flits of a class, from the next cycle on. Once it takes them again,
    /// those that wait are consumed one in a cycle, in the order of each VC.
    void set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts);
    /// Number of flits of a class that wait at a NIC in its ejection buffers.
    std::uint32_t held_back(std::uint32_t node, std::uint32_t message_class) const;
    bool any_to_take() const;  ///< true if take_held() has something to do
    /// True if some NIC refuses a class, or has flits that wait since it did.
    bool holds_any() const { return !m_refusals.empty(); }
    /// Consumes, in cycle `t`, one waiting flit at each NIC that has a flit which it takes again. Call after
    /// run_rest().
    void take_held(cycle_t t);
    /// @}

    /// @name Reset, between two cycles
    /// @{
    /// Makes the source queues, credits and packets in progress of a NIC as after construction; its counters,
    /// its random stream and the flits that it holds back stay.
    void clear(std::uint32_t node);
    /// Numbers of flits of a packet that are not in the network: those not injected yet, and those consumed.
    struct flits_outside {
        std::uint32_t unsent = 0, consumed = 0;
    };
    /// Takes a packet, given by its slot, out of a NIC that is injecting or receiving it. Returns the numbers
    /// of its flits that are not in the network; with bit errors `consumed` is 0, since flits count as
    /// consumed only with the whole packet.
    flits_outside take_out(std::uint32_t node, std::uint32_t packet);
    /// Adds `credits` credits for a VC of the link from a NIC to its router; a negative number takes credits
    /// away.
    void give_credits(std::uint32_t node, std::uint32_t vc, std::int32_t credits) {
        m_nics[node].vc_credits[vc] = static_cast<std::uint16_t>(m_nics[node].vc_credits[vc] + credits);
    }
    /// @}

    /// @name NICs whose work is done outside: only their source queues stay here
    /// @{
    /// Returns the next packet of a class, valid until the packet leaves; null if the source queue is empty.
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class);
    /// Flits of packets of a class that were taken from the source queue and whose heads have not left, and
    /// number of messages of which such packets were taken and no head has left.
    generated_counts held(std::uint32_t node, std::uint32_t message_class) const {
        return m_held.empty() ? generated_counts{}
                              : m_held[std::size_t{node} * m_around.classes + message_class];
    }
    /// Counts a flit of the packet of next_packet() that is injected in cycle `t`; the first such call makes
    /// the packet. Returns the packet's slot.
    std::uint32_t flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t);
    /// Consumes a flit that arrives in cycle `t`, without sending a credit. Throws protocol_error if the flit
    /// is out of order or at the wrong node.
    void flit_arrives(std::uint32_t node, const flit& f, cycle_t t);
    /// @}

    /// @name NICs that are taken over by their router, with injection queues and consumption
    /// @{
    /// Mask of NICs with messages in their source queues: NIC n is bit n % 64 of word n / 64.
    const std::vector<std::uint64_t>& waiting() const { return m_injecting; }
    /// Takes the packet that next_packet() has returned out of the source queue. Returns its slot.
    std::uint32_t take_packet(std::uint32_t node, std::uint32_t message_class);
    /// Counts a packet, given by its slot, whose head leaves the injection queue in cycle `t`.
    void packet_leaves(std::uint32_t node, std::uint32_t id, cycle_t t);
    /// Counts a packet, given by its slot, whose tail is consumed in cycle `t`, and frees the slot.
    void packet_arrives(std::uint32_t node, std::uint32_t id, cycle_t t);
    /// @}

    /// Sum over consumed packets: flits of the packet times routers visited.
    std::uint64_t flit_hops() const { return m_flit_hops; }

  private:
    /// Classes that a node refuses, and flits that wait at its NIC, each with the VC by which it came.
    struct refusal {
        std::uint32_t classes = 0;  ///< classes refused: bit c for class c
        /// True: the NIC goes back into m_uniform when nothing is refused and no flit waits.
        bool was_uniform = false;
        std::vector<flit> flits;  ///< flits that wait, in order of arrival
        void serialize(archive& a);
    };
    std::uint32_t class_of(const flit& f) const;
    std::size_t first_to_take(const refusal& r) const;
    bool hold_back(const nic_state& n, std::uint64_t word, std::uint32_t vc);
    void consume_held(nic_state& n, const flit& f, cycle_t t);
    std::uint32_t send_with_more_slots(std::uint32_t n, const message& m);
    template <nic_links L>
    incoming sets_of(const nic_state& n, const std::uint64_t* here) const;
    template <nic_links L>
    void run_one(nic_state& n, std::uint64_t* here, std::uint64_t* back, cycle_t t);
    template <nic_links L>
    void run_usual(std::uint32_t word, std::uint64_t awake, cycle_t t);
    void run_any(std::uint32_t word, std::uint64_t awake, cycle_t t);
    void run_left(cycle_t t);
    static void take_credits(nic_state& n, vc_mask vcs);
    void take_batches(nic_state& n, vc_mask vcs, std::uint16_t* counts, cycle_t t);
    void take_places(nic_state& n, std::uint32_t vc, std::int32_t places, cycle_t t);
    [[noreturn]] static void report_credits();
    template <nic_links L>
    void consume(nic_state& n, std::uint64_t word, std::uint32_t vc, std::uint64_t* back, cycle_t t);
    [[noreturn]] static void report_out_of_place(std::uint32_t node, const flit& f);
    template <nic_links L>
    void finish_packet(nic_state& n, const packet& p, std::uint32_t id, cycle_t t);
    void finish_message(const nic_state& n, const message_record& m, std::uint32_t id);
    bool take_good(nic_state& n, const packet& p, std::uint32_t id);
    void inject_all(cycle_t t);
    void inject_at_edges(cycle_t t);
    void inject_one(nic_state& n, cycle_t t);
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
    template <nic_links L>
    bool next_vc(const nic_state& n, class_queue& queue, std::uint32_t need) const;
    vc_mask open_shared_vcs(const nic_state& n, const class_queue& queue, std::uint32_t need) const;
    void make_policies();
    void inject_by_policy(nic_state& n, cycle_t t);
    bool can_send(const nic_state& n, std::uint32_t message_class, cycle_t t);
    bool inject_any(nic_state& n, class_queue& queue, cycle_t t);
    /// A packet that was just made.
    struct made_packet {
        std::uint32_t id, key;  ///< slot of the packet, and key of the route table that its head carries
    };
    made_packet make_packet(nic_state& n, const class_queue& queue, const message_record& m,
                            std::uint32_t flits, cycle_t t);
    template <nic_links L>
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
    /// Number that the head of a packet carries: with a keyed route table the packet's key, so that routers
    /// need not read the packet; without one 0.
    static std::uint32_t route_key(const class_queue& queue, std::uint32_t column) {
        return queue.first_key + (column & queue.key_mask);
    }
    /// Column of a keyed route table for a header.
    std::uint32_t column(const route_header& way) const {
        return way.state * m_from_state_to_state + way.destination;
    }

    const routing_function* m_prepares = nullptr;  ///< prepares headers at the source; null: none
    observer* m_observer = nullptr;                ///< null: none
    std::function<void(std::uint32_t, std::uint32_t)> m_drop_bad;  ///< empty: links have no bit errors
    /// Links that can sleep, by wire_extras::sleeps - 1; null: not set, as no link can.
    std::deque<link_sleep>* m_sleepers = nullptr;
    /// Policy of each NIC; null, or an empty list: classes take turns.
    std::vector<std::unique_ptr<injection_policy>> m_policies;
    /// Packet that next_packet() returns, at [NIC * classes + class]; empty before its first call.
    std::vector<waiting_packet> m_waiting;
    /// What held() returns, at [NIC * classes + class]; empty before the first next_packet().
    std::vector<generated_counts> m_held;
    std::vector<std::uint32_t> m_awake;  ///< numbers of the NICs that run_rest() has to run
    std::vector<arrival> m_arrivals;
    source_queues m_room;
    std::uint64_t m_flit_hops = 0;
    std::uint32_t m_injecting_nodes = 0;  ///< number of bits set in m_injecting
    /// Delays of flits and credits in cycles, of the NICs in m_uniform.
    std::uint32_t m_usual_flit_delay = 0, m_usual_credit_delay = 0;
    /// Refusals by number of the NIC; a NIC that refuses nothing and holds no flit has none.
    std::map<std::uint32_t, refusal> m_refusals;
    bool m_wants_deliveries = false;  ///< true: arrivals() gets all complete messages (tell_deliveries())
    bool m_prefetches = false;        ///< true: what NICs use is fetched into the cache ahead of their turn
    /// True: the NICs of m_uniform that get something are found in the table of a plane.
    bool m_found = false;
};

}  // namespace sare
