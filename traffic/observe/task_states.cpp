// SPDX-License-Identifier: Apache-2.0
#include "traffic/observe/task_states.h"

namespace sare::traffic {

const char* state_name(task_state s) {
    static constexpr const char* names[task_state_count] = {"idle",    "collective", "wait",   "blocked",
                                                            "receive", "send",       "compute"};
    return names[static_cast<std::size_t>(s)];
}

bool task_states::set(std::uint32_t strand, std::uint32_t task, task_state s, std::uint32_t phase,
                      cycle_t now) {
    if (strand >= m_strands.size()) m_strands.resize(strand + 1, task_state::idle);
    of_task& t = m_tasks[task];
    const auto index = [](task_state x) { return static_cast<std::size_t>(x); };
    --t.strands[index(m_strands[strand])];
    ++t.strands[index(s)];
    m_strands[strand] = s;
    std::size_t busiest = task_state_count - 1;
    while (busiest != 0 && t.strands[busiest] == 0) --busiest;
    if (busiest == index(t.now)) return false;
    charge(task, phase, now);
    t.now = static_cast<task_state>(busiest);
    return true;
}

void task_states::charge(std::uint32_t task, std::uint32_t phase, cycle_t now) {
    of_task& t = m_tasks[task];
    if (phase >= t.spent.size()) t.spent.resize(phase + 1, times{});
    t.spent[phase][static_cast<std::size_t>(t.now)] += now - t.since;
    t.since = now;
}

}  // namespace sare::traffic
