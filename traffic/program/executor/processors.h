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
/// of its task's cores for a time, and one of its node's cores if these are limited. Jobs that find no core
/// wait, the oldest first. A job is of a strand (a thread of control of a task: class strands).
class processors {
  public:
    /// Numbers of cores that may be busy at a time.
    struct limits {
        std::uint32_t of_task = 1, of_node = 0;  ///< cores of each task, and of each node; 0: no limit
    };
    /// The use of a core by a strand for a time.
    struct job {
        std::uint64_t order = 0;  ///< strands::order() of the strand; its lower half is the number of the
                                  ///< strand
        std::uint32_t task = 0;
        task_state what = task_state::compute;  ///< compute; or send or receive, for the overhead of a
                                                ///< message
        cycle_t time = 0;                       ///< cycles for which the job takes the core
        std::uint32_t strand() const { return static_cast<std::uint32_t>(order); }  ///< number of the strand
    };

    /// `node_of`: node of each task; `port`: has the present cycle; `observer`: is told of jobs that begin;
    /// null: none. All references must outlive the object.
    processors(const limits& m, const std::vector<std::uint32_t>& node_of, const traffic_port& port,
               program_observer* observer);

    /// Returns the whole cycles of `seconds`; the fraction of a cycle that is left over is added to the next
    /// time of this task.
    cycle_t cycles_of(std::uint32_t task, double seconds);
    /// Takes a core for a job and adds its time to the task's. Returns true if the job has begun, so that its
    /// strand is due when the time is over; false if it waits for a core, and leave() will return it.
    bool occupy(const job& what);
    /// Frees the core of a job of this task, whose time is over. Returns the oldest of the jobs that can have
    /// a core now, with which the caller must call begin(); nullopt if there is none.
    std::optional<job> leave(std::uint32_t task);
    /// Begins a job that has waited, and that leave() has returned: its strand is due when its time is over.
    void begin(const job& what);

    /// Makes the strand with this strands::order() due in cycle `when`; it takes no core.
    void call_at(cycle_t when, std::uint64_t order) { m_agenda.push({when, order}); }
    /// Returns the cycle in which the next strand is due; workload::never: no strand is.
    cycle_t next() const { return m_agenda.empty() ? workload::never : m_agenda.top().when; }
    /// Removes the strand that is due next and returns its number; strands of one cycle come by their order.
    /// There must be one (not checked).
    std::uint32_t take_next() {
        const auto strand = static_cast<std::uint32_t>(m_agenda.top().order);
        m_agenda.pop();
        return strand;
    }

    /// computed() returns the cycles of all computations of a task so far, overhead() of all its overheads of
    /// messages. Jobs that wait or run count in full.
    cycle_t computed(std::uint32_t task) const { return m_tasks[task].computed; }
    cycle_t overhead(std::uint32_t task) const { return m_tasks[task].overhead; }
    /// Adds up, in every process, the cycles of all processes, which must call it together.
    void add_up(world& all);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_tasks, m_node_busy, m_waiting, m_agenda);
    }

  private:
    /// Cores and times of one task.
    struct of_task {
        std::uint32_t busy = 0;  ///< number of busy cores
        double fraction = 0;     ///< fraction of a cycle of computation that was left over, 0 to 1
        cycle_t computed = 0, overhead = 0;
    };
    /// A strand that is due.
    struct entry {
        cycle_t when;
        std::uint64_t order;
        bool operator>(const entry& o) const { return std::tie(when, order) > std::tie(o.when, o.order); }
    };

    /// Returns true if a task can have a core now.
    bool has_core(std::uint32_t task) const {
        if (m.of_task != 0 && m_tasks[task].busy == m.of_task) return false;
        return m_node_busy.empty() || m_node_busy[m_node_of[task]] != m.of_node;
    }
    /// Returns the number of the queue in which a task waits for a core: one for each task, or one for each
    /// node if nodes have a limit.
    std::uint32_t queue_of(std::uint32_t task) const { return m_node_busy.empty() ? task : m_node_of[task]; }
    void wait(const job& what);

    limits m;
    const std::vector<std::uint32_t>& m_node_of;
    const traffic_port& m_port;
    program_observer* m_observer;
    double m_cycle_seconds;
    std::vector<of_task> m_tasks;
    std::vector<std::uint32_t> m_node_busy;  ///< number of busy cores of each node; empty: nodes have no
                                             ///< limit
    /// Jobs that wait for a core, by queue_of().
    std::map<std::uint32_t, std::deque<job>> m_waiting;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> m_agenda;
};

}  // namespace sare::traffic
