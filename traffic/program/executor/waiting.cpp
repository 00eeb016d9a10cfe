// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/executor.h"

#include <algorithm>

/// Which tasks wait for each other.
namespace sare::traffic {
namespace {

constexpr std::size_t most_told = 16;

std::string numbers(const std::vector<std::uint32_t>& tasks) {
    std::string text;
    for (std::size_t i = 0; i < tasks.size() && i < most_told; ++i)
        text += (i == 0 ? "" : i + 1 == tasks.size() ? " and " : ", ") + std::to_string(tasks[i]);
    return tasks.size() > most_told ? text + " and others" : text;
}

}  // namespace

/// Of every task a strand that does not go on: one that waits for another task, if there is one.
std::vector<std::uint32_t> executor::held_strands() const {
    std::vector<std::uint32_t> held(m_tasks.size(), none);
    for (std::uint32_t s = 0; s < m_strands.slots(); ++s) {
        const strand& each = m_strands[s];
        const bool waits = each.is == state::waits;
        if (!waits && each.is != state::needs && each.is != state::room && each.is != state::lookahead)
            continue;
        std::uint32_t& of = held[each.task];
        if (of == none || (waits && m_strands[of].is != state::waits)) of = s;
    }
    return held;
}

/// The task that a strand waits for; none: no other, or any.
std::uint32_t executor::awaited_task(std::uint32_t s) const {
    const std::uint32_t r = s == none ? none : awaited(m_strands[s]);
    if (r == none || m_requests[r].peer >= m_tasks.size()) return none;
    return m_requests[r].peer;
}

std::vector<std::string> executor::waiting() const {
    const std::vector<std::uint32_t> held = held_strands();
    const auto line = [&](std::uint32_t at) {
        const strand& s = m_strands[held[at]];
        return m_program->place(at, s.number) + what_holds(s);
    };
    std::vector<bool> seen(m_tasks.size());
    std::vector<std::string> lines;
    for (std::uint32_t first = 0; first < m_tasks.size(); ++first) {
        std::vector<std::uint32_t> path;
        std::uint32_t at = first;
        for (; at != none && held[at] != none && !seen[at]; at = awaited_task(held[at])) {
            seen[at] = true;
            path.push_back(at);
        }
        const auto begin = at == none ? path.end() : std::find(path.begin(), path.end(), at);
        if (begin == path.end()) {
            if (lines.empty() && !path.empty()) lines.push_back(line(path.back()));
            continue;
        }
        const std::vector<std::uint32_t> circle(begin, path.end());
        lines = {m_program->title() + " cannot end: " +
                 (circle.size() == 1 ? "task " + numbers(circle) + " waits for itself"
                                     : "tasks " + numbers(circle) + " wait for each other")};
        for (std::size_t i = 0; i < circle.size() && i < most_told; ++i) lines.push_back(line(circle[i]));
        return lines;
    }
    if (!lines.empty()) {
        const auto others = static_cast<std::size_t>(
            std::count_if(held.begin(), held.end(), [](std::uint32_t s) { return s != none; }) - 1);
        if (others != 0) lines[0] += "; " + std::to_string(others) + " other tasks wait too";
    }
    return lines;
}

}  // namespace sare::traffic
