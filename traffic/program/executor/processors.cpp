// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/executor/processors.h"

#include "tlm/base/world.h"
#include "traffic/program/duration.h"

#include <algorithm>

namespace sare::traffic {

processors::processors(const limits& l, const std::vector<std::uint32_t>& node_of, const traffic_port& port,
                       program_observer* observer)
    : m(l),
      m_node_of(node_of),
      m_port(port),
      m_observer(observer),
      m_cycle_seconds(port.cycle_seconds()),
      m_tasks(node_of.size()),
      m_node_busy(l.of_node != 0 ? port.nodes() : 0) {}

cycle_t processors::cycles_of(std::uint32_t task, double seconds) {
    return whole_cycles(seconds, m_cycle_seconds, m_tasks[task].fraction);
}

bool processors::occupy(const job& what) {
    of_task& t = m_tasks[what.task];
    (what.what == task_state::compute ? t.computed : t.overhead) += what.time;
    if (!has_core(what.task)) {
        wait(what);
        return false;
    }
    begin(what);
    return true;
}

[[gnu::noinline]] void processors::wait(const job& what) {
    m_waiting[queue_of(what.task)].push_back(what);
}

void processors::begin(const job& what) {
    ++m_tasks[what.task].busy;
    if (!m_node_busy.empty()) ++m_node_busy[m_node_of[what.task]];
    const cycle_t end = m_port.now() + what.time;
    if (m_observer != nullptr) m_observer->occupies(what.strand(), what.task, what.what, end);
    m_agenda.push({end, what.order});
}

std::optional<processors::job> processors::leave(std::uint32_t task) {
    --m_tasks[task].busy;
    if (!m_node_busy.empty()) --m_node_busy[m_node_of[task]];
    if (m_waiting.empty()) return {};
    const auto queue = m_waiting.find(queue_of(task));
    if (queue == m_waiting.end()) return {};
    auto& jobs = queue->second;
    const auto first =
        std::find_if(jobs.begin(), jobs.end(), [this](const job& each) { return has_core(each.task); });
    if (first == jobs.end()) return {};
    const job next = *first;
    jobs.erase(first);
    if (jobs.empty()) m_waiting.erase(queue);
    return next;
}

void processors::add_up(world& all) {
    all.sum_members(m_tasks, &of_task::computed, &of_task::overhead);
}

}  // namespace sare::traffic
