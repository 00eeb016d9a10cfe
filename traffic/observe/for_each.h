// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/observe/views.h"

namespace sare::traffic {

template <class F>
void views::for_each(F f) const {
    std::vector<std::uint8_t> states(m.m_shown.size(), task_state_count);
    std::vector<std::uint32_t> changed;  // tasks that changed in this cycle
    std::vector<std::uint8_t> next(m.m_shown.size(), task_state_count);
    cycle_t now = 0;
    const auto settle = [&] {
        for (const std::uint32_t task : changed) {
            const std::uint8_t s = next[task];
            next[task] = task_state_count;
            if (s == task_state_count || s == states[task]) continue;
            states[task] = s;
            f(task_event{now, 0, task, 0, 0, task_event::state, s});
        }
        changed.clear();
    };
    m.m_log.for_each([&](const task_event& e) {
        if (e.time != now) settle();
        now = e.time;
        if (e.is != task_event::state) return f(e);
        next[e.task] = e.what;
        changed.push_back(e.task);
    });
    settle();
}

}  // namespace sare::traffic
