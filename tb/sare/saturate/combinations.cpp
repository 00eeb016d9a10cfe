// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/saturate/combinations.h"

#include "tb/sare/run/result_directory.h"
#include "tb/sare/run/rtl.h"
#include "tb/sare/sweep/job_pool.h"
#include "tlm/network/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare::cli {

combinations::combinations(const sweep_plan& plan, const std::vector<std::size_t>& which,
                           const claimed_directory& directory, const saturation_options& options,
                           const store_options& store)
    : m_plan(plan), m_directory(directory), m_options(options), m_recorder(store) {
    std::map<std::size_t, std::vector<std::size_t>> groups;
    for (const std::size_t p : which) groups[plan.points[p].group].push_back(p);
    for (auto& [group, points] : groups) m_groups.push_back(std::move(points));
}

void combinations::run(std::size_t processes, const taker& take, const std::function<void(double)>& on_wait) {
    const std::size_t at_once = std::min(processes, m_groups.size());
    const std::size_t each = std::max<std::size_t>(processes / at_once, 1);
    job_pool(m_groups.size(), at_once)
        .run([&](std::size_t g, const auto& progress) { return run_group(m_groups[g], each, progress); },
             [&](std::size_t g, const json& rows, const std::string& problem) {
                 for (const std::size_t p : m_groups[g]) {
                     const json row =
                         problem.empty() ? rows.value(std::to_string(p), json()) : json{{"problem", problem}};
                     if (!row.is_null()) take(p, row);
                 }
             },
             on_wait);
}

json combinations::run_group(const std::vector<std::size_t>& points, std::size_t at_once,
                             const std::function<void(double)>& progress) {
    const experiment& e = m_plan.points[points.front()].what;
    simulation& network = *new simulation(e, make_rtl_routers(e).maker());  // never deleted: see leave()
    network.elaborate();
    if (e.checks.deadlock) network.check_deadlock();  // once for all runs
    json rows = json::object();
    job_pool(points.size(), at_once)
        .run(
            [&](std::size_t k, const std::function<void(double)>& done) {
                const sweep_point& p = m_plan.points[points[k]];
                const auto folder = m_directory.path() / "points" / fmt::format("{:03d}", p.number);
                make_directories(folder, folder);
                m_directory.clean(folder);
                return saturate_combination(p, network, folder, m_options, m_recorder, done);
            },
            [&](std::size_t k, const json& row, const std::string& problem) {
                rows[std::to_string(points[k])] = problem.empty() ? row : json{{"problem", problem}};
            },
            progress);
    return rows;
}

}  // namespace sare::cli
