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

/// Who computes when. A computation, and the overhead of a message, takes a core of its task for some cycles,
/// and of its node, where that has a number of them for all its tasks. Who finds none waits for one in order.
class processors {
  public:
    struct limits {
        std::uint32_t of_task = 1, of_node = 0;  ///< cores; 0: no limit
    };
    /// What a strand takes a core for.
    struct job {
        std::uint64_t order = 0;  ///< strands::order() of the strand, which is its lower half
        std::uint32_t task = 0;
        task_state what = task_state::compute;  ///< or the overhead: send, receive
        cycle_t time = 0;
        std::uint32_t strand() const { return static_cast<std::uint32_t>(order); }
    };

    /// `node_of`: of each task. `observer` may be null.
    processors(const limits& m, const std::vector<std::uint32_t>& node_of, const traffic_port& port,
               program_observer* observer);

    /// Whole cycles of a time; the fraction is carried over to the task's next one.
    cycle_t cycles_of(std::uint32_t task, double seconds);
    /// True: it has begun, and its strand is due when its time is over. False: it waits for a core.
    bool occupy(const job& what);
    /// The time of a job of this task is over, and its core is free: for the job that has waited longest, of
    /// those whose task may compute; none: nobody waits. It is for begin().
    std::optional<job> leave(std::uint32_t task);
    void begin(const job& what);

    /// A strand, by its order, is due in a cycle.
    void call_at(cycle_t when, std::uint64_t order) { m_agenda.push({when, order}); }
    /// When the next strand is due; workload::never: none is.
    cycle_t next() const { return m_agenda.empty() ? workload::never : m_agenda.top().when; }
    /// That strand, which is due no more. Those of one cycle come by their order.
    std::uint32_t take_next() {
        const auto strand = static_cast<std::uint32_t>(m_agenda.top().order);
        m_agenda.pop();
        return strand;
    }

    /// Cycles of a task: of computation, and of overheads.
    cycle_t computed(std::uint32_t task) const { return m_tasks[task].computed; }
    cycle_t overhead(std::uint32_t task) const { return m_tasks[task].overhead; }
    /// These become the sums of all processes.
    void add_up(world& all);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_tasks, m_node_busy, m_waiting, m_agenda);
    }

  private:
    struct of_task {
        std::uint32_t busy = 0;  ///< cores
        double fraction = 0;     ///< of a cycle of computation, carried over
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
    /// Whose queue for a core a task waits in: its own, or that of its node if it has a limit.
    std::uint32_t queue_of(std::uint32_t task) const { return m_node_busy.empty() ? task : m_node_of[task]; }
    void wait(const job& what);

    limits m;
    const std::vector<std::uint32_t>& m_node_of;
    const traffic_port& m_port;
    program_observer* m_observer;
    double m_cycle_seconds;
    std::vector<of_task> m_tasks;
    std::vector<std::uint32_t> m_node_busy;  ///< cores by node; empty: a node has no limit
    std::map<std::uint32_t, std::deque<job>> m_waiting;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> m_agenda;
};

}  // namespace sare::traffic
