// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "traffic/application/application_part.h"
#include "traffic/application/applications.h"

#include <algorithm>

/// The applications in several processes, each of which runs the tasks of its nodes.
namespace sare::traffic {

bool applications::runs_by_nodes() const {
    return std::all_of(m_all.begin(), m_all.end(),
                       [](const entry& e) { return e.what->work().runs_by_nodes(); });
}

bool applications::awaits_losses() const {
    return std::any_of(m_all.begin(), m_all.end(),
                       [](const entry& e) { return sare::awaits_losses(e.what->work()); });
}

/// True if all are over; in one of several processes its own tasks, which may still get what they wait for.
bool applications::finished() const {
    if (!m_apart) return m_open == 0;
    return std::all_of(m_all.begin(), m_all.end(),
                       [](const entry& e) { return !e.what->ends() || e.what->complete(); });
}

std::uint32_t applications::words_with_messages() const {
    std::uint32_t most = 0;
    for (const entry& e : m_all) most = std::max(most, application_part(*e.what).words());
    return most;
}

void applications::write_words(const message& m, std::uint64_t* words) const {
    application_part(*m_all[application::tag_number(m)].what).write_words(m, words);
}

void applications::has_left(const message& m) {
    application_part(*m_all[application::tag_number(m)].what).has_left(m);
}

/// Returns the tag here of a message whose tag elsewhere tells its application.
std::uint64_t applications::tag_of(const message& m, const std::uint64_t* words) {
    return application_part(*m_all[application::tag_number(m)].what).tag_of(m, words);
}

bool applications::agrees() const {
    const auto ends = [](const entry& e) { return e.what->ends(); };
    const auto its = [](const entry& e) { return sare::agrees(e.what->work()); };
    return std::any_of(m_all.begin(), m_all.end(), its) ||
           (std::any_of(m_all.begin(), m_all.end(), ends) && !std::all_of(m_all.begin(), m_all.end(), ends));
}

cycle_t applications::next_agreement() const {
    cycle_t next = m_agreement;
    for (const entry& e : m_all) {
        const cycle_t its = next_agreement_of(e.what->work());
        if (its != never && takes_part(*e.what, its)) next = std::min(next, its);
    }
    return next;
}

/// Lets the workloads agree. Messages within a node may come at any rate.
void applications::agree(world& all, std::uint32_t most) {
    const cycle_t now = m_port->now();
    for (std::uint32_t k = 0; k < m_all.size(); ++k) {
        application& a = *m_all[k].what;
        auto* const its = dynamic_cast<synchronized_workload*>(&a.work());
        if (its == nullptr || its->next_agreement() > now || !takes_part(a, now)) continue;
        its->agree(all, a.parameters().tasks_per_node > 1 ? ~0U : most);
        update(k);
    }
    if (m_agreement <= now) agree_on_end(all);
    find_next();
}

/// Agrees on whether all that end are over. The others stop after the cycle in which the last one was
/// completed, wherever that was: so the question is put in every cycle.
void applications::agree_on_end(world& all) {
    std::vector<std::uint64_t> sums;
    for (const entry& e : m_all) {
        const application_part::state part = application_part(*e.what).now();
        sums.insert(sums.end(), {part.open, part.moving, part.flying});
    }
    all.sum(sums.data(), sums.size());
    bool over = true;
    for (std::size_t k = 0; k < m_all.size(); ++k) {
        const std::uint64_t* const its = &sums[3 * k];
        if (m_all[k].what->ends()) over = over && its[2] == 0 && (its[0] == 0 || its[1] == 0);
    }
    m_agreement = over ? never : m_port->now() + 1;
    if (over) m_last = m_port->now();
}

void applications::add_up(world& all) {
    for (const entry& e : m_all) application_part(*e.what).add_up(all);
}

}  // namespace sare::traffic
