// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_directory.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/terminal.h"
#include "tlm/stats/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// Columns of sweep.csv behind the axes, and where in a summary they come from.
struct summary_column {
    const char* name;
    const char* pointer;
    bool for_people;
};
constexpr summary_column table_columns[] = {
    {"offered", "/load/offered", true},
    {"injected", "/load/injected", false},
    {"accepted", "/load/accepted", true},
    {"latency_mean", "/latency/packet/from_generation/mean", true},
    {"latency_ci95", "/latency/packet/from_generation/ci95", false},
    {"latency_p50", "/latency/packet/from_generation/p50", false},
    {"latency_p95", "/latency/packet/from_generation/p95", false},
    {"latency_p99", "/latency/packet/from_generation/p99", true},
    {"latency_max", "/latency/packet/from_generation/max", false},
    {"network_latency_mean", "/latency/packet/from_injection/mean", true},
    {"hops_mean", "/hops/mean", true},
    {"cycles", "/cycles", false},
    {"makespan_cycles", "/workload/makespan_cycles", true},
};

std::string cell(const json& summary, const char* pointer, bool for_people) {
    const json::json_pointer at(pointer);
    if (!summary.contains(at) || !summary.at(at).is_number()) return for_people ? "-" : "";
    return for_people ? readable(summary.at(at).get<double>()) : summary.at(at).dump();
}

json identity(const sweep_plan& plan) {
    json axes = json::object();
    for (const auto& a : plan.axes) {
        axes[a.path] = json::array();
        for (const auto& v : a.values) {
            const json value = to_json(v);
            axes[a.path].push_back(value.is_structured() ? json(config::flow_style(v)) : value);
        }
    }
    return {{"program", "sare"}, {"file", plan.file}, {"axes", axes}, {"config", plan.config}};
}

}  // namespace

sweep_directory::sweep_directory(fs::path where, const sweep_plan& plan, part role)
    : m_claim(std::move(where), "sweep"),
      m_plan(plan),
      m_role(role),
      m_status(plan.points.size()),
      m_summaries(plan.points.size()) {
    claim();
}

fs::path sweep_directory::point_path(std::size_t point) const {
    return path() / "points" / fmt::format("{:03d}", point);
}

void sweep_directory::claim() {
    const json now = identity(m_plan);
    if (m_role == part::owner) return m_claim.claim(now);
    if (!m_claim.holds(now)) throw config::error(fmt::format("{}: holds no sweep", path().string()));
}

void sweep_directory::clean() const {
    if (m_role == part::owner) m_claim.clean(path() / "points");
}

bool sweep_directory::take(std::size_t point) {
    const fs::path file = point_path(point) / "summary.json";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return false;
    json found;
    try {
        found = read_json(file);
    } catch (const config::error&) {
        return false;
    }
    if (!found.is_object()) return false;
    const experiment& e = m_plan.points[point].what;
    const bool same = found.value("version", "") == version() && found.value("seed", json()) == e.seed &&
                      found.value("config", json()) == to_json(e);
    const std::string status = found.value("status", "");
    if (!same || status.empty() || status == "interrupted") return false;
    found.erase("config");
    found.erase("batches");
    m_summaries[point] = std::move(found);
    m_status[point] = status;
    return true;
}

void sweep_directory::drop(std::size_t point) {
    m_status[point].clear();
    m_summaries[point] = nullptr;
    fs::remove_all(point_path(point));
}

std::vector<std::vector<std::string>> sweep_directory::rows(bool for_people) const {
    std::vector<std::string> header{"point"};
    for (const auto& a : m_plan.axes) header.push_back(a.path);
    const bool seed_is_axis = std::find(header.begin(), header.end(), "seed") != header.end();
    const bool with_seed = !for_people && !seed_is_axis;
    if (with_seed) header.emplace_back("seed");
    header.emplace_back("status");
    bool traces = false;
    for (const auto& s : m_summaries)
        traces = traces || (s.is_object() && s.contains("/workload/makespan_cycles"_json_pointer));
    const auto shown = [&](const summary_column& c) {
        return (c.for_people || !for_people) && (traces || std::string(c.name) != "makespan_cycles");
    };
    for (const auto& c : table_columns)
        if (shown(c)) header.emplace_back(c.name);
    std::vector<std::vector<std::string>> all{header};
    for (const auto& p : m_plan.points) {
        if (m_status[p.number].empty()) continue;
        std::vector<std::string> row{std::to_string(p.number)};
        row.insert(row.end(), p.values.begin(), p.values.end());
        if (with_seed) row.push_back(std::to_string(p.what.seed));
        row.push_back(m_status[p.number]);
        for (const auto& c : table_columns)
            if (shown(c)) row.push_back(cell(m_summaries[p.number], c.pointer, for_people));
        all.push_back(std::move(row));
    }
    return all;
}

void sweep_directory::write_table() const {
    if (m_role != part::owner) return;
    const auto all = rows(false);
    table written(all.front());
    for (std::size_t k = 1; k < all.size(); ++k) {
        for (const std::string& cell : all[k]) written.cell(cell);
        written.end_row();
    }
    replace_file(path() / "sweep.csv", written.text());
}

std::string sweep_directory::text() const {
    auto all = rows(true);
    for (auto& name : all[0]) {
        if (const auto dot = name.rfind('.'); dot != std::string::npos) name = name.substr(dot + 1);
        if (name == "latency_mean") name = "latency";
        if (name == "latency_p99") name = "p99";
        if (name == "network_latency_mean") name = "in network";
        if (name == "hops_mean") name = "hops";
        if (name == "makespan_cycles") name = "makespan";
    }
    return aligned(all);
}

}  // namespace sare::cli
