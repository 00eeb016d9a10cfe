// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/endpoint_waits.h"
#include "tlm/api/workload.h"
#include "tlm/base/pool.h"
#include "tlm/base/rng.h"
#include "tlm/state/archive.h"
#include "tlm/stats/latency.h"
#include "traffic/gap/gap.h"
#include "traffic/length/length.h"
#include "traffic/protocol/declaration.h"
#include "traffic/spatial/pattern.h"

#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <set>
#include <tuple>

namespace sare::traffic {

/// The workload `protocol`: requesters begin transactions of a declared protocol, and nodes answer messages
/// by messages. A node holds at most protocol_parameters::buffer messages of each class, and refuses more. A
/// closed loop.
class protocol_workload final : public workload, public endpoint_workload {
  public:
    /// `section`: section of the workload, for errors. Throws config::error for a wrong protocol or law.
    protocol_workload(const protocol_parameters& p, const config::value& section, const workload_context& c);

    void start(traffic_port& port) override;
    cycle_t next_tick() const override { return m_agenda.empty() ? never : m_agenda.top().when; }
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    void lost(const message& what) override;
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    bool finished() const override { return m.count != 0 && m_to_end == 0 && m_open.in_use() == 0; }
    bool runs_to_completion() const override { return m.count != 0; }
    traffic_loop loop() const override { return traffic_loop::closed; }
    double progress() const override {
        return m_all == 0 ? -1 : 1 - static_cast<double>(m_to_end) / static_cast<double>(m_all);
    }
    void measured_from(cycle_t) override { m_measures = true; }
    void measured_to(cycle_t) override { m_measures = false; }
    generated_counts generated(cycle_t) override { return m_made; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    std::uint32_t largest_message() const override;
    std::uint32_t nodes_needed() const override;
    std::uint32_t classes_needed() const override { return m_machine.classes; }
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    void serialize(archive& a) override;

    std::string endpoint_cycle(bool apart) const override;
    void permit_cycle() override { m_permitted = true; }
    std::vector<endpoint_wait> endpoint_waits() const override;

  private:
    /// A message, as a transaction and one of its steps.
    struct step_of {
        std::uint32_t transaction = 0, step = 0;
    };
    /// A message that waits to leave its node.
    struct outgoing {
        step_of what;
        std::uint32_t to = 0;
        cycle_t generated = 0;
        void serialize(archive& a) { a(what, to, generated); }
    };
    /// A transaction under way.
    struct open_transaction {
        std::uint32_t kind = 0, requester = 0, home = 0, owner = 0, memory = 0;
        std::vector<std::uint32_t> sharers;  ///< nodes of the sharers
        std::vector<std::uint32_t> handled;  ///< number of messages that have been handled, by step
        std::uint32_t under_way = 0;         ///< number of messages that have been made and not been handled
        std::uint32_t left = 0;          ///< number of messages of the transaction that have not been handled
        std::uint32_t to_requester = 0;  ///< number of messages to the requester that have not been handled
        std::uint32_t at_requester = 0;  ///< to_requester plus messages that the requester has not sent
        cycle_t begun = 0;               ///< cycle in which the transaction began
        bool has_place = true;  ///< true: it counts as one of the `outstanding` transactions of its requester
        bool lost = false;      ///< true: a message was lost, so that no more messages are made

        /// Returns the nodes in a role.
        std::vector<std::uint32_t> nodes(role r) const;
        void serialize(archive& a) {
            a(kind, requester, home, owner, memory, sharers, handled, under_way, left, to_requester,
              at_requester, begun, has_place, lost);
        }
    };
    /// The messages of one class at a node.
    struct endpoint {
        std::deque<step_of> arrived;    ///< messages that wait to be handled, the one being handled included
        std::deque<outgoing> ready;     ///< messages of this class of requesters here that wait to leave
        std::vector<outgoing> answers;  ///< messages that `arrived.front()` has triggered, to leave
        bool in_service = false;        ///< true: `arrived.front()` is being handled
        /// True: `arrived.front()` has been handled, and stays until its `answers` have left.
        bool handled = false;
        bool refuses = false;  ///< true: the node refuses messages of the class
        bool asked = false;    ///< true: a call of queue_space() is due

        void serialize(archive& a) { a(arrived, ready, answers, in_service, handled, refuses, asked); }
    };
    /// A requester.
    struct requester {
        rng choices, thinking;
        std::uint64_t left = 0;  ///< number of transactions that are still to begin
    };
    struct event {
        /// begins: a transaction begins at `node`; handled: the first message of class `number` at `node` has
        /// been handled; handled_in_place: step `step` of transaction `number`, to its requester `node`, has
        /// been handled.
        enum class kind : std::uint32_t { begins, handled, handled_in_place };
        cycle_t when = 0;
        kind what = kind::begins;
        std::uint32_t node = 0, number = 0, step = 0;
        bool operator>(const event& o) const {
            return std::tie(when, what, node, number, step) >
                   std::tie(o.when, o.what, o.node, o.number, o.step);
        }
    };
    /// Counts of one kind of messages or of transactions.
    struct counts {
        /// Since the start: begun; ended; flits of messages sent.
        std::uint64_t begun = 0, ended = 0, flits = 0;
        latency_histogram latencies;  ///< in the measured window
        template <class Archive>
        void serialize(Archive& a) {
            a(begun, ended, flits, latencies);
        }
    };

    const transaction_kind& kind_of(const open_transaction& t) const {
        return m_machine.transactions[t.kind];
    }
    const protocol_step& step(const step_of& s) const { return kind_of(m_open[s.transaction]).steps[s.step]; }
    const message_kind& message_of(const step_of& s) const { return m_machine.messages[step(s).kind]; }
    endpoint& at(std::uint32_t node, std::uint32_t message_class) {
        return m_endpoints[std::size_t{node} * m_machine.classes + message_class];
    }

    void think(std::uint32_t node, cycle_t from);
    void begin(std::uint32_t node);
    void draw_sharers(open_transaction& t);
    std::uint32_t draw_kind(rng& random) const;
    bool is_triggered(const open_transaction& t, std::uint32_t s) const;
    void make(const step_of& s, std::vector<outgoing>& out);
    void make_ready(std::uint32_t node, const std::vector<outgoing>& all);
    void handle(const step_of& s, std::vector<outgoing>& out);
    void settle(std::uint32_t transaction);
    bool send(std::uint32_t node, const outgoing& o);
    void work();
    bool send_ready(std::uint32_t node);
    bool advance(std::uint32_t node, std::uint32_t message_class);
    void update_refusal(std::uint32_t node, std::uint32_t message_class);

    protocol_parameters m;
    config::location m_at;
    workload_context m_context;
    protocol_machine m_machine;
    std::unique_ptr<length_law> m_sharers;
    std::vector<std::unique_ptr<length_law>> m_lengths;  ///< law of the lengths of each kind of messages
    std::shared_ptr<const gap_law> m_think;  ///< law of the cycles between transactions; null: 0 cycles
    bool m_permitted = false;                ///< true: permit_cycle() was called
    traffic_port* m_port = nullptr;
    std::unique_ptr<pattern> m_home, m_owner, m_memory;
    std::vector<requester> m_requesters;  ///< requester at each node
    /// Messages of each class at each node, by [node * m_machine.classes + class].
    std::vector<endpoint> m_endpoints;
    pool<open_transaction> m_open;
    std::priority_queue<event, std::vector<event>, std::greater<>> m_agenda;
    std::set<std::uint32_t> m_changed;      ///< nodes whose messages may have become able to go on
    std::uint64_t m_all = 0, m_to_end = 0;  ///< number of transactions of the run, 0 if it has no end; number
                                            ///< of transactions that have not ended
    std::uint64_t m_lost = 0;               ///< number of transactions that have lost a message
    std::uint32_t m_most_arrived = 0;       ///< largest number of messages of a class that a node has held
    bool m_measures = false;
    generated_counts m_made;
    /// Counts of each kind of messages, and of each kind of transactions.
    std::vector<counts> m_of_message, m_of_transaction;
};

}  // namespace sare::traffic
