// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/submission.h"
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/report.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/saturate/saturate_jobs.h"
#include "tb/sare/saturate/saturation_files.h"
#include "tb/sare/saturate/saturation_remedy.h"
#include "tb/sare/sweep/sweep_failures.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>

#include <numeric>

namespace sare::cli {
namespace {

struct saturate_options {
    input_options input;
    std::vector<std::string> axes;
    std::string tolerance = fmt::format("{:g}%", 100 * saturation_goal().tolerance), out;
    saturation_options search;
    std::size_t processes = 1;
    array_options array;
    std::vector<std::string> zips;
    progress_options progress;
    store_options store;
    bool no_report = false, overwrite = false, remedy = false;
};

/// Parses "1%" or "0.01".
double parse_tolerance(const std::string& text) {
    const bool percent = !text.empty() && text.back() == '%';
    double value = 0;
    try {
        value = std::stod(text) / (percent ? 100 : 1);
    } catch (const std::exception&) {
    }
    if (value < 0.005 || value > widest_bracket)
        throw usage_error(fmt::format("--tolerance {}: must be from 0.5% to {:g}%, such as 1%", text,
                                      100 * widest_bracket));
    return value;
}

/// Rows of a search, written as they come.
class saturation_table {
  public:
    saturation_table(const sweep_plan& plan, const std::filesystem::path& where,
                     const saturation_options& options)
        : m_plan(plan), m_where(where), m_options(options), m_rows(plan.points.size()) {}

    void take(std::size_t p, const json& row) {
        if (row.contains("problem")) {
            const std::string why = row["problem"];
            m_blocked = m_blocked || why.rfind("deadlock", 0) == 0 || why.rfind("stuck", 0) == 0;
            m_failures.add(p, why);
            ++m_failed;
        } else {
            m_rows[p] = row;
        }
        write_saturation(m_where, m_plan, m_options, m_rows);
    }
    void finish() { m_failures.finish(); }

    const std::vector<json>& rows() const { return m_rows; }
    std::size_t failed() const { return m_failed; }
    bool blocked() const { return m_blocked; }

  private:
    const sweep_plan& m_plan;
    const std::filesystem::path& m_where;
    const saturation_options& m_options;
    std::vector<json> m_rows;
    sweep_failures m_failures;
    std::size_t m_failed = 0;
    bool m_blocked = false;
};

sweep_source source_of(const saturate_options& options) {
    for (const sweep_axis& axis : parse_axes(options.axes))
        if (axis.path == "traffic.load")
            throw usage_error("--axis traffic.load: saturate looks for the load itself; leave it out");
    return axis_options{options.axes, options.zips}.source_over(options.input);
}

void run_here(const sweep_plan& plan, const claimed_directory& directory, const saturate_options& options,
              const combinations::taker& take, progress_line& line) {
    std::vector<std::size_t> all(plan.points.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    combinations(plan, all, directory, options.search, options.store)
        .run(options.processes, take, [&](double done) {
            std::string text = fmt::format("{} combinations, {:.0f}% done", all.size(), 100 * done);
            if (done > 0.01)
                text += fmt::format("  {} left at most", duration(line.elapsed() * (1 - done) / done));
            line.show(text, done);
        });
}

void run_there(const sweep_plan& plan, const claimed_directory& directory, const sweep_source& source,
               const saturate_options& options, const combinations::taker& take, progress_line& line) {
    const std::size_t count = plan.points.size();
    run_saturate_jobs(plan, directory,
                      {source, options.search, options.store, options.array, options.processes}, take,
                      [&](std::size_t done) {
                          line.show(fmt::format("{} of {} combinations done", done, count),
                                    static_cast<double>(done) / static_cast<double>(count));
                      });
}

int saturate(saturate_options options) {
    options.search.tolerance = parse_tolerance(options.tolerance);
    const sweep_source source = source_of(options);
    const sweep_plan plan = make_plan(source);
    for (const auto& p : plan.points) check_saturable(p.what);
    if (options.array.on != this_machine)
        make_scheduler(options.array.on);  // asked before anything is written
    claimed_directory directory(
        options.out.empty() ? free_name("out/" + options.input.stem()) : std::filesystem::path(options.out),
        "saturate");
    if (options.overwrite) refuse_jobs_at_work(directory.path());
    directory.claim(identity_of(plan, options.search), options.overwrite);
    if (options.array.on == this_machine) refuse_jobs_at_work(directory.path());
    catch_stop_signals();
    saturation_table found(plan, directory.path(), options.search);
    {
        const auto take = [&](std::size_t p, const json& row) { found.take(p, row); };
        progress_line line(options.progress);
        if (options.array.on == this_machine)
            run_here(plan, directory, options, take, line);
        else
            run_there(plan, directory, source, options, take, line);
        found.finish();
    }
    if (stop_requested() != 0) {
        if (!options.progress.quiet) show("interrupted; the same command goes on\n");
        return exit_status::interrupted;
    }
    const bool any = found.failed() < plan.points.size();
    if (!options.progress.quiet && any)
        show(saturation_text(directory.path(), plan, options.search, found.rows()));
    if (options.remedy && any) {
        const std::string said = prove_remedies(plan, found.rows(), directory.path(), options.search,
                                                options.store, options.processes);
        if (!options.progress.quiet) show(said);
    }
    int status = found.blocked()       ? exit_status::blocked
                 : found.failed() != 0 ? exit_status::failure
                                       : exit_status::good;
    const std::filesystem::path shown =
        options.no_report || !any ? directory.path() : write_page(directory.path(), status);
    if (!options.progress.quiet) show(shown.string() + "\n");
    return status;
}

}  // namespace

void add_saturate(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("saturate", "Find the highest load that every source sustains");
    auto options = std::make_shared<saturate_options>();
    options->input.add_to(*command);
    axis_options::declare(*command, options->axes, options->zips);
    command->add_option("--tolerance", options->tolerance, "PERCENT",
                        "Width of the bracket at which the search ends, of the load (default: 2%)");
    command->add_count("--runs", options->search.most_runs, 1, 1000,
                       fmt::format("Runs of a combination at most (default: {})", options->search.most_runs));
    command
        ->add_option("--latency-factor", options->search.latency_factor, "X",
                     "Also find the load of so many times the latency without load (default: 2)")
        ->check(number_within(1.05, 100));
    command->add_jobs(options->processes);
    command->add_option(
        "--out", options->out, "DIR",
        "Directory for the results; a search begun there goes on (default: out/NAME, out/NAME-2, ...)");
    command->add_flag("--overwrite", options->overwrite, "Replace an existing result, and begin anew");
    options->store.add_to(*command);
    options->progress.add_to(*command);
    command->add_flag("--remedy", options->remedy,
                      "Change what the reason of congestion names, search again, and tell the gain");
    command->add_flag("--no-report", options->no_report, "Leave out report.html");
    const auto cluster = options->array.add_to(*command, "combinations");
    command->footer(
        "Examples:\n"
        "  sare saturate mesh.yaml --out out/mesh\n"
        "  sare saturate mesh.yaml --axis traffic.pattern=uniform,transpose -j 2\n"
        "A search that was killed, or has not found the load, keeps its runs; the same command\n"
        "with the same --out goes on, and may be given more --runs.");
    command->callback([&chosen, options, cluster] {
        refuse_without_cluster(cluster, options->array.on);
        chosen = [options] { return saturate(*options); };
    });
}

}  // namespace sare::cli
