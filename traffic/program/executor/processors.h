// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program_observer.h"

#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <tuple>

namespace sare {
class world;
}

namespace sare::traffic {

/// The cores of tasks and nodes, and the jobs on them. A computation, or the overhead of a message, takes one
/// of its task's cores for a time, and one of its node's, if a node has a limit for all its tasks. Jobs that
/// find no core wait in order.
class processors {
  public:
    struct limits {
        std::uint32_t of_task = 1, of_node = 0;  ///< numbers of cores; 0: no limit
    };
    /// A strand's use of a core.
    struct job {
        std::uint64_t order = 0;  ///< strands::order() of the strand, whose lower half is the strand
        std::uint32_t task = 0;
        task_state what = task_state::compute;  ///< compute, or an overhead: send, receive
        cycle_t time = 0;                       ///< cycles for which it takes the core
        std::uint32_t strand() const { return static_cast<std::uint32_t>(order); }
    };

    /// `node_of`: node of each task. `observer` may be null.
    processors(const limits& m, const std::vector<std::uint32_t>& node_of, const traffic_port& port,
               program_observer* observer);

    /// Returns the whole cycles of a time in seconds; the fraction of a cycle is added to the task's next
    /// time.
    cycle_t cycles_of(std::uint32_t task, double seconds);
    /// Takes a core for a job. Returns true if it has begun, so that its strand is due when its time is over;
    /// false if it waits for a core.
    bool occupy(const job& what);
    /// Frees the core of a job of this task whose time is over. Returns the job that has waited longest among
    /// those that can have a core now, for begin(); nothing: there is none.
    std::optional<job> leave(std::uint32_t task);
    /// Begins a job that has waited.
    void begin(const job& what);

    /// Makes a strand, given by its strands::order(), due in a cycle.
    void call_at(cycle_t when, std::uint64_t order) { m_agenda.push({when, order}); }
    /// Returns the cycle in which the next strand is due; workload::never: none is.
    cycle_t next() const { return m_agenda.empty() ? workload::never : m_agenda.top().when; }
    /// Takes out and returns the strand that is due next; strands of one cycle come by their order.
    std::uint32_t take_next() {
        const auto strand = static_cast<std::uint32_t>(m_agenda.top().order);
        m_agenda.pop();
        return strand;
    }

    /// Return the cycles that a task has computed, and spent on overheads of messages.
    cycle_t computed(std::uint32_t task) const { return m_tasks[task].computed; }
    cycle_t overhead(std::uint32_t task) const { return m_tasks[task].overhead; }
    /// Adds up the cycles of all processes.
    void add_up(world& all);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_tasks, m_node_busy, m_waiting, m_agenda);
    }

  private:
    struct of_task {
        std::uint32_t busy = 0;  ///< number of busy cores
        double fraction = 0;     ///< fraction of a cycle of computation, carried over
        cycle_t computed = 0, overhead = 0;
    };
    struct entry {
        cycle_t when;
        std::uint64_t order;
        bool operator>(const entry& o) const { return std::tie(when, order) > std::tie(o.when, o.order); }
    };

    bool has_core(std::uint32_t task) const {
        if (m.of_task != 0 && m_tasks[task].busy == m.of_task) return false;
        return m_node_busy.empty() || m_node_busy[m_node_of[task]] != m.of_node;
    }
    /// Returns the queue that a task waits for a core in: its own, or that of its node if nodes have a limit.
    std::uint32_t queue_of(std::uint32_t task) const { return m_node_busy.empty() ? task : m_node_of[task]; }
    void wait(const job& what);

    limits m;
    const std::vector<std::uint32_t>& m_node_of;
    const traffic_port& m_port;
    program_observer* m_observer;
    double m_cycle_seconds;
    std::vector<of_task> m_tasks;
    std::vector<std::uint32_t> m_node_busy;  ///< busy cores of each node; empty: a node has no limit
    std::map<std::uint32_t, std::deque<job>> m_waiting;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> m_agenda;
};

}  // namespace sare::traffic
