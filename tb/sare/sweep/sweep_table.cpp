// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_table.h"

#include "tb/sare/process/terminal.h"
#include "tb/sare/results/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sare::cli {
namespace {

/// Columns after the axes, and their places in a summary.
struct summary_column {
    const char* name;
    const char* pointer;
    const char* for_people;  ///< name in the terminal; null: not there
    const char* unit;
    const char* sentence;
    bool is_measured = true;    ///< true: has a mean over seeds
    bool is_everywhere = true;  ///< false: only if a point has it
};
constexpr summary_column table_columns[] = {
    {"offered", "/load/offered", "offered", "flits/node/cycle", "What the workload made."},
    {"injected", "/load/injected", nullptr, "flits/node/cycle", "What entered the network."},
    {"accepted", "/load/accepted", "accepted", "flits/node/cycle", "What came to nodes."},
    {"accepted_ci95", "/load/accepted_ci95", nullptr, "flits/node/cycle",
     "Half the width of the 95% confidence interval, over the batches.", false},
    {"latency_mean", "/latency/packet/from_generation/mean", "latency", "cycles",
     "Of packets, from generation to consumption."},
    {"latency_ci95", "/latency/packet/from_generation/ci95", nullptr, "cycles",
     "Half the width of the 95% confidence interval of that mean, over the batches.", false},
    {"latency_p50", "/latency/packet/from_generation/p50", nullptr, "cycles", "Median, from generation."},
    {"latency_p95", "/latency/packet/from_generation/p95", nullptr, "cycles",
     "95th percentile, from generation."},
    {"latency_p99", "/latency/packet/from_generation/p99", "p99", "cycles",
     "99th percentile, from generation."},
    {"latency_max", "/latency/packet/from_generation/max", nullptr, "cycles", "Largest, from generation."},
    {"network_latency_mean", "/latency/packet/from_injection/mean", "in network", "cycles",
     "Of packets, from injection to consumption."},
    {"hops_mean", "/hops/mean", "hops", "routers", "That packets visited."},
    {"cycles", "/cycles", nullptr, "cycles", "Simulated in all."},
    {"makespan_cycles", "/workload/makespan_cycles", "makespan", "cycles", "Until the workload had finished.",
     true, false},
    {"slowdown_mean", "/slowdown/mean", "slowdown", "", "Latency of messages over that in the idle network.",
     true, false},
    {"slowdown_p50", "/slowdown/p50", nullptr, "", "Median of it.", true, false},
    {"slowdown_p99", "/slowdown/p99", nullptr, "", "99th percentile of it.", true, false},
    {"buffer_bits", "/buffer_bits", nullptr, "bits", "Of all input buffers of routers.", false, false},
    {"latency_ns", "/power/latency", nullptr, "ns", "Mean latency at the clock that the power section says.",
     true, false},
    {"throughput_gbit_s", "/power/throughput", nullptr, "Gbit/s", "What came to all nodes.", true, false},
    {"power_mw", "/power/mean", "mW", "mW", "Of the network, in the mean of the measured cycles.", true,
     false},
    {"energy_per_bit_pj", "/power/energy/per_bit", "pJ/bit", "pJ", "A bit that came to a node.", true, false},
    {"area_mm2", "/power/area", "mm2", "mm^2", "Of the network.", false, false},
    {"clock_period_ns", "/power/clock_period", nullptr, "ns", "The shortest that routers can have.", false,
     false},
};

const json* number_of(const json& summary, const char* pointer) {
    const json::json_pointer at(pointer);
    return summary.contains(at) && summary.at(at).is_number() ? &summary.at(at) : nullptr;
}

std::string table_cell(const json& summary, const char* pointer, bool for_people) {
    if (for_people) return known_text(summary, pointer);
    const json* x = number_of(summary, pointer);
    return x == nullptr ? "" : x->dump();
}

bool is_latency(const summary_column& c) {
    return std::string_view(c.pointer).rfind("/latency/", 0) == 0;
}

std::string csv_number(double x) {
    return std::isfinite(x) ? json(x).dump() : "";
}

std::string last_part(const std::string& path) {
    return path.substr(path.rfind('.') + 1);
}

/// Returns "completed", or "4 completed, 1 saturated".
std::string joint_status(const std::vector<std::string>& all) {
    std::map<std::string, std::size_t> counts;
    for (const std::string& s : all) ++counts[s];
    std::string text;
    for (const auto& [status, count] : counts)
        text += (text.empty() ? "" : ", ") + (counts.size() > 1 ? fmt::format("{} ", count) : "") + status;
    return text;
}

}  // namespace

sweep_table::sweep_table(const sweep_plan& plan, const std::vector<std::string>& status,
                         const std::vector<json>& summaries)
    : m_plan(plan), m_status(status), m_summaries(summaries), m_seed_axis(plan.seed_axis()) {}

bool sweep_table::is_known(const char* pointer) const {
    return std::any_of(m_summaries.begin(), m_summaries.end(), [&](const json& s) {
        return s.is_object() && s.contains(json::json_pointer(pointer));
    });
}

bool sweep_table::is_steady(std::size_t point) const {
    return m_status[point] != "saturated" && m_status[point] != "unsettled";
}

sweep_table::rows sweep_table::rows_of_points(bool for_people) const {
    rows all{{"point"}};
    std::vector<std::string>& header = all[0];
    for (const auto& a : m_plan.axes) header.push_back(for_people ? last_part(a.path) : a.path);
    const bool with_seed = !for_people && std::find(header.begin(), header.end(), "seed") == header.end();
    if (with_seed) header.emplace_back("seed");
    header.emplace_back("status");
    std::vector<const summary_column*> columns;
    for (const auto& c : table_columns) {
        if ((for_people && c.for_people == nullptr) || (!c.is_everywhere && !is_known(c.pointer))) continue;
        columns.push_back(&c);
        header.emplace_back(for_people ? c.for_people : c.name);
    }
    for (const auto& p : m_plan.points) {
        if (m_status[p.number].empty()) continue;
        std::vector<std::string> row{std::to_string(p.number)};
        row.insert(row.end(), p.values.begin(), p.values.end());
        if (with_seed) row.push_back(std::to_string(p.what.seed));
        row.push_back(m_status[p.number]);
        for (const auto* c : columns)
            row.push_back(table_cell(m_summaries[p.number], c->pointer, for_people) +
                          (for_people && is_latency(*c) && !is_steady(p.number) ? "*" : ""));
        all.push_back(std::move(row));
    }
    return all;
}

sweep_table::rows sweep_table::rows_of_seeds(bool for_people) const {
    rows all{{}};
    for (std::size_t i = 0; i < m_plan.axes.size(); ++i)
        if (i != m_seed_axis)
            all[0].push_back(for_people ? last_part(m_plan.axes[i].path) : m_plan.axes[i].path);
    all[0].emplace_back("seeds");
    all[0].emplace_back("status");
    std::vector<const summary_column*> columns;
    for (const auto& c : table_columns) {
        if (!c.is_measured || (for_people && c.for_people == nullptr) ||
            (!c.is_everywhere && !is_known(c.pointer)))
            continue;
        columns.push_back(&c);
        all[0].emplace_back(for_people ? c.for_people : c.name);
        if (!for_people) all[0].push_back(std::string(c.name) + "_ci95");
    }
    std::map<std::vector<std::string>, std::size_t> places;
    std::vector<std::pair<std::vector<std::string>, std::vector<std::size_t>>> groups;
    for (const auto& p : m_plan.points) {
        if (m_status[p.number].empty()) continue;
        std::vector<std::string> values = p.values;
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(m_seed_axis));
        const std::size_t at = places.emplace(values, groups.size()).first->second;
        if (at == groups.size()) groups.push_back({values, {}});
        groups[at].second.push_back(p.number);
    }
    for (auto& [row, points] : groups) {
        std::vector<std::string> status;
        for (const std::size_t p : points) status.push_back(m_status[p]);
        row.push_back(std::to_string(points.size()));
        row.push_back(joint_status(status));
        for (const auto* c : columns) {
            std::vector<double> samples;
            for (const std::size_t p : points)
                if (const json* x = number_of(m_summaries[p], c->pointer))
                    samples.push_back(x->get<double>());
            const estimate e = estimate_of(samples);
            const double width = e.half_width();
            if (for_people) {
                const bool star = is_latency(*c) && !std::all_of(points.begin(), points.end(),
                                                                 [&](std::size_t p) { return is_steady(p); });
                row.push_back(samples.empty() ? "-" : with_error(e.mean, width) + (star ? "*" : ""));
            } else {
                row.push_back(csv_number(e.mean));
                row.push_back(csv_number(width));
            }
        }
        all.push_back(std::move(row));
    }
    return all;
}

json sweep_table::columns() const {
    json all =
        json::array({{{"name", "point"}, {"kind", "count"}, {"unit", ""}, {"sentence", "Its number."}}});
    for (const auto& a : m_plan.axes)
        all.push_back({{"name", a.path}, {"kind", "text"}, {"unit", ""}, {"sentence", "An axis."}});
    for (const auto& c : table_columns)
        all.push_back({{"name", c.name}, {"kind", "number"}, {"unit", c.unit}, {"sentence", c.sentence}});
    return all;
}

std::string sweep_table::text() const {
    // Behind the number of the point, or the values of the axes that a row is for.
    const std::size_t keys = has_seeds() ? std::max<std::size_t>(m_plan.axes.size() - 1, 1) : 1;
    const std::string text = folded(has_seeds() ? rows_of_seeds(true) : rows_of_points(true), keys,
                                    terminal_width(1, std::string::npos / 2));
    const bool steady = std::all_of(m_plan.points.begin(), m_plan.points.end(),
                                    [&](const sweep_point& p) { return is_steady(p.number); });
    return steady ? text : text + not_steady + "\n";
}

}  // namespace sare::cli
