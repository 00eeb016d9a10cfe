// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program_observer.h"

#include <unordered_map>

/// What happens to tasks, as it is recorded: the views (timeline.csv, Paje, Perfetto) are made of it.
namespace sare::traffic {

const char* state_name(task_state s);

/// In order of time.
struct task_event {
    enum kind : std::uint8_t {
        state,  ///< of `task`, from now on: `what`. The last one of a cycle counts
        mark,   ///< `task` begins phase `value`, as phase_table counts them
        begin,  ///< `task` begins operation `what` on strand `other`; `value`: bytes
        end,    ///< of the operation of strand `other`
        left,   ///< message `number`, of `value` bytes, leaves `task` for `other`; `what`: its role
        came,   ///< the same, is at task `other`
        // What several processes record beside, so that the first one knows in which order things happened
        // and what they are numbered by: see task_order.
        turn,  ///< what follows happens in this one of the cycle: `what`, turn::stage, and `value`
        made,  ///< a strand
    };
    enum role : std::uint8_t { data, control };
    cycle_t time = 0;
    std::uint64_t value = 0;
    std::uint32_t task = 0, other = 0;
    std::uint32_t number = 0;
    kind is = state;
    std::uint8_t what = 0;
    std::uint16_t rank = 0;  ///< came: that which has numbered the message

    /// Others are counted with it, be it shown or not.
    bool counts() const { return is == left || is == mark || is == made; }
};
static_assert(sizeof(task_event) == 32);

/// When in a cycle things happen: turns of a lesser stage come first, of the same one those of a lesser
/// `which`.
struct turn {
    enum stage : std::uint8_t {
        opening,        ///< what tasks do as the record begins; by task
        delivery,       ///< of a message through the network; by node
        room,           ///< in a source queue; by node
        inside,         ///< of a message between tasks of an application's node; by number of the message
        strand,         ///< that is due; by strands::order()
        local,          ///< of a message that did not leave its node; by number
        last_delivery,  ///< as delivery, where routers own their nodes; by node
    };
    stage in = opening;
    std::uint64_t which = 0;
};

/// The phases that marks have begun, in the order of their first mark; 0 is what comes before any.
class phase_table {
  public:
    explicit phase_table(std::uint32_t tasks) : m_of(tasks) {}
    std::uint32_t of(std::uint32_t task) const { return m_of[task]; }
    std::uint32_t enter(std::uint32_t task, std::int64_t mark) {
        const auto [at, fresh] = m_phases.try_emplace(mark, size());
        if (fresh) m_marks.push_back(mark);
        return m_of[task] = at->second;
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_marks.size()) + 1; }
    std::int64_t mark(std::uint32_t phase) const { return m_marks[phase - 1]; }  ///< phase > 0

  private:
    std::vector<std::uint32_t> m_of;  ///< by task
    std::vector<std::int64_t> m_marks;
    std::unordered_map<std::int64_t, std::uint32_t> m_phases;
};

}  // namespace sare::traffic
