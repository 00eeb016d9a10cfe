// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/clients/queue_space_requests.h"
#include "tlm/api/nodes_here.h"
#include "tlm/base/pool.h"
#include "tlm/stats/latency.h"
#include "tlm/stats/table.h"
#include "traffic/program/messages/inside_node.h"

#include <memory>
#include <queue>

/// One application among several that share a network.
namespace sare::traffic {

/// The section of an application.
struct application_parameters : inside_node {
    config::value traffic;         ///< a section of workload_registry
    config::value message_class;   ///< message class of the workload's class 0; null: 0
    config::value placement_rule;  ///< a section of placement_registry; null: the common rule
    std::uint32_t instances = 1;   ///< number of times that it runs at once, on different nodes
    /// Number of tasks of an instance, which are the nodes that its workload sees; 0: as many as the workload
    /// needs, or if it can do with any number, as many as free nodes have room for.
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 1;  ///< most tasks on a node
    /// Sizes of the grid of tasks, for patterns; empty: the network's if the application has all of it, else
    /// a line.
    std::vector<std::uint32_t> dims;
    bool background = false;  ///< true: the run does not wait for its end
    bool shared = false;      ///< true: its nodes may be nodes of other applications, too
    cycle_t start_cycle = 0;  ///< cycle in which it begins
};
/// Returns the schema of an application's section; `traffic` and `placement` are not resolved.
const config::schema<application_parameters>& application_fields();

/// One instance of an application: the network as its workload sees it, with the tasks 0, 1, ... of the
/// application as nodes, and the counts of its traffic.
class application final : public traffic_port, public subset_port {
  public:
    static constexpr cycle_t never = workload::never;

    struct identity {
        std::string name;  ///< name of its section, with ".0", ".1", ... if there are several instances
        std::uint32_t number = 0;  ///< number among all instances of all applications, in the file's order
        config::location at;       ///< place of its section
    };
    /// `tasks`: number of tasks. Throws config::error if p.dims do not make so many.
    application(identity who, const application_parameters& p, std::unique_ptr<workload> work,
                std::uint32_t tasks);

    const identity& who() const { return m_who; }
    const application_parameters& parameters() const { return m; }
    std::uint32_t tasks() const { return m_tasks; }
    /// Node of each task, once the application has begun.
    const std::vector<std::uint32_t>& places() const { return m_node_of; }
    workload& work() { return *m_work; }
    const workload& work() const { return *m_work; }
    /// True if a run cannot end before this application has been completed.
    bool ends() const { return !m.background && m_work->runs_to_completion(); }

    /// Starts the workload. `node_of`: node of each task. `tag_number`: number in the upper half of the tags
    /// of its messages.
    void begin(traffic_port& network, queue_space_requests& requests, std::vector<std::uint32_t> node_of,
               std::uint32_t tag_number);
    cycle_t next_tick() const;
    void tick(cycle_t now);
    /// Tells the workload of room in a source queue that it has asked for.
    void queue_space(const queue_space_requests::request& r) {
        --m_pending_requests;
        m_work->queue_space(r.task, r.message_class - m_first_class);
    }
    /// Counts a message that was delivered, or lost. `wanted`: the workload is told of it.
    void delivered(const delivery& d, bool wanted);
    void lost(const message& what, bool wanted);
    void dropped(const message& what, const std::string& cause) { m_work->dropped(opened(what), cause); }
    /// Notes whether the application is complete in cycle `now`: its workload has finished, and no message is
    /// under way. Returns true in the one call in which it becomes complete. If other processes run a part of
    /// it, only this process's part is looked at, which may get more to do, and the result is false.
    bool completes(cycle_t now);
    /// True if no tick, message or room in a queue will ever call its workload again.
    bool is_still() const {
        return next_tick() == never && m_under_way.here + m_under_way.leaving + m_pending_requests == 0;
    }
    /// True if it is complete, and its messages to other processes have left.
    bool complete() const { return m_completed != never && m_under_way.leaving == 0; }
    cycle_t completed() const { return m_completed; }  ///< cycle of its completion; never: not yet

    /// Returns the `tag_number` of the application that sent a message.
    static std::uint32_t tag_number(const message& m) { return static_cast<std::uint32_t>(m.tag >> 32); }

    std::uint32_t first_class() const { return m_first_class; }  ///< message class of the workload's class 0
    /// Returns the messages and flits that the workload has generated up to and including cycle `now`,
    /// without messages inside nodes.
    generated_counts generated(cycle_t now);
    void measured_from(cycle_t now);
    void measured_to(cycle_t now);
    config::value results() const;
    void serialize(archive& a);
    /// Adds the row of this application to the table of applications.csv, which new_table() makes.
    void add_row(table& to) const;
    static table new_table();

    /// @name traffic_port
    /// @{
    std::uint32_t nodes() const override { return m_tasks; }
    std::uint32_t classes() const override { return m_network->classes(); }
    /// Returns the instance's own seed; the first instance's is the network's, as if it were alone there.
    std::uint64_t seed() const override { return m_network->seed() + m_who.number * 0x9e3779b97f4a7c15ULL; }
    cycle_t now() const override { return m_network->now(); }
    cycle_t first_cycle() const override { return std::max(m_network->first_cycle(), m.start_cycle); }
    double cycle_seconds() const override { return m_network->cycle_seconds(); }
    const std::vector<std::uint32_t>& dims() const override { return m_dims; }
    std::uint32_t router_of(std::uint32_t task) const override {
        return m_network->router_of(m_node_of[task]);
    }
    std::uint32_t flits_for(std::uint64_t bytes) const override { return m_network->flits_for(bytes); }
    void send(const message& m) override;
    std::uint32_t queued(std::uint32_t task) const override {
        std::uint32_t sum = 0;
        for (std::uint32_t c = 0; c < m_work->classes_needed(); ++c) sum += queued_of(task, c);
        return sum;
    }
    void call_when_queued(std::uint32_t task, std::uint32_t message_class, std::uint32_t level) override {
        if (m_requests->add(m_node_of[task], {m_tag_number, task, m_first_class + message_class, level}))
            ++m_pending_requests;
    }
    /// @}

  private:
    friend class application_part;
    bool is_here(std::uint32_t task) const override { return m_network->is_here(m_node_of[task]); }
    std::uint32_t queued_of(std::uint32_t task, std::uint32_t message_class) const override {
        return m_network->queued_of(m_node_of[task], m_first_class + message_class);
    }
    const traffic_port& port_of_all() const override { return *m_network; }
    /// The fields of a message on its way that the network does not carry.
    struct envelope {
        std::uint64_t tag = 0;
        std::uint32_t source = 0, destination = 0;  ///< numbers of tasks
    };
    /// A message inside a node, which does not enter the network.
    struct arrival {
        cycle_t when = 0;          ///< cycle in which it arrives
        std::uint64_t number = 0;  ///< number in order of sending
        message what;
        bool operator>(const arrival& o) const { return when != o.when ? when > o.when : number > o.number; }
    };
    struct totals {
        std::uint64_t messages = 0, flits = 0, bytes = 0;
        void add(const message& m) {
            ++messages;
            flits += m.flits;
            if (m.bytes != message::in_flits) bytes += m.bytes;
        }
    };
    /// The measured window.
    struct window {
        bool measuring = false;
        cycle_t begin = 0, end = 0;
        std::uint64_t generated = 0, consumed = 0;  ///< flits counted before it
    };

    /// Returns the number of messages under way to the process that `out` goes to. A message to another
    /// process is completed there, perhaps long before this process hears that it has left.
    std::uint64_t& under_way_with(const message& out) {
        return m_apart && !m_network->is_here(out.destination) ? m_under_way.leaving : m_under_way.here;
    }
    void keep_inside(const message& m);
    message opened(const message& m) const;
    double bytes_of(const message& m) const;
    double load(std::uint64_t flits) const;

    identity m_who;
    application_parameters m;
    std::unique_ptr<workload> m_work;
    std::uint32_t m_tasks, m_tag_number = 0, m_nodes = 0;  ///< m_nodes: number of different nodes
    std::vector<std::uint32_t> m_dims, m_node_of;          ///< sizes of the grid of tasks; node of each task
    std::uint32_t m_first_class;                           ///< message class of the workload's class 0
    traffic_port* m_network = nullptr;
    queue_space_requests* m_requests = nullptr;

    pool<envelope> m_envelopes;
    bool m_apart = false;  ///< true: other processes run a part of the application
    struct {
        std::uint64_t here = 0, leaving = 0;  ///< messages to this process; to others, not gone yet
    } m_under_way;
    std::uint64_t m_pending_requests = 0;  ///< calls of queue_space() that the workload waits for
    std::uint64_t m_flying = 0;            ///< messages sent into the network minus those that came, mod 2^64
    std::priority_queue<arrival, std::vector<arrival>, std::greater<>> m_inside;
    cycle_t m_completed = never;

    totals m_kept, m_consumed;     ///< m_kept: messages inside nodes
    generated_counts m_generated;  ///< result of the last call of generated()
    std::uint64_t m_lost = 0;
    window m_window;
    latency_histogram m_from_generation, m_from_injection;
};

}  // namespace sare::traffic
