// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/workload.h"
#include "traffic/collective/collective.h"
#include "traffic/trace/reader.h"

#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <tuple>

/// Replay of a trace: tasks that run through their events, messages that are matched like those of MPI.
namespace sare::traffic {

enum class replay_mode { causal, at_will };
enum class placement { consecutive, random };

struct replay_parameters {
    std::string file;
    std::string format = "auto";
    replay_mode mode = replay_mode::causal;
    double cpu_factor = 1;
    double flops_per_second = 1e9;
    double overhead_send = 0, overhead_receive = 0;  ///< seconds
    std::uint64_t eager_limit = 0;
    collective_choice collectives;
    placement where = placement::consecutive;
    std::uint32_t tasks_per_node = 1;
    double local_latency = 0;    ///< seconds
    double local_bandwidth = 0;  ///< bytes/s; 0: no limit
    std::uint32_t send_queue = 16;
};

class replay : public workload {
  public:
    /// Opens the trace; `at` is the place of the section, for errors.
    replay(replay_parameters p, const config::location& at, const std::string& folder);

    void start(traffic_port& port) override;
    cycle_t next_tick() const override { return m_agenda.empty() ? never : m_agenda.top().when; }
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    void room(std::uint32_t node) override;
    bool finished() const override { return m_done == m_tasks.size() && m_agenda.empty(); }
    bool runs_to_completion() const override { return true; }
    generated_counts generated(cycle_t) override { return m_generated; }
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    std::string stuck() const override;

  private:
    /// What an event is made of.
    struct action {
        enum kind { compute, send, receive, wait_own, wait_one, wait_all };
        kind what = compute;
        bool charged = false;   ///< the overhead has been spent
        bool buffered = false;  ///< a send that does not wait for room in the source queue
        std::uint32_t peer = 0;
        std::uint64_t bytes = 0;
        std::int64_t tag = 0;
        std::uint64_t request = 0;  ///< the trace's own; 0: of the event alone
        double seconds = 0;
    };
    struct request {
        std::uint64_t serial = 0;  ///< of the replay
        std::uint64_t name = 0;    ///< of the trace; 0: of the event alone
        bool receive = false, done = false;
        std::uint32_t peer = 0;
        std::int64_t tag = 0;
    };
    /// A message under way or waiting for its receive.
    struct transfer {
        enum kind { eager, ask, grant, answer };  ///< ask, grant, answer: rendezvous
        kind what = eager;
        std::uint32_t source = 0, destination = 0;  ///< tasks
        std::int64_t tag = 0;
        std::uint64_t collective = 0;  ///< its number in the tasks, from 1; 0: no collective
        std::uint64_t bytes = 0;
        std::uint64_t send_request = 0, receive_request = 0;
    };
    struct posted {
        std::uint32_t source = 0;
        std::int64_t tag = 0;
        std::uint64_t collective = 0, serial = 0;
    };
    enum class state : std::uint8_t { running, waits_own, waits_one, waits_all, waits_room, done };
    struct task {
        std::uint32_t node = 0;
        state now = state::running;
        std::uint64_t awaited = 0;  ///< waits_one: the request's name
        event current;
        std::vector<action> actions;
        std::size_t next_action = 0;
        std::vector<request> requests;
        std::deque<posted> receives;
        std::deque<std::uint32_t> arrived;  ///< transfers
        std::uint64_t collective = 0;       ///< number of the one under way; 0: none
        std::uint64_t collectives = 0;
        double fraction = 0;  ///< of a cycle of computation, carried over
        cycle_t since = 0;    ///< blocked
        std::uint64_t events = 0, messages = 0, bytes = 0;
        cycle_t computed = 0, overhead = 0, blocked = 0, finish = 0;
    };
    struct entry {
        cycle_t when;
        bool local;           ///< a local message arrives; else a task goes on
        std::uint32_t index;  ///< transfer or task
        bool operator>(const entry& o) const {
            return std::tie(when, local, index) > std::tie(o.when, o.local, o.index);
        }
    };

    void place(traffic_port& port);
    void run(std::uint32_t index);
    bool fetch(std::uint32_t index);
    void translate(std::uint32_t index);
    void translate_collective(std::uint32_t index);
    bool perform(std::uint32_t index, action& a);
    bool ready(const task& t) const;
    void pause(std::uint32_t index, state why);
    cycle_t cycles(task& t, double seconds) const;
    void spend(std::uint32_t index, cycle_t time);
    void emit(const transfer& what);
    void post_send(std::uint32_t index, const action& a);
    void post_receive(std::uint32_t index, const action& a);
    void arrive(std::uint32_t slot);
    void complete(std::uint32_t index, std::uint64_t serial);

    replay_parameters m;
    std::string m_path;
    config::location m_at;
    std::unique_ptr<trace_reader> m_reader;
    traffic_port* m_port = nullptr;
    std::vector<task> m_tasks;
    std::vector<std::uint32_t> m_node_of;
    std::vector<transfer> m_transfers;
    std::vector<std::uint32_t> m_free;
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_room;  ///< node to the tasks that wait for room
    std::priority_queue<entry, std::vector<entry>, std::greater<>> m_agenda;
    std::uint64_t m_serial = 0;
    std::size_t m_done = 0;
    cycle_t m_send_overhead = 0, m_receive_overhead = 0, m_end = 0;
    generated_counts m_generated;
    std::uint64_t m_local = 0, m_control = 0;
    std::map<op, std::uint64_t> m_expanded;
};

}  // namespace sare::traffic
