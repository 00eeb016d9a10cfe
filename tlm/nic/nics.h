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

/// Classes of links of a NIC; the code of a cycle is compiled for each class.
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
/// reassembly. NICs know their links, and nothing of routers. all_nics owns one object for each part.
class nics final : public nic_table {
  public:
    explicit nics(const nic_surroundings& around) : nic_table(around) {}

    /// @name Last steps of building
    /// @{
    /// Ends building. `prepares`: routing function whose begin() prepares the header of each new packet;
    /// null: none. `prefetches`: true if run() leaves NICs to run_rest(), which fetches their state into the
    /// caches before it is used, for large networks. `looked_through`: true if the tables of planes
    /// (link_ring.h) are searched for arrivals in each cycle, so that writers need set no bits to wake.
    /// Throws config::error if a NIC that is taken over (see take_over()) has `nic.arbiter` or `nic.rate`
    /// set.
    void finish(const routing_function* prepares, bool prefetches, bool looked_through);
    /// Makes NICs call `drop` for each packet that arrives with a bit error, instead of consuming it. `node`:
    /// number of the destination in the network; `packet`: slot. Call it before finish().
    void drop_bad_packets(std::function<void(std::uint32_t node, std::uint32_t packet)> drop) {
        m_drop_bad = std::move(drop);
    }
    /// Replaces the routing function whose begin() prepares headers, from the next packet on; null: none.
    void prepare_by(const routing_function* routing) { m_prepares = routing; }
    /// @}

    /// Sets the links that can sleep, at index wire_extras::sleeps - 1; `all` must outlive the NICs.
    void set_sleepers(std::deque<link_sleep>& all) { m_sleepers = &all; }
    /// Sets the observer of packets and messages, which must outlive the NICs; null: none.
    void set_observer(observer* o) { m_observer = o; }
    /// True if there is an observer.
    bool is_observed() const { return m_observer != nullptr; }
    /// Sets which complete messages arrivals() lists. true: all; false: messages that lost a packet, and
    /// messages of a bridge, which have bit 63 of the tag set.
    void tell_deliveries(bool all) { m_wants_deliveries = all; }
    /// Writes or reads the state of all NICs of the part.
    void serialize(archive& a);

    /// @name A cycle
    /// @{
    /// Takes the flits and credits that have arrived in cycle `t` at each NIC 64 * word + k for which bit k
    /// of `awake` is set. Throws protocol_error for a flit out of order or at the wrong node, and for more
    /// credits than were spent.
    void run(std::uint32_t word, std::uint64_t awake, cycle_t t);
    /// Runs the NICs that run() has left to it (`prefetches` of finish()). Call it after run() for all words
    /// of the cycle.
    void run_rest(cycle_t t) {
        if (!m_awake.empty()) run_left(t);
    }
    /// Lets each NIC with messages send one flit in cycle `t`, if its link takes a flit and a class with a
    /// flit has the credits that it needs.
    void inject(cycle_t t) {
        if (m_injecting_nodes != 0 && m_own != 0) m_clocks.empty() ? inject_all(t) : inject_at_edges(t);
    }
    /// Lets NICs send flits in cycle `t` as inject() does, but only of packets whose heads have left; no
    /// packet begins.
    void inject_begun(cycle_t t);
    /// True if some source queue has a message.
    bool any_injecting() const { return m_injecting_nodes != 0; }
    /// Returns true if a tail flit is in `here`, the plane of the current cycle, for some NIC 64 * word + k
    /// for which bit k of `awake` is set.
    bool packet_ends(std::uint32_t word, std::uint64_t awake, const std::uint64_t* here) const;
    /// A complete message: number, in the network, of its destination node; slot of the message.
    struct arrival {
        std::uint32_t node, message;
    };
    /// Returns the list of complete messages that the workload has not been told of; the caller empties it.
    std::vector<arrival>& arrivals() { return m_arrivals; }
    /// Source queues, as pairs of node (number in the network) and message class.
    using source_queues = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    /// Returns the list of source queues that have fallen to the level asked for by call_when_queued() and of
    /// which the workload has not been told; the caller empties it.
    source_queues& room() { return m_room; }
    const source_queues& room() const { return m_room; }
    /// @}

    /// @name Messages
    /// @{
    /// Appends message `m` to the source queue of its class at NIC `n`; its numbers are not checked. Returns
    /// the slot of the message. If the NIC pads packets, the message's flits are rounded up to whole packets.
    std::uint32_t send(std::uint32_t n, const message& m);
    /// Asks that the source queue of a class at NIC `node` be added to room() once, when it holds at most
    /// `level` messages; this call adds it if it does now. A second call before that replaces the level.
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level);
    /// Takes a slot of the pool for message `m`, which will not be sent, and returns it. The message is put
    /// into no source queue and counts as no sent message.
    std::uint32_t refuse(const message& m);
    /// Takes the messages for which `which` is true out of the source queues of NIC `node`. Calls `out` for
    /// each of them, with its slot and the number of its flits that are not in packets yet. Call it only
    /// while the NIC injects no packet.
    void withdraw(std::uint32_t node, const std::function<bool(const message&)>& which,
                  const std::function<void(std::uint32_t message, std::uint32_t flits)>& out);
    /// @}

    /// @name Ejection that a node refuses
    /// Flits of a class that a node does not take wait in the ejection buffers of its NIC, which returns no
    /// credits for them, so that they back up into the network.
    /// @{
    /// Sets whether NIC `node` takes flits of a class, from the next cycle on. Once it takes them again, the
    /// flits that wait are consumed, one in a cycle, in the order of each VC.
    void set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts);
    /// Returns the number of flits of a class that wait in the ejection buffers of NIC `node`.
    std::uint32_t held_back(std::uint32_t node, std::uint32_t message_class) const;
    bool any_to_take() const;  ///< true if take_held() has something to do
    /// True if some NIC refuses a message class, or has flits that wait since it did.
    bool holds_any() const { return !m_refusals.empty(); }
    /// Consumes, in cycle `t`, one waiting flit at each NIC that has one which it takes again. Call it after
    /// run_rest().
    void take_held(cycle_t t);
    /// @}

    /// @name Reset, between two cycles
    /// @{
    /// Empties the source queues of NIC `node`, gives up its packets in progress, and restores its credits.
    /// Slots of packets and messages are not given back. Its counters, its random stream and the flits that
    /// it holds back stay.
    void clear(std::uint32_t node);
    /// Flits of a packet that are not in the network: number not injected yet, and number consumed.
    struct flits_outside {
        std::uint32_t unsent = 0, consumed = 0;
    };
    /// Takes packet `packet` (slot) out of NIC `node`, which is injecting or receiving it. Returns the
    /// numbers of its flits that are not in the network; with bit errors `consumed` is 0, since flits count
    /// as consumed only with the whole packet.
    flits_outside take_out(std::uint32_t node, std::uint32_t packet);
    /// Adds `credits` credits, of NIC `node`, for VC `vc` of its router; a negative number takes credits
    /// away. Nothing is checked.
    void give_credits(std::uint32_t node, std::uint32_t vc, std::int32_t credits) {
        m_nics[node].vc_credits[vc] = static_cast<std::uint16_t>(m_nics[node].vc_credits[vc] + credits);
    }
    /// @}

    /// @name NICs whose work is done outside: only their source queues stay here
    /// @{
    /// Prepares the next packet of a class at NIC `node`, and returns it; the pointer is valid until the
    /// packet is taken or its last flit leaves. Returns null if the source queue is empty.
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class);
    /// Returns, for packets of a class that were taken from the source queue of NIC `node` and whose heads
    /// have not left: the number of their flits, and the number of their messages of which no head has left.
    generated_counts held(std::uint32_t node, std::uint32_t message_class) const {
        return m_held.empty() ? generated_counts{}
                              : m_held[std::size_t{node} * m_around.classes + message_class];
    }
    /// Counts a flit, of the packet that next_packet() has returned, that is injected in cycle `t`; the call
    /// for its head makes the packet. Returns the packet's slot.
    std::uint32_t flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t);
    /// Consumes flit `f`, which arrives at NIC `node` in cycle `t`, without sending a credit. Throws
    /// protocol_error if the flit is out of order or at the wrong node.
    void flit_arrives(std::uint32_t node, const flit& f, cycle_t t);
    /// @}

    /// @name NICs that are taken over by their router, with injection queues and consumption
    /// @{
    /// Returns the set of NICs with messages in their source queues: NIC n is bit n % 64 of word n / 64.
    const std::vector<std::uint64_t>& waiting() const { return m_injecting; }
    /// Takes the packet that next_packet() has returned (not checked) out of the source queue of a class at
    /// NIC `node`. Returns the packet's slot.
    std::uint32_t take_packet(std::uint32_t node, std::uint32_t message_class);
    /// Counts packet `id` (slot) of NIC `node`, whose head leaves the injection queue in cycle `t`.
    void packet_leaves(std::uint32_t node, std::uint32_t id, cycle_t t);
    /// Counts packet `id` (slot), whose tail is consumed at NIC `node` in cycle `t`, and frees the slot.
    void packet_arrives(std::uint32_t node, std::uint32_t id, cycle_t t);
    /// @}

    /// Returns the sum, over all packets consumed at these NICs, of flits of the packet times routers
    /// visited.
    std::uint64_t flit_hops() const { return m_flit_hops; }

  private:
    /// Message classes that a node refuses, and flits that wait at its NIC; flit::vc is the VC on which a
    /// flit came.
    struct refusal {
        std::uint32_t classes = 0;  ///< message classes refused: bit c for class c
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
        std::uint32_t id, key;  ///< slot of the packet; key of the route table for its head, see route_key()
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
    /// Returns the number that the head of a packet carries in flit::sequence: with a keyed route table the
    /// key of the packet, so that routers need not read the packet, otherwise 0. `column`: column of the
    /// packet's header.
    static std::uint32_t route_key(const class_queue& queue, std::uint32_t column) {
        return queue.first_key + (column & queue.key_mask);
    }
    /// Returns the column of the keyed route table for header `way`.
    std::uint32_t column(const route_header& way) const {
        return way.state * m_from_state_to_state + way.destination;
    }

    /// Routing function that prepares headers of new packets; null: none.
    const routing_function* m_prepares = nullptr;
    observer* m_observer = nullptr;  ///< observer of packets and messages; null: none
    /// Set by drop_bad_packets(); empty: links have no bit errors.
    std::function<void(std::uint32_t, std::uint32_t)> m_drop_bad;
    /// Links that can sleep, by wire_extras::sleeps - 1; null: not set, as no link can.
    std::deque<link_sleep>* m_sleepers = nullptr;
    /// Injection policy of each NIC; null, or an empty list: message classes take turns.
    std::vector<std::unique_ptr<injection_policy>> m_policies;
    /// Packets that next_packet() returns, at [NIC * classes + class]; empty before its first call.
    std::vector<waiting_packet> m_waiting;
    /// Answers of held(), at [NIC * classes + class]; empty before the first next_packet().
    std::vector<generated_counts> m_held;
    std::vector<std::uint32_t> m_awake;   ///< numbers of the NICs that run_rest() has to run
    std::vector<arrival> m_arrivals;      ///< list that arrivals() returns
    source_queues m_room;                 ///< list that room() returns
    std::uint64_t m_flit_hops = 0;        ///< answer of flit_hops()
    std::uint32_t m_injecting_nodes = 0;  ///< number of bits set in m_injecting
    /// Delays, in cycles, of flits and of credits that the NICs in m_uniform send.
    std::uint32_t m_usual_flit_delay = 0, m_usual_credit_delay = 0;
    /// Refusals by number of the NIC; a NIC that refuses nothing and holds no flit has none.
    std::map<std::uint32_t, refusal> m_refusals;
    bool m_wants_deliveries = false;  ///< true: arrivals() gets all complete messages (tell_deliveries())
    bool m_prefetches = false;        ///< true: run() leaves NICs to run_rest()
    /// True: the NICs of m_uniform are nic_links::polled; arrivals are found in the table of a plane.
    bool m_found = false;
};

}  // namespace sare
