// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_directory.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/results/headline.h"
#include "tb/sare/results/result_files.h"
#include "tb/sare/runs/run_record.h"
#include "tb/sare/sweep/sweep_failures.h"
#include "tb/sare/sweep/sweep_table.h"
#include "tlm/stats/table.h"

#include <fmt/format.h>

#include <cmath>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

json identity(const sweep_plan& plan) {
    json axes = json::object();
    for (const auto& a : plan.axes) {
        axes[a.path] = json::array();
        for (const auto& v : a.values) {
            const json value = to_json(v);
            axes[a.path].push_back(value.is_structured() ? json(config::flow_style(v)) : value);
        }
    }
    json all{{"program", "sare"}, {"file", plan.file}, {"axes", axes}};
    if (const json zipped = plan.zipped(); !zipped.is_null()) all["zipped"] = zipped;
    if (!plan.cases.is_null()) all["cases"] = plan.cases;
    all["points"] = plan.points.size();
    all["config"] = plan.config;
    return all;
}

/// Returns the bits of all input buffers if every router has VCs of the same depth; else NaN.
double buffer_bits(const json& summary) {
    const json config = summary.value("config", json::object());
    const json router = config.value("router", json::object()), topology = summary.value("topology", json());
    if (!router.is_object() || router.value("kind", "") != "vc" || config.contains("routers")) return NAN;
    const auto number = [](const json& section, const char* key) {
        return section.is_object() && section.contains(key) && section[key].is_number()
                   ? section[key].get<double>()
                   : NAN;
    };
    const double inputs = number(topology, "channels") + number(topology, "nodes");
    return inputs * number(router, "vcs") * number(router, "depth") *
           number(config.value("nic", json::object()), "flit_bytes") * 8;
}

/// Adds what the table has of a point beside its summary.
void add_derived(json& summary) {
    const double bits = buffer_bits(summary);
    if (std::isfinite(bits)) summary["buffer_bits"] = static_cast<std::uint64_t>(bits);
    if (!summary.contains("load") || !summary["load"].is_object()) return;
    for (const std::string name : {"offered", "injected", "accepted"})
        if (const double width = half_width_of(summary, "/load/" + name); std::isfinite(width))
            summary["load"][name + "_ci95"] = width;
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
    const std::string status = found.value("status", "");
    if (!is_summary_of(found, e) || status.empty() || status == "interrupted") return false;
    add_derived(found);
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

namespace {

std::string csv_text(const std::vector<std::vector<std::string>>& rows) {
    table written(rows.front());
    for (std::size_t k = 1; k < rows.size(); ++k) {
        for (const std::string& cell : rows[k]) written.cell(cell);
        written.end_row();
    }
    return written.text();
}

}  // namespace

void sweep_directory::write_table() const {
    if (m_role != part::owner) return;
    const sweep_table table(m_plan, m_status, m_summaries);
    replace_file(path() / "sweep.csv", csv_text(table.points()));
    if (table.has_seeds()) replace_file(path() / "seeds.csv", csv_text(table.seeds()));
    std::error_code ignored;
    if (fs::exists(path() / columns_file, ignored)) return;
    json about{{"sweep.csv", {{"columns", table.columns()}}}};
    if (table.has_seeds()) about["seeds.csv"] = about["sweep.csv"];
    replace_file(path() / columns_file, text_of(about));
}

void sweep_directory::write_failures(const sweep_failures& failures) const {
    if (m_role != part::owner) return;
    const fs::path file = path() / "failed.csv";
    std::error_code ignored;
    const auto rows = failures.rows();
    if (rows.size() > 1)
        replace_file(file, csv_text(rows));
    else
        fs::remove(file, ignored);
}

std::string sweep_directory::text() const {
    return sweep_table(m_plan, m_status, m_summaries).text();
}

}  // namespace sare::cli
