// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/clients/queue_space_requests.h"
#include "tlm/api/nodes_here.h"
#include "tlm/base/pool.h"
#include "tlm/combining/collective_port.h"
#include "tlm/stats/latency.h"
#include "tlm/stats/table.h"
#include "traffic/program/messages/inside_node.h"

#include <map>
#include <memory>
#include <queue>

/// Applications that share a network.
namespace sare::traffic {

/// The section of one application in the workload `applications`.
struct application_parameters : inside_node {
    config::value traffic;         ///< the workload: a name or a section of workload_registry
    config::value message_class;   ///< value of the key `class`, 0 to 15: message class that the workload's
                                   ///< class 0 becomes; its class k becomes this + k; null: 0
    config::value placement_rule;  ///< name or section of a placement in placement_registry; null:
                                   ///< applications_parameters::placement_rule
    std::uint32_t instances = 1;  ///< number of copies that run at once, each with tasks and nodes of its own
    /// Number of tasks of an instance, which its workload sees as the nodes of its network. 0: the number
    /// that the placement has places for; else the number that the workload needs; else all for which the
    /// instance's share of the free nodes has room.
    std::uint32_t tasks = 0;
    std::uint32_t tasks_per_node = 1;  ///< largest number of tasks of an instance on a node
    /// Lengths of the grid of tasks, dimension 0 varying fastest, for patterns. Empty: the grid of the
    /// network's nodes if there are as many tasks as nodes, else one dimension.
    std::vector<std::uint32_t> dims;
    bool background = false;  ///< true: a run ends without waiting for this application
    bool shared = false;      ///< true: other applications may run on its nodes too
    cycle_t start_cycle = 0;  ///< first cycle in which the application acts
};
/// Returns the schema of application_parameters. The schema does not fill in the defaults within `traffic`
/// and `placement`.
const config::schema<application_parameters>& application_fields();

/// One instance of an application. To its workload it is the network, with the tasks 0, 1, ... as nodes; it
/// sends the workload's messages from the nodes of the tasks, and counts its traffic.
class application final : public traffic_port, public subset_port, public collective_port {
  public:
    static constexpr cycle_t never = workload::never;  ///< value of a cycle that never comes

    /// Name and number of an instance.
    struct identity {
        std::string name;  ///< name of its section; if there are several instances, with ".0", ".1" and so on
                           ///< behind it
        std::uint32_t number = 0;  ///< number of the instance among all instances of all applications, from
                                   ///< 0, in the order of the file
        config::location at;       ///< place of its section, for errors
    };
    /// `work`: the workload; `tasks`: number of tasks. Throws config::error at who.at if p.dims make another
    /// number of tasks.
    application(identity who, const application_parameters& p, std::unique_ptr<workload> work,
                std::uint32_t tasks);

    /// Returns the name and number of the instance.
    const identity& who() const { return m_who; }
    const application_parameters& parameters() const { return m; }  ///< section of the application
    /// Returns the number of tasks.
    std::uint32_t tasks() const { return m_tasks; }
    /// Returns the node of each task; empty before begin().
    const std::vector<std::uint32_t>& places() const { return m_node_of; }
    workload& work() { return *m_work; }  ///< workload of the instance
    const workload& work() const { return *m_work; }
    /// Returns true if the run must wait for this application to be completed: it is not in the background,
    /// and its workload has an end.
    bool ends() const { return !m.background && m_work->runs_to_completion(); }

    /// Starts the workload on `network`. `requests`: shared by all applications, to ask for calls of
    /// queue_space(); must outlive the object, as `network` must; `node_of`: node of each task; `tag_number`:
    /// number of the application, which becomes the upper half of the tags of its messages.
    void begin(traffic_port& network, queue_space_requests& requests, std::vector<std::uint32_t> node_of,
               std::uint32_t tag_number);
    /// Returns the next cycle in which tick() must be called; never: no cycle is known yet.
    cycle_t next_tick() const;
    /// Delivers messages between tasks of one node that arrive in cycle `now`, then calls tick() of the
    /// workload if it is due.
    void tick(cycle_t now);
    /// Tells the workload of room in a source queue; `r` is a request that it has made.
    void queue_space(const queue_space_requests::request& r) {
        --m_pending_requests;
        m_work->queue_space(r.task, r.message_class - m_first_class);
    }
    /// Take a message of this application (tag_number()) that was delivered, or lost, and count it. `wanted`:
    /// true: tell the workload of it.
    void delivered(const delivery& d, bool wanted);
    void lost(const message& what, bool wanted);
    /// Tells the workload that a packet of the message, or a copy of it, was dropped for the reason `cause`;
    /// lost() still follows.
    void dropped(const message& what, const std::string& cause) { m_work->dropped(opened(what), cause); }
    /// Checks whether the application is completed in cycle `now`: its workload has finished, and no message
    /// is under way. Returns true in the call in which it becomes completed, and only then. If other
    /// processes run a part of the application, only this process's part is checked, complete() may change
    /// again, and the result is false.
    bool completes(cycle_t now);
    /// Returns true if no tick, message, or room in a queue will ever call the workload again.
    bool is_still() const {
        return next_tick() == never && m_under_way.here + m_under_way.leaving + m_pending_requests == 0;
    }
    /// Returns true if the application is completed, and its messages to other processes have left this one.
    bool complete() const { return m_completed != never && m_under_way.leaving == 0; }
    /// Cycle in which the application was completed; never: not completed.
    cycle_t completed() const { return m_completed; }

    /// Returns the number of the application that sent the message: the argument `tag_number` of its begin().
    static std::uint32_t tag_number(const message& m) { return static_cast<std::uint32_t>(m.tag >> 32); }

    /// Returns the message class that the workload's class 0 becomes.
    std::uint32_t first_class() const { return m_first_class; }
    /// Returns the messages and flits that the workload has generated for the network up to and including
    /// cycle `now`; messages inside nodes are not counted.
    generated_counts generated(cycle_t now);
    /// measured_from() begins the measured window with cycle `now`; measured_to() ends it before cycle `now`.
    void measured_from(cycle_t now);
    void measured_to(cycle_t now);
    /// Returns a map with the application's results.
    config::value results() const;
    void serialize(archive& a);
    /// add_row() adds a row about this application to a table of applications.csv, which new_table() has
    /// made.
    void add_row(table& to) const;
    static table new_table();

    /// @name traffic_port
    /// @{
    std::uint32_t nodes() const override { return m_tasks; }
    std::uint32_t classes() const override { return m_network->classes(); }
    /// Returns a seed for this instance: the network's, plus a multiple of the instance's number, so that
    /// instance 0 behaves as it would alone.
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
    std::uint32_t padded(std::uint32_t flits) const override { return m_network->padded(flits); }
    friend class application_part;
    /// @name collective_port, if the network is one and the application has message class 0
    /// @{
    bool can(network_call::kind what) const override {
        return collectives() != nullptr && m_first_class == 0 && collectives()->can(what);
    }
    std::uint32_t open(const std::vector<std::uint32_t>& tasks) override;
    bool take_part(const network_call& call) override;
    /// @}
    bool is_here(std::uint32_t task) const override { return m_network->is_here(m_node_of[task]); }
    std::uint32_t queued_of(std::uint32_t task, std::uint32_t message_class) const override {
        return m_network->queued_of(m_node_of[task], m_first_class + message_class);
    }
    const traffic_port& port_of_all() const override { return *m_network; }
    /// Returns the network, if it carries out collectives; else null.
    collective_port* collectives() const { return dynamic_cast<collective_port*>(m_network); }
    /// Tasks of the members of each group that open() has made, by the number of the group.
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_groups;
    /// Fields of a message, as the workload made it, that the network does not carry.
    struct envelope {
        std::uint64_t tag = 0;
        std::uint32_t source = 0, destination = 0;  ///< sending task, and receiving task
    };
    /// A message between tasks of one node, which does not enter the network.
    struct arrival {
        cycle_t when = 0;          ///< cycle in which it arrives
        std::uint64_t number = 0;  ///< number of the message in the order of sending
        message what;
        bool operator>(const arrival& o) const { return when != o.when ? when > o.when : number > o.number; }
    };
    /// Numbers of messages, of their flits and of their bytes; messages that were made in flits count no
    /// bytes.
    struct totals {
        std::uint64_t messages = 0, flits = 0, bytes = 0;
        void add(const message& m) {
            ++messages;
            flits += m.flits;
            if (m.bytes != message::in_flits) bytes += m.bytes;
        }
    };
    /// The measured window, with the flits generated and consumed before it.
    struct window {
        bool measuring = false;
        cycle_t begin = 0, end = 0;
        std::uint64_t generated = 0, consumed = 0;  ///< flits generated, and consumed, before the window
    };

    /// Returns the counter of messages under way for `out`: to a node of this process, or to another process.
    /// A message to another process may be delivered there long before this process learns that it has left.
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
    /// Number of tasks; upper half of tags; number of different nodes of the tasks.
    std::uint32_t m_tasks, m_tag_number = 0, m_nodes = 0;
    std::vector<std::uint32_t> m_dims, m_node_of;  ///< lengths of the grid of tasks; node of each task
    std::uint32_t m_first_class;                   ///< message class that the workload's class 0 becomes
    traffic_port* m_network = nullptr;
    queue_space_requests* m_requests = nullptr;

    pool<envelope> m_envelopes;
    bool m_apart = false;  ///< true: other processes run a part of the application's tasks
    struct {
        std::uint64_t here = 0, leaving = 0;  ///< messages for nodes of this process that are under way;
                                              ///< messages for other processes that have not left
    } m_under_way;
    std::uint64_t m_pending_requests = 0;  ///< number of calls of queue_space() that the workload waits for
    std::uint64_t m_flying = 0;  ///< messages that this process gave to the network minus messages that it
                                 ///< received or lost, modulo 2^64
    std::priority_queue<arrival, std::vector<arrival>, std::greater<>> m_inside;
    cycle_t m_completed = never;

    /// Messages sent between tasks of one node; messages that came out of the network.
    totals m_kept, m_consumed;
    generated_counts m_generated;  ///< result of the last generated()
    std::uint64_t m_lost = 0;      ///< number of messages lost
    window m_window;
    latency_histogram m_from_generation, m_from_injection;
};

}  // namespace sare::traffic
