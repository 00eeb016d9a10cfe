// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/scheduler_watch.h"

#include "tb/sare/process/process.h"

#include <fmt/format.h>

#include <utility>

namespace sare::cli {

std::optional<std::map<std::string, array_report>> scheduler_watch::look(
    const std::vector<std::string>& arrays) {
    std::map<std::string, array_report> found;
    try {
        if (!arrays.empty()) found = m_scheduler.look(arrays);
    } catch (const scheduler_error& problem) {
        if (m_answers && stop_requested() == 0)
            warn(fmt::format("{}; {} is asked again until it answers", problem.what(), m_scheduler.title()));
        m_answers = false;
        return {};
    }
    m_answers = true;
    for (const std::string& name : arrays) found[name];  // none of its jobs may be left
    warn_of_held(found);
    cancel_stillborn(found);
    return found;
}

void scheduler_watch::warn_of_held(const std::map<std::string, array_report>& arrays) {
    std::set<std::string> held;
    for (const auto& [name, jobs] : arrays)
        for (const auto& [number, job] : jobs) {
            if (!job.held || job.stillborn) continue;
            held.insert(job.id);
            if (m_held.count(job.id) == 0)
                warn(fmt::format("{} holds job {}: {}", m_scheduler.title(), job.id, job.said));
        }
    m_held = std::move(held);
}

void scheduler_watch::cancel_stillborn(const std::map<std::string, array_report>& arrays) {
    std::vector<std::string> ids;
    for (const auto& [name, jobs] : arrays)
        for (const auto& [number, job] : jobs)
            if (job.stillborn) ids.push_back(job.id);
    cancel(ids);
}

void scheduler_watch::cancel(const std::vector<std::string>& ids) {
    try {
        if (!ids.empty()) m_scheduler.cancel_jobs(ids);
    } catch (const scheduler_error&) {
    }
}

}  // namespace sare::cli
