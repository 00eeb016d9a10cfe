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
    };
    enum role : std::uint8_t { data, control };
    cycle_t time = 0;
    std::uint64_t value = 0;
    std::uint32_t task = 0, other = 0;
    std::uint32_t number = 0;
    kind is = state;
    std::uint8_t what = 0;
};
static_assert(sizeof(task_event) == 32);

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
