// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/cluster_backend.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/report.h"
#include "tb/sare/sweep/sweep_schedule.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace sare::cli {
namespace {

constexpr const char* here = "local";

struct sweep_options {
    input_options input;
    std::vector<std::string> axes;
    std::string out, on = here;
    std::size_t processes = 1;
    cluster_options cluster;
    bool quiet = false, no_report = false;
};

std::string progress_text(const sweep_points& p, const sweep_backend& place, double elapsed) {
    const double fraction = place.fraction();
    std::string text = fmt::format("{} of {} points done, {}", p.finished(),
                                   p.finished() + p.failed() + p.left(), place.activity());
    if (p.failed() != 0) text += fmt::format(", {} failed", p.failed());
    if (fraction > 0.01) text += fmt::format("  {} left", duration(elapsed * (1 - fraction) / fraction));
    return text;
}

int status_of(const sweep_points& points) {
    if (stop_requested() != 0) return exit_status::interrupted;
    if (points.failed() != 0) return exit_status::failure;
    const auto& all = points.directory().status();
    const auto any = [&](const char* status) {
        return std::find(all.begin(), all.end(), status) != all.end();
    };
    if (any("failed")) return exit_status::failure;
    return any("deadlock") || any("stuck") ? exit_status::blocked : exit_status::good;
}

void print_table(const sweep_points& points, int status) {
    if (points.finished() != 0) show(points.directory().text());
    if (points.kept() != 0) show(fmt::format("{} points were there already\n", points.kept()));
    if (status == exit_status::interrupted)
        show(fmt::format("interrupted with {} points to go; the same command goes on\n", points.left()));
    else if (points.left() != 0)
        show(fmt::format("{} points to go; the same command looks for them\n", points.left()));
}

std::unique_ptr<sweep_backend> make_place(const sweep_options& options,
                                          std::unique_ptr<batch_scheduler> scheduler,
                                          const sweep_source& source, sweep_points& points,
                                          progress_line& line) {
    if (!scheduler) return std::make_unique<sweep_schedule>(points, options.processes);
    cluster_options cluster = options.cluster;
    cluster.scheduler = options.on;
    cluster.jobs.processes = options.processes;
    for (const sweep_point& p : points.plan().points)
        cluster.jobs.threads = std::max<std::size_t>(cluster.jobs.threads, p.what.threads);
    return std::make_unique<cluster_backend>(source, points, std::move(scheduler), cluster,
                                             [&](const std::string& text) {
                                                 line.erase();
                                                 if (!options.quiet) show(text + "\n");
                                             });
}

int sweep(const sweep_options& options) {
    const sweep_source source{options.input.file, options.input.folder(), options.input.tree(), options.axes};
    const sweep_plan plan = make_plan(source);
    std::unique_ptr<batch_scheduler> scheduler;  // asked before anything is written
    if (options.on != here) scheduler = make_scheduler(options.on);
    sweep_directory directory(options.out, plan);
    if (!scheduler) refuse_jobs_at_work(directory.path());
    catch_stop_signals();
    sweep_points points(plan, directory);
    {
        progress_line line(options.quiet);
        const auto place = make_place(options, std::move(scheduler), source, points, line);
        place->run([&] { line.show(progress_text(points, *place, line.elapsed())); });
    }
    const int status = status_of(points);
    if (!options.quiet) print_table(points, status);
    std::string page;
    if (!options.no_report && status != exit_status::interrupted && points.finished() != 0 &&
        points.left() == 0) {
        const std::string problem = write_report(directory.path());
        if (problem.empty())
            page = "report.html";
        else
            warn("no report.html: " + problem);
    }
    if (!options.quiet) show((page.empty() ? directory.path() : directory.path() / page).string() + "\n");
    return status;
}

/// Answers those that make no sense without a cluster.
std::vector<const CLI::Option*> add_cluster_options(CLI::App& command, sweep_options& options) {
    std::vector<std::string> places = scheduler_names();
    places.insert(places.begin(), here);
    command.add_option("--on", options.on, "Where points run: local (default), or as jobs of slurm")
        ->type_name("PLACE")
        ->check(one_of(places));
    cluster_options& c = options.cluster;
    std::vector<const CLI::Option*> all;
    const auto add = [&](const char* name, auto& value, const char* type, const char* sentence) {
        CLI::Option* option =
            command.add_option(name, value, sentence)->type_name(type)->group("On a cluster");
        all.push_back(option);
        return option;
    };
    add("--partition", c.jobs.partition, "NAME", "Partition of the jobs");
    add("--time", c.jobs.time, "TIME", "Limit of time of a job, as the scheduler writes it (2:00:00)");
    add("--account", c.jobs.account, "NAME", "Account that the jobs are charged to");
    add("--submit-option", c.jobs.more, "OPTION",
        "Option of sbatch, passed on as it is (--submit-option=--mem=4G); may be given again")
        ->allow_extra_args(false)
        ->check([](const std::string& word) {
            return word.rfind('-', 0) == 0
                       ? ""
                       : "must be an option, such as --submit-option=--mem=4G, not '" + word + "'";
        });
    add("--points-per-job", c.points_per_job, "N",
        "Points that a job runs (default: so many that there are 200 jobs at most)")
        ->check(whole_number(1, 100000));
    add("--at-once", c.jobs.at_once, "N",
        "Jobs that run at the same time (default: as many as there is room for)")
        ->check(whole_number(1, 100000));
    add("--poll", c.poll, "SECONDS", "Between two questions to the scheduler, at most (default: 10)")
        ->check(number_within(0.2, 3600));
    all.push_back(
        command.add_flag("--detach", c.detach, "Submit and return; the same command looks for the results")
            ->group("On a cluster"));
    return all;
}

}  // namespace

void add_sweep(CLI::App& app, action& chosen) {
    auto* command = app.add_subcommand("sweep", "Run an experiment at every combination of some parameters");
    auto options = std::make_shared<sweep_options>();
    options->input.add_to(*command);
    command->add_option("--axis", options->axes, "A parameter and its values, in YAML; may be given again")
        ->type_name("PATH=A,B,C")
        ->allow_extra_args(false)
        ->required();
    command
        ->add_option("-j,--jobs", options->processes,
                     "Processes at work, in each job where they run on a cluster (default: 1)")
        ->type_name("N")
        ->check(whole_number(1, 4096));
    command->add_option("--out", options->out, "Directory for the results; a sweep begun there goes on")
        ->type_name("DIR")
        ->required();
    command->add_flag("--quiet", options->quiet, "Print nothing but errors");
    command->add_flag("--no-report", options->no_report, "Leave out report.html");
    const auto cluster = add_cluster_options(*command, *options);
    command->footer(
        "Examples:\n"
        "  sare sweep mesh.yaml --axis traffic.load=0.1,0.2,0.3 -j 2 --out out/mesh\n"
        "  sare sweep mesh.yaml --axis 'network.dims=[4,4],[8,8]' --out out/sizes\n"
        "Along traffic.load a curve ends two points past saturation. Points that differ\n"
        "only in traffic, measurement or seed share one elaborated network. A sweep that\n"
        "was killed keeps its points; the same command goes on.");
    command->callback([&chosen, options, cluster] {
        for (const CLI::Option* option : cluster)
            if (options->on == here && option->count() != 0)
                throw usage_error(
                    fmt::format("{} is of jobs on a cluster; add --on slurm", option->get_name()));
        chosen = [options] { return sweep(*options); };
    });
}

}  // namespace sare::cli
