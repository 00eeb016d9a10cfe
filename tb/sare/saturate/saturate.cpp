// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/report.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/run/rtl.h"
#include "tb/sare/saturate/saturation_files.h"
#include "tb/sare/sweep/job_pool.h"
#include "tb/sare/sweep/sweep_failures.h"
#include "tb/sare/usage.h"
#include "tlm/network/simulation.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cli {
namespace {

struct saturate_options {
    input_options input;
    std::vector<std::string> axes;
    std::string tolerance = "1%", out;
    saturation_options search;
    std::size_t processes = 1;
    progress_options progress;
    store_options store;
    bool no_report = false;
};

/// "1%" or "0.01".
double parse_tolerance(const std::string& text) {
    const bool percent = !text.empty() && text.back() == '%';
    double value = 0;
    try {
        value = std::stod(text) / (percent ? 100 : 1);
    } catch (const std::exception&) {
    }
    if (value < 0.001 || value > 0.5)
        throw usage_error(fmt::format("--tolerance {}: must be from 0.1% to 50%, such as 1%", text));
    return value;
}

class saturation_work {
  public:
    saturation_work(const sweep_plan& plan, const claimed_directory& directory,
                    const saturation_options& options, const store_options& store)
        : m_plan(plan),
          m_directory(directory),
          m_options(options),
          m_recorder(store),
          m_groups(plan.groups),
          m_rows(plan.points.size()) {
        for (const auto& p : plan.points) m_groups[p.group].push_back(p.number);
    }

    /// `processes`: at work at the same time. Networks that differ in more than traffic are elaborated in
    /// processes of their own, and their combinations forked.
    void run(std::size_t processes, const std::function<void(double)>& on_wait) {
        const std::size_t at_once = std::min(processes, m_groups.size());
        const std::size_t each = std::max<std::size_t>(processes / at_once, 1);
        job_pool(m_groups.size(), at_once)
            .run([&](std::size_t g, const auto& progress) { return run_group(g, each, progress); },
                 [&](std::size_t g, const json& rows, const std::string& problem) { take(g, rows, problem); },
                 on_wait);
        m_failures.finish();
    }

    const std::vector<json>& rows() const { return m_rows; }
    std::size_t failed() const { return m_failed; }
    bool blocked() const { return m_blocked; }

  private:
    json run_group(std::size_t g, std::size_t at_once, const std::function<void(double)>& progress) {
        const auto& points = m_groups[g];
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

    void take(std::size_t g, const json& rows, const std::string& problem) {
        for (const std::size_t p : m_groups[g]) {
            const json row =
                problem.empty() ? rows.value(std::to_string(p), json()) : json{{"problem", problem}};
            if (row.is_null()) continue;
            if (!row.contains("problem")) {
                m_rows[p] = row;
                continue;
            }
            const std::string why = row["problem"];
            m_blocked = m_blocked || why.rfind("deadlock", 0) == 0 || why.rfind("stuck", 0) == 0;
            m_failures.add(p, why);
            ++m_failed;
        }
        write_saturation(m_directory.path(), m_plan, m_options, m_rows);
    }

    const sweep_plan& m_plan;
    const claimed_directory& m_directory;
    const saturation_options& m_options;
    run_recorder m_recorder;
    std::vector<std::vector<std::size_t>> m_groups;
    std::vector<json> m_rows;
    sweep_failures m_failures;
    std::size_t m_failed = 0;
    bool m_blocked = false;
};

sweep_plan plan_of(const saturate_options& options) {
    for (const sweep_axis& axis : parse_axes(options.axes))
        if (axis.path == "traffic.load")
            throw usage_error("--axis traffic.load: saturate looks for the load itself; leave it out");
    sweep_source source{options.input.file, options.input.folder(), {}, options.axes, {}, {}};
    source.cases = options.input.trees_of_cases();
    source.tree = source.cases.empty() ? options.input.tree() : source.cases.front().second;
    sweep_plan plan = make_plan(source);
    for (const auto& p : plan.points) check_saturable(p.what);
    return plan;
}

int saturate(saturate_options options) {
    options.search.tolerance = parse_tolerance(options.tolerance);
    const sweep_plan plan = plan_of(options);
    claimed_directory directory(
        options.out.empty() ? free_name("out/" + options.input.stem()) : std::filesystem::path(options.out),
        "saturate");
    directory.claim(identity_of(plan, options.search));
    catch_stop_signals();
    saturation_work work(plan, directory, options.search, options.store);
    {
        progress_line line(options.progress);
        work.run(options.processes, [&](double done) {
            std::string text = fmt::format("{} combinations, {:.0f}% done", plan.points.size(), 100 * done);
            if (done > 0.01)
                text += fmt::format("  {} left at most", duration(line.elapsed() * (1 - done) / done));
            line.show(text, done);
        });
    }
    if (stop_requested() != 0) {
        if (!options.progress.quiet) show("interrupted; the same command goes on\n");
        return exit_status::interrupted;
    }
    const bool any = work.failed() < plan.points.size();
    if (!options.progress.quiet && any) show(saturation_text(plan, options.search, work.rows()));
    std::filesystem::path shown = directory.path();
    if (!options.no_report && any) {
        const std::string problem = write_report(directory.path());
        if (problem.empty())
            shown /= "report.html";
        else
            warn("no report.html: " + problem);
    }
    if (!options.progress.quiet) show(shown.string() + "\n");
    return work.blocked()       ? exit_status::blocked
           : work.failed() != 0 ? exit_status::failure
                                : exit_status::good;
}

}  // namespace

void add_saturate(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("saturate", "Find the highest load that every source sustains");
    auto options = std::make_shared<saturate_options>();
    options->input.add_to(*command);
    command->add_option("--axis", options->axes, "A parameter and its values, in YAML; may be given again")
        ->type_name("PATH=A,B,C")
        ->allow_extra_args(false);
    command
        ->add_option("--tolerance", options->tolerance,
                     "Width of the bracket that the load is found in, of the load (default: 1%)")
        ->type_name("PERCENT");
    command
        ->add_option("--latency-factor", options->search.latency_factor,
                     "Also find the load of so many times the latency without load (default: 2)")
        ->type_name("X")
        ->check(number_within(1.05, 100));
    command->add_option("-j,--jobs", options->processes, "Processes at work (default: 1)")
        ->type_name("N")
        ->check(whole_number(1, 4096));
    command
        ->add_option(
            "--out", options->out,
            "Directory for the results; a search begun there goes on (default: out/NAME, out/NAME-2, ...)")
        ->type_name("DIR");
    options->store.add_to(*command);
    options->progress.add_to(*command);
    command->add_flag("--no-report", options->no_report, "Leave out report.html");
    command->footer(
        "Examples:\n"
        "  sare saturate mesh.yaml --out out/mesh\n"
        "  sare saturate mesh.yaml --axis traffic.pattern=uniform,transpose -j 2\n"
        "At most 12 runs a combination. A search that was killed keeps its runs; the same\n"
        "command with the same --out goes on.");
    command->callback([&chosen, options] { chosen = [options] { return saturate(*options); }; });
}

}  // namespace sare::cli
