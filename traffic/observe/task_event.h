// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program_observer.h"

#include <unordered_map>

/// Events of tasks, as a recorder stores them and makes files (timeline.csv, Paje, Perfetto) of them.
namespace sare::traffic {

/// Returns the name of a state in files, such as "compute". The text is static.
const char* state_name(task_state s);

/// One event. Events are stored in the order of time.
struct task_event {
    enum kind : std::uint8_t {
        state,  ///< `task` has state `what` (task_state) from now on; of several such events in a cycle the
                ///< last counts
        mark,   ///< `task` begins phase `value`, a number of phase_table
        begin,  ///< `task` begins operation `what` (op) on strand `other`; `value`: bytes of the operation
        end,    ///< `task` ends the operation on strand `other`
        left,   ///< message `number`, of `value` bytes, leaves `task` for task `other`; `what`: its role
        came,   ///< message `number`, of `value` bytes from `task`, has arrived at task `other`
        // Events only of several processes, by which the first one knows the order of the others and their
        // numbers: see task_order.
        turn,  ///< begin of a turn of the cycle, stage `what` and number `value` (struct turn), to which the
               ///< next events belong
        made,  ///< a strand is made
    };
    enum role : std::uint8_t {
        data,
        control
    };                 ///< data of the program, or control: a message without data, for the protocol alone
    cycle_t time = 0;  ///< cycle of the event
    /// Values whose meaning depends on `is`: see the enumerators of `kind`.
    std::uint64_t value = 0;
    std::uint32_t task = 0, other = 0;
    std::uint32_t number = 0;
    kind is = state;  ///< kind of the event
    std::uint8_t what = 0;
    std::uint16_t rank = 0;  ///< came: rank of the process that numbered the message; else 0

    /// Returns true for events by which phases, messages and strands are numbered, so that they are stored
    /// even if the task is not shown.
    bool counts() const { return is == left || is == mark || is == made; }
};
static_assert(sizeof(task_event) == 32);

/// The turn within a cycle in which an event happens, so that processes agree on an order: lower stages come
/// first, and within a stage lower `which`.
struct turn {
    enum stage : std::uint8_t {
        opening,   ///< states of tasks at the begin of the record; `which`: task
        delivery,  ///< delivery of a message by the network; `which`: node
        room,      ///< room in a source queue; `which`: node
        inside,    ///< delivery between two nodes of the workload that share a node of the network; `which`:
                   ///< number of the message
        strand,    ///< a strand that is due; `which`: strands::order()
        local,     ///< delivery of a message within a node of the workload; `which`: number of the message
        last_delivery,  ///< delivery by a network whose routers contain the nodes' interfaces, late in the
                        ///< cycle; `which`: node
    };
    stage in = opening;       ///< stage of the cycle
    std::uint64_t which = 0;  ///< number within the stage
};

/// The phases of tasks. A phase is begun by a mark, an operation with a number, and lasts to the task's next
/// mark; the phase of a mark has the same number in all tasks. Phases are numbered from 1 by the first time
/// any task passes their mark; phase 0 is before a task's first mark.
class phase_table {
  public:
    /// `tasks`: number of tasks, all in phase 0.
    explicit phase_table(std::uint32_t tasks) : m_of(tasks) {}
    /// Returns the number of the present phase of a task.
    std::uint32_t of(std::uint32_t task) const { return m_of[task]; }
    /// Puts a task, which passes `mark`, into the phase of this mark, and returns the number of the phase.
    std::uint32_t enter(std::uint32_t task, std::int64_t mark) {
        const auto [at, fresh] = m_phases.try_emplace(mark, size());
        if (fresh) m_marks.push_back(mark);
        return m_of[task] = at->second;
    }
    /// Returns the number of phases so far, phase 0 included.
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_marks.size()) + 1; }
    /// Returns the number of the mark that begins a phase, from 1 to size() - 1 (not checked).
    std::int64_t mark(std::uint32_t phase) const { return m_marks[phase - 1]; }

  private:
    std::vector<std::uint32_t> m_of;  ///< present phase of each task
    std::vector<std::int64_t> m_marks;
    std::unordered_map<std::int64_t, std::uint32_t> m_phases;
};

}  // namespace sare::traffic
