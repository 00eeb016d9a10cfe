// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/strands.h"

#include "tlm/base/world.h"

#include <algorithm>

namespace sare::traffic {

strands::strands(std::uint32_t tasks, bool keep_receives, const traffic_port& port,
                 program_observer* observer)
    : m_port(port), m_observer(observer), m_requests(tasks, keep_receives), m_own(tasks), m_blocked(tasks) {
    for (std::uint32_t i = 0; i < tasks; ++i) m_strands[m_strands.take()].task = i;
}

std::uint32_t strands::fork(std::uint32_t task) {
    const std::uint32_t s = m_strands.take();
    m_strands[s] = strand{};
    m_strands[s].task = task;
    m_strands[s].order = std::uint64_t{++m_forks} << 32 | s;
    m_requests.add_strand(s);
    if (m_observer != nullptr) m_observer->made(s);
    return s;
}

void strands::name(std::uint32_t s, std::uint64_t name, bool waited_for) {
    const std::uint32_t own = m_strands[s].task;
    m_strands[s].request =
        m_requests.open({waited_for ? own : none, own, name, false}, open_requests::kind::strand);
}

void strands::pause(std::uint32_t s, state why, task_state shown) {
    if (__builtin_expect(m_observer != nullptr, 0)) m_observer->waits(s, m_strands[s].task, shown);
    m_strands[s].is = why;
    m_strands[s].since = m_port.now();
}

bool strands::wait(std::uint32_t s, wait_for what, std::uint64_t name, task_state shown) {
    m_strands[s].until = what;
    m_strands[s].awaited = name;
    if (is_over(s)) return true;
    pause(s, state::waits, shown);
    return false;
}

/// True if all that the strand waits for is done.
bool strands::is_over(std::uint32_t s) {
    const strand& me = m_strands[s];
    if (me.until == wait_for::own) return !m_requests.has_own(s);
    if (me.until == wait_for::all) return !m_requests.has_any(s);
    if (me.until == wait_for::one) depend(s, m_requests.find(me.task, me.awaited), false);
    return me.missing == 0;
}

void strands::stop_waiting(std::uint32_t s) {
    if (is_own(s)) m_blocked[s] += m_port.now() - m_strands[s].since;
    m_strands[s].is = state::running;
    if (m_observer != nullptr) m_observer->released(s);
}

void strands::resume(std::uint32_t s) {
    stop_waiting(s);
    m_ready.push_back(s);
}

std::uint32_t strands::next_ready() {
    if (m_next_ready < m_ready.size()) return m_ready[m_next_ready++];
    m_ready.clear();
    m_next_ready = 0;
    return none;
}

void strands::begin(std::uint32_t s) {
    const std::uint32_t r = m_strands[s].request;
    if (r != none) m_requests.begin(r, [this](std::uint32_t other) { met(other); });
}

void strands::ended(std::uint32_t r) {
    if (m_requests.has_dependents(r)) release(r);
    const std::uint32_t s = m_requests.end(r);
    if (s == none) return;
    const strand& of = m_strands[s];
    if (of.is == state::waits && of.until != wait_for::one && is_over(s)) resume(s);
}

/// Releases the strands that wait for a request to end, and those that wait for their begin, in the order of
/// their operations whichever way they were held up.
[[gnu::noinline]] void strands::release(std::uint32_t r) {
    const std::size_t first = m_ready.size();
    m_requests.release(r, [this](std::uint32_t s) { met(s); });
    for (std::size_t i = first; i < m_ready.size(); ++i) begin(m_ready[i]);
    std::sort(m_ready.begin() + static_cast<std::ptrdiff_t>(first), m_ready.end(),
              [this](auto a, auto b) { return m_strands[a].number < m_strands[b].number; });
}

void strands::add_up(world& all) {
    all.sum(m_blocked.data(), m_blocked.size());
}

}  // namespace sare::traffic
