// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/baseline.h"

#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/results/result_files.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/sweep/job_pool.h"
#include "tlm/network/simulation.h"
#include "tlm/stats/table.h"
#include "traffic/application/applications.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sare::cli {
namespace {

const table_form baselines_form{"baselines.csv", R"(
    baseline: text. Which: alone or crossbar.
    application: text. Its name.
    measure: text. What is compared.
    together: number in cycles. In this run.
    by_itself: number in cycles. In that one.
    slowdown: number. Their ratio.
    status: text. How that one ended.
)"};

/// Returns the names of all instances that are not in the background.
std::vector<std::string> names_of(const experiment& e) {
    const auto* all = e.traffic.find("applications");
    if (workload_registry::instance().chosen(e.traffic).name != "applications" || all == nullptr)
        throw config::error(e.traffic.where(),
                            "--baseline compares applications: 'traffic' must be of workload 'applications'");
    if (const auto* only = e.traffic.find("only"))
        throw config::error(only->where(),
                            "'only' leaves nothing to compare with by --baseline; leave it out");
    std::vector<std::string> names;
    for (const auto& [name, section] : all->entries()) {
        traffic::application_parameters p;
        traffic::application_fields().read(section, p, "application '" + name + "'");
        if (p.background) continue;
        for (std::uint32_t i = 0; i < p.instances; ++i)
            names.push_back(p.instances == 1 ? name : fmt::format("{}.{}", name, i));
    }
    return names;
}

/// Returns a figure of an application in a summary; NaN: it has none.
double figure(const json& application, const char* pointer) {
    const json::json_pointer at(pointer);
    return application.contains(at) && application[at].is_number() ? application[at].get<double>() : NAN;
}

double completion(const json& application) {
    return figure(application, "/completion_cycles");
}
double latency(const json& application) {
    return figure(application, "/latency/from_generation/mean");
}
/// Returns a number; null, as JSON writes NaN, becomes NaN.
double number_or_nan(const json& j) {
    return j.is_number() ? j.get<double>() : NAN;
}

}  // namespace

baseline_runs::baseline_runs(const experiment& e, const std::vector<std::string>& kinds) {
    for (const std::string& kind : kinds)
        if (std::find(m_kinds.begin(), m_kinds.end(), kind) == m_kinds.end()) m_kinds.push_back(kind);
    for (const std::string& kind : m_kinds)
        for (const std::string& name : names_of(e)) {
            job j{kind, name, e};
            j.what.traffic.set("only", config::value::scalar(name, {"--baseline", 0, 0}));
            if (kind == "crossbar") {
                j.what.fidelity = fidelity::crossbar;
                j.what.sections.drop_what_needs_routers();
            }
            m_jobs.push_back(std::move(j));
        }
    m_found.resize(m_jobs.size(), {NAN, NAN, "interrupted"});  // until it has run
}

/// Runs in a process of its own.
json baseline_runs::run_job(const job& j, simulation& network, const std::filesystem::path& where,
                            const std::function<void(double)>& progress) {
    const bool here = j.kind == "alone";
    simulation& net = here ? network : *new simulation(j.what);  // never deleted: see leave()
    const run_result r =
        net.run(j.what, {[&progress](const sare::progress& p) { progress(std::max(p.done, 0.0)); }, nullptr});
    const auto to = where / "baselines" / j.kind / j.name;
    make_directories(to, to);
    write_result(to, j.what, r);
    const json application = to_json(r.workload).at("applications").at(0);
    return {{"completion", completion(application)},
            {"latency", latency(application)},
            {"status", to_string(r.status)}};
}

void baseline_runs::run(simulation& network, const std::filesystem::path& where, std::size_t at_once,
                        progress_line& line) {
    if (m_jobs.empty()) return;
    network.elaborate();
    std::string failed;
    job_pool(m_jobs.size(), at_once)
        .run(
            [&](std::size_t k, const auto& progress) { return run_job(m_jobs[k], network, where, progress); },
            [&](std::size_t k, const json& result, const std::string& problem) {
                if (!problem.empty())
                    failed = fmt::format("baseline {} of '{}': {}", m_jobs[k].kind, m_jobs[k].name, problem);
                else
                    m_found[k] = {number_or_nan(result["completion"]), number_or_nan(result["latency"]),
                                  result["status"].get<std::string>()};
            },
            [&](double done) { line.show(fmt::format("baselines {:.0f}%", 100 * done)); });
    if (!failed.empty()) throw config::error(failed);
}

/// Compares times to completion; for applications that never end, mean latencies of messages.
void baseline_runs::compare(run_result& together) const {
    if (m_jobs.empty()) return;
    using config::number;
    std::map<std::string, json> here;
    const json results = to_json(together.workload);
    for (const json& a : results.at("applications")) here[a.at("name").get<std::string>()] = a;
    config::value all = config::value::map({});
    table rows(baselines_form);
    for (const std::string& kind : m_kinds) {
        config::value each = config::value::map({});
        for (std::size_t k = 0; k < m_jobs.size(); ++k) {
            const auto& [of, name, what] = m_jobs[k];
            if (of != kind) continue;
            const json& application = here.at(name);
            const bool ends = !std::isnan(m_found[k].completion);
            const double x = ends ? completion(application) : latency(application);
            const double base = ends ? m_found[k].completion : m_found[k].latency;
            const double slowdown = base > 0 ? x / base : NAN;
            const char* const measure = ends ? "completion_cycles" : "latency_mean";
            each.set(name, config::value::map({{"measure", config::value::scalar(measure)},
                                               {"together", number(x)},
                                               {"by_itself", number(base)},
                                               {"slowdown", number(slowdown)},
                                               {"status", config::value::scalar(m_found[k].status)}}));
            const auto cell = [](double y) { return std::isnan(y) ? "" : config::number_text(y); };
            rows.row(kind, name, measure, cell(x), cell(base), cell(slowdown), m_found[k].status);
        }
        all.set(kind, std::move(each));
    }
    together.workload.set("baselines", std::move(all));
    together.tables.emplace_back(baselines_form.file(), rows.text());
}

}  // namespace sare::cli
