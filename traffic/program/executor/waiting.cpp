// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/waiting.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::traffic {
namespace {

using state = strands::state;

constexpr std::uint32_t none = strands::none;
constexpr std::size_t most_told = 16;

std::string numbers(const std::vector<std::uint32_t>& tasks) {
    std::string text;
    for (std::size_t i = 0; i < tasks.size() && i < most_told; ++i)
        text += (i == 0 ? "" : i + 1 == tasks.size() ? " and " : ", ") + std::to_string(tasks[i]);
    return tasks.size() > most_told ? text + " and others" : text;
}

}  // namespace

standstill waiting_tasks::first() const {
    standstill all;
    std::vector<bool> told(m_program.tasks());
    for (std::uint32_t s = 0; s < m_threads.slots(); ++s) {
        const state is = m_threads.is(s);
        if (is == state::done || is == state::running || told[m_threads.task(s)]) continue;
        told[m_threads.task(s)] = true;
        if (all.tasks++ == 0) all.first = line(s), all.place = m_threads.task(s);
    }
    return all;
}

/// Returns a strand of every task that does not go on: one that waits for another task, if there is one.
std::vector<std::uint32_t> waiting_tasks::held_strands() const {
    std::vector<std::uint32_t> held(m_program.tasks(), none);
    for (std::uint32_t s = 0; s < m_threads.slots(); ++s) {
        const state is = m_threads.is(s);
        const bool waits = is == state::waits;
        if (!waits && is != state::needs && is != state::room && is != state::lookahead) continue;
        std::uint32_t& of = held[m_threads.task(s)];
        if (of == none || (waits && m_threads.is(of) != state::waits)) of = s;
    }
    return held;
}

/// Returns the first request that a strand waits for; none: something else.
std::uint32_t waiting_tasks::awaited(std::uint32_t s) const {
    if (m_threads.is(s) != state::waits) return none;
    const wait_for what = m_threads.waits_for(s);
    if (what == wait_for::one) return m_open.find(m_threads.task(s), m_threads.awaited(s));
    return m_open.first_open(s, what == wait_for::own);
}

/// Returns the task that a strand waits for; none: no other, or any.
std::uint32_t waiting_tasks::awaited_task(std::uint32_t s) const {
    const std::uint32_t r = s == none ? none : awaited(s);
    return r == none || m_open.peer(r) >= m_program.tasks() ? none : m_open.peer(r);
}

std::string waiting_tasks::what_holds(std::uint32_t s) const {
    using kind = open_requests::kind;
    const state is = m_threads.is(s);
    if (is == state::needs) return " waits for an operation that never ends";
    if (is == state::lookahead) return " is not begun: too many operations before it never end";
    if (is == state::waits && m_threads.waits_for(s) == wait_for::flush)
        return " waits for puts and gets that never end";
    const std::uint32_t r = awaited(s);
    if (r == none) return " waits for room in its source queue";
    const std::uint32_t other = m_open.peer(r);
    const std::string tag = m_open.tag(r) == any_tag ? "any" : std::to_string(m_open.tag(r));
    const std::string peer = other == any_source ? "any task" : fmt::format("task {}", other);
    switch (m_open.what(r)) {
        case kind::strand:
            return " waits for a collective that never ends";
        case kind::one_sided:
            return " waits for a put to " + peer + " or a get from it, which never ends";
        case kind::receive:
        case kind::probe:
            return " waits for a message from " + peer + ", tag " + tag + ", that never comes";
        case kind::send:
            break;
    }
    return " waits for " + peer + " to receive its message of tag " + tag + ", which never happens";
}

std::vector<std::string> waiting_tasks::lines() const {
    const std::vector<std::uint32_t> held = held_strands();
    std::vector<bool> seen(held.size());
    std::vector<std::string> lines;
    for (std::uint32_t first = 0; first < held.size(); ++first) {
        std::vector<std::uint32_t> path;
        std::uint32_t at = first;
        for (; at != none && held[at] != none && !seen[at]; at = awaited_task(held[at])) {
            seen[at] = true;
            path.push_back(at);
        }
        const auto begin = at == none ? path.end() : std::find(path.begin(), path.end(), at);
        if (begin == path.end()) {
            if (lines.empty() && !path.empty()) lines.push_back(line(held[path.back()]));
            continue;
        }
        const std::vector<std::uint32_t> circle(begin, path.end());
        lines = {m_program.title() + " cannot end: " +
                 (circle.size() == 1 ? "task " + numbers(circle) + " waits for itself"
                                     : "tasks " + numbers(circle) + " wait for each other")};
        for (std::size_t i = 0; i < circle.size() && i < most_told; ++i)
            lines.push_back(line(held[circle[i]]));
        return lines;
    }
    if (!lines.empty()) {
        const auto waiting =
            std::count_if(held.begin(), held.end(), [](std::uint32_t s) { return s != none; });
        lines[0] = standstill{lines[0], 0, static_cast<std::uint64_t>(waiting)}.text();
    }
    return lines;
}

}  // namespace sare::traffic
