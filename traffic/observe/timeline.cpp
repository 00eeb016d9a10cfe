// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/table.h"
#include "traffic/observe/for_each.h"

namespace sare::traffic {
namespace {

const table_form timeline_form{"timeline.csv", R"(
    task: count. Its number.
    begin: count in cycles. From this cycle
    end: count in cycles. to before this one
    state: text. it did this; in order of end.
)"};
const table_form marks_form{"marks.csv", R"(
    task: count. Its number.
    cycle: count in cycles. When it entered the phase.
    phase: text. Name of the phase.
)"};

}  // namespace

void views::timeline(std::ostream& out) const {
    struct span {
        cycle_t since = 0;
        std::uint8_t state = task_state_count;
    };
    std::vector<span> spans(m.m_shown.size());
    table rows(timeline_form, out);
    const auto row = [&](std::uint32_t task, cycle_t until) {
        const span& s = spans[task];
        if (s.state == task_state_count || s.since == until) return;
        rows.row(task, s.since, until, state_name(static_cast<task_state>(s.state)));
    };
    for_each([&](const task_event& e) {
        if (e.is != task_event::state || e.time >= end()) return;
        row(e.task, e.time);
        spans[e.task] = {e.time, e.what};
    });
    for (std::uint32_t k = 0; k < spans.size(); ++k) row(k, end());
}

void views::marks(std::ostream& out) const {
    table rows(marks_form, out);
    for_each([&](const task_event& e) {
        if (e.is == task_event::mark)
            rows.row(e.task, e.time, m.phase_name(static_cast<std::uint32_t>(e.value)));
    });
}

}  // namespace sare::traffic
