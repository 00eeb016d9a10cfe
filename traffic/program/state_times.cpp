// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/state_times.h"

#include "tlm/config/schema.h"
#include "tlm/stats/table.h"

#include <algorithm>

namespace sare::traffic {

void state_times::enter(std::uint32_t task, std::int64_t state, cycle_t now) {
    task_progress& p = m_at[task];
    const auto states = static_cast<std::int64_t>(m_names.size());
    if (p.state >= 0 && p.state < states)
        m_cycles[task * m_names.size() + static_cast<std::size_t>(p.state)] += now - p.since;
    p = {state, now};
}

double state_times::sum(std::size_t state) const {
    double all = 0;
    for (std::uint32_t t = 0; t < m_at.size(); ++t) all += static_cast<double>(of(t, state));
    return all;
}

config::value state_times::results(double cycle_seconds) const {
    config::value all = config::value::map({});
    for (std::size_t s = 0; s < m_names.size(); ++s) {
        cycle_t least = m_at.empty() ? 0 : of(0, s), most = 0;
        for (std::uint32_t t = 0; t < m_at.size(); ++t) {
            least = std::min(least, of(t, s));
            most = std::max(most, of(t, s));
        }
        const auto set = [&](config::value& to, const char* key, double cycles) {
            to.set(key, config::number(cycles * cycle_seconds));
        };
        config::value one = config::value::map({});
        set(one, "min_s", static_cast<double>(least));
        set(one, "mean_s", sum(s) / static_cast<double>(std::max<std::size_t>(m_at.size(), 1)));
        set(one, "max_s", static_cast<double>(most));
        all.set(m_names[s], one);
    }
    return all;
}

std::string state_times::table() const {
    std::vector<std::string> header{"task"};
    for (const auto& name : m_names) header.push_back(name + "_cycles");
    sare::table rows(header);
    for (std::uint32_t t = 0; t < m_at.size(); ++t) {
        rows.cell(t);
        for (std::size_t s = 0; s < m_names.size(); ++s) rows.cell(of(t, s));
        rows.end_row();
    }
    return rows.text();
}

}  // namespace sare::traffic
