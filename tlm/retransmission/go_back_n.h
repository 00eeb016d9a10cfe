// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/forwarding.h"
#include "tlm/api/observer.h"
#include "tlm/api/own_traffic.h"
#include "tlm/api/refusals.h"
#include "tlm/api/synchronized_workload.h"
#include "tlm/nic/congestion/congestion_control.h"
#include "tlm/nic/params.h"
#include "tlm/router_api/class_vcs.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sare {

namespace loss {
/// Cause of loss: a packet was sent nic_params::attempts times without an acknowledgement.
constexpr const char* given_up = "given_up";
}  // namespace loss

/// Go-back-N retransmission (Tanenbaum and Wetherall, "Computer Networks", section 3.4.2) between a workload
/// and the NICs of a network that loses packets: docs/links.md. It stands between the two: the workload sends
/// to this object, and the network takes its messages from this object. Each message that it gives the
/// network is one packet.
///
/// A *flow* is the packets of one source, destination and message class, numbered from 0. The source keeps
/// the packets that are not acknowledged, its *window*; the destination takes the packets in order. An
/// acknowledgement carries the number of the packet that is expected next, and so acknowledges all packets
/// with lower numbers. A NIC is given the next packet of a class when the head of the packet before has left
/// the NIC; flows of a node take turns, and acknowledgements come first.
///
/// With a congestion_control each flow has a rate: after a packet of n flits it waits n / rate cycles before
/// it gives the NIC the next one. An acknowledgement tells the source, at most once in
/// congestion_control::notice_interval(), that a packet came with a router's mark.
class go_back_n final : public forwarding_workload,
                        public forwarding_port,
                        public observer,
                        public refusing_workload,
                        public own_traffic,
                        public synchronized_workload {
  public:
    /// Counters since the start, of this process; after add_up(), sums over all processes but for given_up
    /// and lost_messages.
    struct counters {
        std::uint64_t packets = 0;           ///< data packets given to NICs, without repeated sendings
        std::uint64_t sent_again = 0;        ///< repeated sendings of data packets
        std::uint64_t acknowledgements = 0;  ///< acknowledgements sent, ideal ones included
        /// Number of times that the first packet of a flow's window was not acknowledged in time.
        std::uint64_t time_outs = 0;
        std::uint64_t duplicates = 0;  ///< data packets that arrived again after they had arrived in order
        /// Data packets that arrived before a packet with a lower number, and were not taken.
        std::uint64_t out_of_order = 0;
        /// Flows that were ended, since a packet was sent nic_params::attempts times in vain or has no route.
        std::uint64_t given_up = 0;
        /// Messages of which a packet has been injected; messages that were lost.
        std::uint64_t started_messages = 0, lost_messages = 0;
        /// Flits of data packets that arrived in order, each packet counted once.
        std::uint64_t useful_flits = 0;
        /// Data packets that came with the mark of a router; notices of such packets to their sources.
        std::uint64_t marked = 0, notices = 0;
    };

    /// `inner`: the workload, which must outlive this object. `params`: parameters of every NIC of the
    /// network; `shares`: VCs of each message class. Throws config::error for an unknown params.control.
    go_back_n(workload& inner, const nic_params& params, const class_vcs& shares)
        : forwarding_workload(inner),
          m_params(params),
          m_shares(shares),
          m_control(config::make_chosen<congestion_control>(params.control)) {}

    /// Sets the observer, which must outlive this object. It sees packets and messages arrive as the workload
    /// gets them (in order, and once), and all injected packets, copies and acknowledgements included. Call
    /// it before start().
    void tell(observer& statistics) { m_statistics = &statistics; }
    /// Returns a text about the first message that was lost; "" if none was.
    const std::string& first_lost() const { return m_losses.first; }
    /// Returns the number of messages lost since the start, by cause.
    const std::map<std::string, std::uint64_t>& lost_by_cause() const { return m_losses.by_cause; }

    /// Returns the counters since the start.
    const counters& counted() const { return m_counters; }
    /// Returns the counters for the summary of a run, as a map by name, without those of messages; marks only
    /// with a congestion control.
    config::value summary() const;

    /// @name The network as the workload sees it
    /// @{
    const multicast_table* multicast() const override { return nullptr; }  // flows have one destination
    void send(const message& m) override;
    std::uint32_t queued(std::uint32_t node) const override;
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_queued[place_of(node, message_class)].messages;
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override;
    /// @}

    /// @name The workload as the network sees it
    /// @{
    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    void dropped_at(const message& m, const std::string& cause, const drop_location& at) override;
    void lost(const message& m) override { (void)m; }  // the fate of a message depends on its flow
    bool wants_packets() const override { return false; }
    bool wants_deliveries() const override { return true; }
    void queue_space(std::uint32_t, std::uint32_t) override {}
    /// True if the workload has finished and no message is open: all its packets are acknowledged.
    bool finished() const override { return m_inner.finished() && m_open_messages == 0; }
    /// Returns the messages and flits that wait at a node: the backlog of the workload, and messages and
    /// flits here that have not been sent for the first time.
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override {
        generated_counts all = m_inner.backlog_of(node, message_class);
        return all += m_queued[place_of(node, message_class)];
    }
    generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const override {
        return refused_by(m_inner, node, message_class);
    }
    generated_counts made(std::uint32_t node) const override;
    generated_counts made_of(std::uint32_t node, std::uint32_t message_class) const override;
    generated_counts useful(std::uint32_t node) const override { return m_useful[node]; }
    void serialize(archive& a) override;
    /// @}

    /// @name Several processes, where a flow may lead from one to another. Then no flow can be given up, and
    /// acknowledgements cannot be ideal
    /// @{
    std::uint32_t words_with_messages() const override;
    void write_words(const message& m, std::uint64_t* words) const override;
    std::uint64_t tag_of(const message& m, const std::uint64_t* words) override;
    bool agrees() const override { return sare::agrees(m_inner); }
    cycle_t next_agreement() const override { return next_agreement_of(m_inner); }
    void agree(world& all, std::uint32_t most) override;
    void add_up(world& all) override;
    /// @}

    /// @name Observer of the network, in the place of `statistics`
    /// @{
    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override;
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override;
    void message_consumed(const message_record&, cycle_t) override {}
    /// @}

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    /// Bits of the tag of a message that mark an acknowledgement, and an acknowledgement that notifies of a
    /// marked packet. Bits 32 to 60: number of the flow; bits 0 to 31: number of the packet.
    static constexpr std::uint64_t acknowledges = std::uint64_t{1} << 62, notifies = std::uint64_t{1} << 61;

    /// Open message: a message of the workload of which some packet is not acknowledged yet.
    struct open_message {
        message what;                 ///< the message, as the workload sent it
        std::uint32_t to_cut = 0;     ///< flits that are not in packets yet
        std::uint32_t to_arrive = 0;  ///< flits of the message that have not arrived in order
        /// Cycle in which the head of its first packet left the NIC; never: none has.
        cycle_t injected = never;
    };
    /// A packet of a flow's window.
    struct outgoing {
        std::uint32_t message, flits;  ///< index in m_messages; length of the packet in flits
        bool last;                     ///< true: the last packet of its message
        std::uint32_t times = 0;       ///< number of times that the NIC was given the packet
        /// Cycle in which the packet's head last left the NIC; never: the packet waits there, or is to be
        /// sent.
        cycle_t sent = never;
        void serialize(archive& a);
    };
    /// Flow: the sender's window, and the state of the receiver. Numbers of packets count from 0.
    struct flow {
        std::uint32_t source, destination, message_class;
        /// Indices in m_messages of messages with flits that are not in packets yet, in order.
        std::deque<std::uint32_t> messages;
        std::deque<outgoing> packets;  ///< window: packets, in order, that are not acknowledged
        std::uint64_t base = 0;        ///< number of the first packet of the window
        std::uint64_t next = 0;        ///< number of the packet to be sent next
        std::uint64_t expected = 0;    ///< number of the packet that the destination expects next
        bool ready = false;            ///< true: the flow is in gate::ready of its source
        bool acknowledge = false;      ///< true: the flow is in gate::acknowledge of its destination
        bool ended = false;            ///< true: the flow was given up
        bool no_route = false;         ///< true: the flow was given up since no path joins its nodes
        /// Flits still to arrive of the present message, if another process sends the flow; 0: none has
        /// begun.
        std::uint32_t to_arrive = 0;
        std::unique_ptr<flow_rate> rate{};  ///< rate at the source; null: no congestion control
        double free_at = 0;                 ///< cycle from which on the rate allows the next packet
        bool is_paced = false;              ///< true: the flow is in m_paced
        bool notify = false;                ///< true: the next acknowledgement tells of a marked packet
        cycle_t next_notice = 0;  ///< first cycle in which the destination may tell of another marked packet
        void serialize(archive& a);
    };
    /// Flows of one message class, by flow number, that wait for the NIC of a node.
    struct gate {
        std::deque<std::uint32_t> ready;        ///< flows from this node that can send
        std::deque<std::uint32_t> acknowledge;  ///< flows to this node that have an acknowledgement to send
        /// 1 + tag of the packet that the NIC was given and whose head has not left the NIC; 0: none.
        std::uint64_t in_nic = 0;
        void serialize(archive& a);
    };

    /// Returns the number of a flow, its index in m_flows; the first call for it makes the flow.
    std::uint32_t flow_of(std::uint32_t source, std::uint32_t destination, std::uint32_t message_class);
    /// Returns the index of a message class at a node: node * classes + class.
    std::size_t place_of(std::uint32_t node, std::uint32_t message_class) const {
        return std::size_t{node} * m_port->classes() + message_class;
    }
    /// Returns the gate of a message class at a node.
    gate& gate_of(std::uint32_t node, std::uint32_t message_class) {
        return m_gates[place_of(node, message_class)];
    }
    /// True if the flow has a packet to send, in its window or cut from a message; rates are not looked at.
    bool can_send(const flow& f) const;
    bool waits_for_rate(std::uint32_t id);
    void spend_rate(flow& f, std::uint32_t flits);
    void release_paced(cycle_t now);
    /// Lets the next acknowledgement of flow f tell of the packet `d`, if a router has marked it.
    void note_mark(flow& f, const delivery& d);
    /// Puts flow `id` into the gate of its source, if it can send and its rate allows it.
    void make_ready(std::uint32_t id);
    /// Lets serve() be called for node `node` in the next tick().
    void wake(std::uint32_t node);
    void serve(std::uint32_t node);
    void send_packet(std::uint32_t id);
    void send_acknowledgement(std::uint32_t id);
    void take_acknowledgement(std::uint32_t id, std::uint32_t number, bool notified);
    /// Cuts the next packet from the first message of flow f, and appends it to the window.
    void cut(flow& f);
    /// Frees the message at index `slot` of m_messages.
    void free(std::uint32_t slot);
    void watch_time(std::uint32_t id);
    void run_out(cycle_t now);
    /// Sends flow `id` again from the first packet of its window on, or ends it after too many attempts.
    void go_back(std::uint32_t id);
    void end_flow(std::uint32_t id, const std::string& cause);
    /// Counts message m as lost, for the reason `cause`; tell_lost() tells the workload.
    void lose(const message& m, const std::string& cause);
    void tell_lost();
    void call_for_room();
    void one_less(const flow& f);
    void call_if_wanted(std::uint32_t node, std::uint32_t message_class);
    void take_data(std::uint32_t id, const delivery& d);
    bool is_next(const flow& f, const delivery& d);
    void take_from_elsewhere(std::uint32_t id, const delivery& d);
    void message_arrived(const message& what, cycle_t injected, cycle_t consumed);
    std::uint32_t flow_of(const delivery& d);

    const nic_params m_params;
    const class_vcs m_shares;
    const std::shared_ptr<const congestion_control> m_control;  ///< makes the rates of flows
    observer* m_statistics = nullptr;                           ///< observer set by tell()
    counters m_counters;
    /// Number of each flow (index in m_flows), by source, destination and message class.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> m_flow_of;
    std::deque<flow> m_flows;                    ///< all flows; by flow number
    std::vector<gate> m_gates;                   ///< all gates; by place_of()
    std::vector<open_message> m_messages;        ///< open messages, and free elements
    std::vector<std::uint32_t> m_free_messages;  ///< indices of the free elements of m_messages
    std::uint64_t m_open_messages = 0;           ///< number of open messages
    /// Packets (counted as messages) and flits that the workload has sent, by place_of() of the source.
    std::vector<generated_counts> m_made;
    /// Packets (counted as messages) and flits that arrived in order, by destination node.
    std::vector<generated_counts> m_useful;
    /// Messages of which some flit has not been sent for the first time, and number of such flits; by
    /// place_of().
    std::vector<generated_counts> m_queued;
    /// Number of queued messages at which queue_space() is called (call_when_queued()), by place_of(); none:
    /// no call.
    std::vector<std::uint32_t> m_call_level;
    /// Node and message class of each call of workload::queue_space() that is due.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_calls;
    std::vector<std::uint32_t> m_awake;                ///< nodes to be served in the next tick()
    std::vector<std::uint8_t> m_is_awake;              ///< true: the node is in m_awake; by node
    std::vector<packet> m_came;                        ///< packet that arrived last at a node, by node
    using moment = std::pair<cycle_t, std::uint32_t>;  ///< cycle, and flow number
    /// Times at which windows are looked at for a time-out, the earliest first.
    std::priority_queue<moment, std::vector<moment>, std::greater<>> m_timers;
    /// Times from which flows may send by their rates, the earliest first.
    std::priority_queue<moment, std::vector<moment>, std::greater<>> m_paced;
    /// An acknowledgement outside of the network, which arrives in cycle `at`. `number`: that of the packet
    /// of flow `flow` that is expected next, modulo 2^32; `notifies`: true if a packet came marked.
    struct ideal_acknowledgement {
        cycle_t at;
        std::uint32_t flow, number;
        bool notifies;
    };
    std::deque<ideal_acknowledgement> m_ideal;  ///< ideal acknowledgements under way, in order of arrival
    /// Lost messages that the workload is still to be told of, with their causes.
    std::vector<std::pair<message, std::string>> m_lost;
    struct {
        std::map<std::string, std::uint64_t> by_cause;
        std::string first;
    } m_losses;  ///< number of lost messages by cause; description of the first
    /// Words that another process sent with the packet that is delivered next.
    std::vector<std::uint64_t> m_words;
};

}  // namespace sare
