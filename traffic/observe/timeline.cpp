// SPDX-License-Identifier: Apache-2.0
#include "traffic/observe/for_each.h"

namespace sare::traffic {

std::string csv_text(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

void views::timeline(std::ostream& out) const {
    struct span {
        cycle_t since = 0;
        std::uint8_t state = task_state_count;
    };
    std::vector<span> spans(m.m_shown.size());
    out << "task,begin,end,state\n";
    const auto row = [&](std::uint32_t task, cycle_t until) {
        const span& s = spans[task];
        if (s.state == task_state_count || s.since == until) return;
        out << task << ',' << s.since << ',' << until << ',' << state_name(static_cast<task_state>(s.state))
            << '\n';
    };
    for_each([&](const task_event& e) {
        if (e.is != task_event::state || e.time >= end()) return;
        row(e.task, e.time);
        spans[e.task] = {e.time, e.what};
    });
    for (std::uint32_t k = 0; k < spans.size(); ++k) row(k, end());
}

void views::marks(std::ostream& out) const {
    out << "task,cycle,phase\n";
    for_each([&](const task_event& e) {
        if (e.is == task_event::mark)
            out << e.task << ',' << e.time << ','
                << csv_text(m.phase_name(static_cast<std::uint32_t>(e.value))) << '\n';
    });
}

}  // namespace sare::traffic
