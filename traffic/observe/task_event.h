// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program_observer.h"

#include <unordered_map>

/// Events of tasks as they are recorded; the views (timeline.csv, Paje, Perfetto) are made of them.
namespace sare::traffic {

const char* state_name(task_state s);

/// One event; events are in order of time.
struct task_event {
    enum kind : std::uint8_t {
        state,  ///< `task` has state `what` from now on; the cycle's last event counts
        mark,   ///< `task` begins phase `value`, as phase_table counts them
        begin,  ///< `task` begins operation `what` on strand `other`; `value`: bytes
        end,    ///< `task` ends the operation on strand `other`
        left,   ///< message `number`, of `value` bytes, leaves `task` for `other`; `what`: its role
        came,   ///< message `number`, of `value` bytes from `task`, is at task `other`
        // Events only of several processes, by which the first one knows the order of the others and their
        // numbers: see task_order.
        turn,  ///< begin of a turn of the cycle, `what` (turn::stage) and `value`, for the next events
        made,  ///< a strand is made
    };
    enum role : std::uint8_t { data, control };  ///< control: a question or answer of a rendezvous
    cycle_t time = 0;                            ///< cycle of the event
    std::uint64_t value = 0;
    std::uint32_t task = 0, other = 0;
    std::uint32_t number = 0;
    kind is = state;
    std::uint8_t what = 0;
    std::uint16_t rank = 0;  ///< came: rank that has numbered the message

    /// True if the numbers of later events depend on it, so that it is recorded even if it is not shown.
    bool counts() const { return is == left || is == mark || is == made; }
};
static_assert(sizeof(task_event) == 32);

/// The turn within a cycle in which an event happens: lower stages come first, and within a stage lower
/// `which`.
struct turn {
    enum stage : std::uint8_t {
        opening,        ///< acts of tasks as the record begins; by task
        delivery,       ///< delivery of a message through the network; by node
        room,           ///< room in a source queue; by node
        inside,         ///< delivery between tasks of an application's node; by number of the message
        strand,         ///< a strand that is due; by strands::order()
        local,          ///< delivery of a message that did not leave its node; by number
        last_delivery,  ///< delivery where routers own their nodes; by node
    };
    stage in = opening;
    std::uint64_t which = 0;
};

/// The phases that marks have begun, in the order of their first mark; phase 0 is before any mark.
class phase_table {
  public:
    explicit phase_table(std::uint32_t tasks) : m_of(tasks) {}
    std::uint32_t of(std::uint32_t task) const { return m_of[task]; }  ///< current phase of a task
    /// Notes that a task passes a mark, and returns the phase that it enters.
    std::uint32_t enter(std::uint32_t task, std::int64_t mark) {
        const auto [at, fresh] = m_phases.try_emplace(mark, size());
        if (fresh) m_marks.push_back(mark);
        return m_of[task] = at->second;
    }
    /// Number of phases, phase 0 included.
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_marks.size()) + 1; }
    std::int64_t mark(std::uint32_t phase) const { return m_marks[phase - 1]; }  ///< mark of a phase > 0

  private:
    std::vector<std::uint32_t> m_of;  ///< current phase of each task
    std::vector<std::int64_t> m_marks;
    std::unordered_map<std::int64_t, std::uint32_t> m_phases;
};

}  // namespace sare::traffic
