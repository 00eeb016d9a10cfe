// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/run_sweep.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/report.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/sweep/job_pool.h"
#include "tb/sare/sweep/recorded_points.h"
#include "tb/sare/sweep/sweep_schedule.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cli {
namespace {

struct sweep_options {
    input_options input;
    axis_options axes;
    std::uint64_t seeds = 1;
    array_options array;
    sweep_request request;
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
        show(fmt::format("interrupted with {} points to go; the same command goes on with --out {}\n",
                         points.left(), points.directory().path().string()));
    else if (points.left() != 0)
        show(fmt::format("{} points to go; the same command looks for them\n", points.left()));
}

std::unique_ptr<sweep_backend> make_place(const sweep_request& request,
                                          std::unique_ptr<batch_scheduler> scheduler, sweep_points& points,
                                          progress_line& line) {
    if (!scheduler) return std::make_unique<sweep_schedule>(points, request.processes);
    cluster_options cluster = request.cluster;
    cluster.scheduler = request.on;
    cluster.jobs.processes = request.processes;
    for (const sweep_point& p : points.plan().points)
        cluster.jobs.threads = std::max<std::size_t>(cluster.jobs.threads, p.what.threads);
    return std::make_unique<cluster_backend>(request.source, points, std::move(scheduler), cluster,
                                             [&](const std::string& text) {
                                                 line.erase();
                                                 if (!request.progress.quiet) show(text + "\n");
                                             });
}

/// Writes a page for each point that has none; says what prevents the first.
void write_point_reports(const sweep_points& points, std::size_t processes, progress_line& line) {
    std::vector<std::filesystem::path> places;
    std::error_code ignored;
    for (std::size_t p = 0; p < points.size(); ++p)
        if (const auto place = points.directory().point_path(p);
            points[p] == point_state::done && !std::filesystem::exists(place / "report.html", ignored))
            places.push_back(place);
    std::string problem;
    std::size_t written = 0;
    job_pool(places.size(), processes)
        .run([&](std::size_t k, const std::function<void(double)>&) { return json(write_report(places[k])); },
             [&](std::size_t, const json& said, const std::string& died) {
                 ++written;
                 if (problem.empty()) problem = died.empty() ? said.get<std::string>() : died;
             },
             [&](double done) {
                 line.show(fmt::format("{} of {} pages of points", written, places.size()), done);
             });
    line.erase();
    if (!problem.empty()) warn("a point has no report.html: " + problem);
}

/// Returns the page, or the directory where there is none. No place for it is a failure.
std::filesystem::path make_reports(const sweep_request& request, const sweep_points& points, int& status) {
    const std::filesystem::path directory = points.directory().path();
    if (request.no_report || status == exit_status::interrupted || points.left() != 0) return directory;
    progress_line line(request.progress);
    if (request.point_reports) write_point_reports(points, request.processes, line);
    if (points.finished() == 0 && points.failed() == 0) return directory;
    return write_page(directory, status);
}

/// Returns what the command line asks for.
sweep_request request_of(const sweep_options& options) {
    sweep_request r = options.request;
    r.on = options.array.on;
    r.cluster.jobs = options.array.jobs;
    r.cluster.poll = options.array.poll;
    r.source = options.axes.source_over(options.input);
    if (r.source.axes.empty() && r.source.cases.empty() && options.seeds < 2)
        throw usage_error("--axis PATH=A,B,C is missing; write 'sare sweep FILE --axis PATH=A,B,C'");
    if (r.out.empty() && r.cluster.detach)
        throw usage_error("--detach needs --out DIR, where the same command looks for the results");
    if (r.out.empty()) r.out = free_name("out/" + options.input.stem());
    add_seeds(r.source, options.seeds);
    return r;
}

}  // namespace

void add_seeds(sweep_source& source, std::uint64_t count) {
    if (count < 2) return;
    for (const std::string& axis : source.axes)
        if (axis.rfind("seed=", 0) == 0)
            throw usage_error("--seeds and --axis seed are not possible together; give one of them");
    source.known = std::make_shared<const experiment>(experiment::read(source.tree, source.folder));
    source.axes.push_back(axis_of_seeds(source.known->seed, count));
}

int run_sweep(const sweep_request& request) {
    const sweep_plan plan = make_plan(request.source);
    std::unique_ptr<batch_scheduler> scheduler;  // asked before anything is written
    if (request.on != this_machine) scheduler = make_scheduler(request.on);
    sweep_directory directory(request.out, plan);
    if (!scheduler) refuse_jobs_at_work(directory.path());
    catch_stop_signals();
    recorded_points recorded(request.store, directory, plan);
    sweep_points points(plan, directory, nullptr, &recorded);
    {
        progress_line line(request.progress);
        const auto place = make_place(request, std::move(scheduler), points, line);
        place->run([&] { line.show(progress_text(points, *place, line.elapsed()), place->fraction()); });
    }
    int status = status_of(points);
    recorded.end(status, points);
    if (!request.progress.quiet) print_table(points, status);
    const std::filesystem::path shown = make_reports(request, points, status);
    if (!request.progress.quiet) show(shown.string() + "\n");
    return status;
}

namespace {

/// Adds options, and returns those that make no sense without a cluster.
std::vector<const command_option*> add_cluster_options(command_parser& command, sweep_options& options) {
    std::vector<const command_option*> all = options.array.add_to(command, "points");
    cluster_options& c = options.request.cluster;
    all.push_back(command
                      .add_option("--points-per-job", c.points_per_job, "N",
                                  "Points that a job runs (default: so many that there are 200 jobs at most)")
                      ->group("On a cluster")
                      ->check(whole_number(1, 100000)));
    all.push_back(
        command.add_flag("--detach", c.detach, "Submit and return; the same command looks for the results")
            ->group("On a cluster"));
    return all;
}

}  // namespace

void add_sweep(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("sweep", "Run an experiment at every combination of some parameters");
    auto options = std::make_shared<sweep_options>();
    options->input.add_to(*command);
    options->axes.add_to(*command);
    command->add_count(
        "--seeds", options->seeds, 1, 10000,
        "Every point with so many seeds, and means over them with their confidence (default: 1)");
    command->add_jobs(options->request.processes);
    command->add_option(
        "--out", options->request.out, "DIR",
        "Directory for the results; a sweep begun there goes on (default: out/NAME, out/NAME-2, ...)");
    options->request.store.add_to(*command);
    options->request.progress.add_to(*command);
    command->add_flag("--no-report", options->request.no_report, "Leave out report.html");
    command->add_flag("--reports", options->request.point_reports,
                      "Write report.html of each point, too: seconds for each");
    const auto cluster = add_cluster_options(*command, *options);
    command->footer(
        "Examples:\n"
        "  sare sweep mesh.yaml --axis traffic.load=0.05:0.5:0.05 -j 2 --out out/mesh\n"
        "  sare sweep mesh.yaml --axis router.vcs=1,2 --axis router.depth=8,4 --zip\n"
        "                       --seeds 5 --out out/same-buffers\n"
        "  sare sweep mesh.yaml --axis 'network.dims=[4,4],[8,8]' --out out/sizes\n"
        "Along traffic.load a curve ends two points past saturation. Points that differ\n"
        "only in traffic, measurement or seed share one elaborated network. A sweep that\n"
        "was killed keeps its points; the same command goes on.");
    command->callback([&chosen, options, cluster] {
        refuse_without_cluster(cluster, options->array.on);
        chosen = [options] { return run_sweep(request_of(*options)); };
    });
}

}  // namespace sare::cli
