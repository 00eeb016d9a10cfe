// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/planned.h"

#include "tlm/state/archive.h"

namespace sare::traffic {

bool planned_program::next(std::uint32_t task, operation& o) {
    std::deque<operation>& planned = m_at[task].planned;
    while (planned.empty())
        if (!plan(task)) return false;
    o = std::move(planned.front());
    planned.pop_front();
    return true;
}

void planned_program::serialize(archive& a) {
    a(m_at, m_times);
}

std::string planned_program::phase(std::int64_t number) const {
    const auto& names = m_times.names();
    return number < static_cast<std::int64_t>(names.size()) ? names[static_cast<std::size_t>(number)]
                                                            : m_last;
}

operation& planned_program::add(std::uint32_t task, op what) {
    operation& o = m_at[task].planned.emplace_back();
    o.what = what;
    return o;
}

void planned_program::enter(std::uint32_t task, std::int64_t state) {
    if (m_at[task].in == state) return;
    m_at[task].in = state;
    add(task, op::mark).tag = state;
}

void planned_program::compute(std::uint32_t task, double seconds) {
    if (seconds > 0) add(task, op::compute).seconds = seconds;
}

}  // namespace sare::traffic
