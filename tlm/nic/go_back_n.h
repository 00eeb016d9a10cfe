// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/agreeing.h"
#include "tlm/api/forwarding.h"
#include "tlm/api/observer.h"
#include "tlm/api/own_traffic.h"
#include "tlm/api/refusals.h"
#include "tlm/nic/params.h"
#include "tlm/router_api/class_vcs.h"

#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sare {

namespace loss {
constexpr const char* given_up = "given_up";  ///< messages of which a packet was sent too often in vain
}  // namespace loss

/// Go-back-N (Tanenbaum and Wetherall, "Computer Networks", section 3.4.2) between a workload and the NICs of
/// a network that loses packets: docs/links.md. To the workload it is the network, to the network it is the
/// workload; what goes through the network are messages of one packet each.
///
/// A *flow* is a pair of nodes in a message class: it numbers its packets, keeps those that are not
/// acknowledged, and takes them in order at the other end. Acknowledgements are cumulative: the number that
/// is expected next. A NIC is given a packet of a class when the one before it has begun to leave; the flows
/// of a node take turns, and acknowledgements come first.
class go_back_n final : public forwarding_workload,
                        public forwarding_port,
                        public observer,
                        public refusing_workload,
                        public own_traffic,
                        public agreeing_workload {
  public:
    struct counters {
        std::uint64_t packets = 0;           ///< of data, each counted once
        std::uint64_t sent_again = 0;        ///< and copies of them
        std::uint64_t acknowledgements = 0;  ///< sent
        std::uint64_t time_outs = 0;
        std::uint64_t duplicates = 0;    ///< arrived, and had before
        std::uint64_t out_of_order = 0;  ///< arrived, and one before it had not
        std::uint64_t given_up = 0;      ///< flows that came to an end
        std::uint64_t started_messages = 0, lost_messages = 0;
        std::uint64_t useful_flits = 0;  ///< arrived in order
    };

    /// `inner` outlives this. `params`: of every NIC.
    go_back_n(workload& inner, const nic_params& params, const class_vcs& shares)
        : forwarding_workload(inner), m_params(params), m_shares(shares) {}

    /// Before start(): is told of data as the workload gets it, and of all packets that are injected.
    void tell(observer& statistics) { m_statistics = &statistics; }
    /// The first message that was, in words; "" where none was.
    const std::string& first_lost() const { return m_first_lost; }

    const counters& counted() const { return m_counters; }
    /// The same for the summary of a run.
    config::value summary() const;

    /// @name The network, to the workload
    /// @{
    const multicast_table* multicast() const override { return nullptr; }  // it answers to one node
    void send(const message& m) override;
    std::uint32_t queued(std::uint32_t node) const override;
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_queued[place_of(node, message_class)].messages;
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override;
    /// @}

    /// @name The workload, to the network
    /// @{
    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    void dropped_at(const message& m, const std::string& cause, const drop_location& at) override;
    void lost(const message& m) override { (void)m; }  // told by what became of its flow
    bool wants_packets() const override { return false; }
    bool wants_deliveries() const override { return true; }
    void queue_space(std::uint32_t, std::uint32_t) override {}
    bool finished() const override { return m_inner.finished() && m_open_messages == 0; }
    /// With what waits here.
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override {
        generated_counts all = m_inner.backlog_of(node, message_class);
        return all += m_queued[place_of(node, message_class)];
    }
    generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const override {
        return refused_by(m_inner, node, message_class);
    }
    generated_counts made(std::uint32_t node) const override;
    generated_counts made_of(std::uint32_t node, std::uint32_t message_class) const override;
    std::uint64_t useful_flits(std::uint32_t node) const override { return m_useful[node]; }
    void serialize(archive& a) override;
    /// @}

    /// @name Several processes: a flow has an end in each of two. Its sender may not give it up, and no
    /// acknowledgement can be ideal
    /// @{
    std::uint32_t words_with_messages() const override;
    void write_words(const message& m, std::uint64_t* words) const override;
    std::uint64_t tag_of(const message& m, const std::uint64_t* words) override;
    bool agrees() const override { return sare::agrees(m_inner); }
    cycle_t next_agreement() const override { return next_agreement_of(m_inner); }
    void agree(world& all, std::uint32_t most) override;
    void add_up(world& all) override;
    /// @}

    /// @name Looking on, in the place of `statistics`
    /// @{
    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override;
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override;
    void message_consumed(const message_record&, cycle_t) override {}
    /// @}

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr std::uint64_t acknowledges = std::uint64_t{1} << 62;  ///< in a tag

    /// A message of the workload that has not wholly arrived or is not wholly acknowledged.
    struct open_message {
        message what;
        std::uint32_t to_cut = 0;     ///< flits that are not in packets yet
        std::uint32_t to_arrive = 0;  ///< flits
        cycle_t injected = never;     ///< the first of them
    };
    struct outgoing {
        std::uint32_t message, flits;
        bool last;                ///< of its message
        std::uint32_t times = 0;  ///< given to the NIC
        cycle_t sent = never;     ///< when it left the NIC last; never: it waits there, or was not sent
        void serialize(archive& a);
    };
    struct flow {
        std::uint32_t source, destination, message_class;
        std::deque<std::uint32_t> messages;  ///< to be cut, the first one perhaps in part
        std::deque<outgoing> packets;        ///< the window: not acknowledged
        std::uint64_t base = 0;              ///< number of the first of these
        std::uint64_t next = 0;              ///< to be sent next
        std::uint64_t expected = 0;          ///< at the destination
        bool ready = false;                  ///< in its node's turn
        bool acknowledge = false;            ///< an acknowledgement of it waits
        bool ended = false;                  ///< it was given up
        std::uint32_t to_arrive = 0;         ///< flits of a message from another process, once it has begun
        void serialize(archive& a);
    };
    /// The queues of a class at a node.
    struct gate {
        std::deque<std::uint32_t> ready;        ///< flows from here that can send
        std::deque<std::uint32_t> acknowledge;  ///< flows to here
        std::uint64_t in_nic = 0;               ///< tag + 1 of what waits in the NIC; 0: nothing
        void serialize(archive& a);
    };

    std::uint32_t flow_of(std::uint32_t source, std::uint32_t destination, std::uint32_t message_class);
    /// Of a class at a node: [node * classes + class].
    std::size_t place_of(std::uint32_t node, std::uint32_t message_class) const {
        return std::size_t{node} * m_port->classes() + message_class;
    }
    gate& gate_of(std::uint32_t node, std::uint32_t message_class) {
        return m_gates[place_of(node, message_class)];
    }
    bool can_send(const flow& f) const;
    void make_ready(std::uint32_t id);
    void wake(std::uint32_t node);
    void serve(std::uint32_t node);
    void send_packet(std::uint32_t id);
    void send_acknowledgement(std::uint32_t id);
    void take_acknowledgement(std::uint32_t id, std::uint32_t number);
    void cut(flow& f);
    void free(std::uint32_t slot);
    void watch_time(std::uint32_t id);
    void run_out(cycle_t now);
    void go_back(std::uint32_t id);
    void end_flow(std::uint32_t id, const std::string& cause);
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
    observer* m_statistics = nullptr;
    counters m_counters;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> m_flow_of;
    std::deque<flow> m_flows;
    std::vector<gate> m_gates;  ///< by place_of()
    std::vector<open_message> m_messages;
    std::vector<std::uint32_t> m_free_messages;
    std::uint64_t m_open_messages = 0;
    /// Packets and flits of the workload, beside what waits in it; by place_of().
    std::vector<generated_counts> m_made;
    std::vector<std::uint64_t> m_useful;      ///< by node: flits that came in order
    std::vector<generated_counts> m_queued;   ///< by place_of(): messages not wholly sent, flits not sent
    std::vector<std::uint32_t> m_call_level;  ///< likewise; none: no call is wanted
    /// Nodes and classes of which the workload is to be called.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_calls;
    std::vector<std::uint32_t> m_awake;  ///< nodes to serve
    std::vector<std::uint8_t> m_is_awake;
    std::vector<packet> m_came;                        ///< by node: the packet that came last
    using moment = std::pair<cycle_t, std::uint32_t>;  ///< and flow
    std::priority_queue<moment, std::vector<moment>, std::greater<>> m_timers;
    struct ideal_acknowledgement {
        cycle_t at;
        std::uint32_t flow, number;
    };
    std::deque<ideal_acknowledgement> m_ideal;
    std::vector<std::pair<message, std::string>> m_lost;  ///< to be told
    std::string m_first_lost;
    std::vector<std::uint64_t> m_words;  ///< that came with the packet that is delivered next
};

}  // namespace sare
