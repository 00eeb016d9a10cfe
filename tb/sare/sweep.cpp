// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/commands.h"
#include "tb/sare/process.h"
#include "tb/sare/progress_line.h"
#include "tb/sare/report.h"
#include "tb/sare/sweep_schedule.h"
#include "tb/sare/terminal.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace sare::cli {
namespace {

struct sweep_options {
    input_options input;
    std::vector<std::string> axes;
    std::string out;
    std::size_t jobs = 1;
    bool quiet = false, no_report = false;
};

std::string progress_text(const sweep_schedule& s, double elapsed) {
    const double fraction = s.fraction();
    std::string text = fmt::format("{} of {} points done, {} running", s.finished(),
                                   s.finished() + s.failed() + s.left(), s.running());
    if (s.failed() != 0) text += fmt::format(", {} failed", s.failed());
    if (fraction > 0.01) text += fmt::format("  {} left", duration(elapsed * (1 - fraction) / fraction));
    return text;
}

int status_of(const sweep_schedule& schedule, const sweep_directory& directory) {
    if (stop_requested() != 0) return exit_status::interrupted;
    if (schedule.failed() != 0) return exit_status::failure;
    const auto& all = directory.status();
    const auto any = [&](const char* status) {
        return std::find(all.begin(), all.end(), status) != all.end();
    };
    if (any("failed")) return exit_status::failure;
    return any("deadlock") || any("stuck") ? exit_status::blocked : exit_status::good;
}

int sweep(const sweep_options& options) {
    const sweep_plan plan = make_plan(options.input, options.axes);
    sweep_directory directory(options.out, plan);
    catch_stop_signals();
    sweep_schedule schedule(plan, directory, options.jobs);
    {
        progress_line line(options.quiet);
        schedule.run([&] { line.show(progress_text(schedule, line.elapsed())); });
    }
    const int status = status_of(schedule, directory);
    if (!options.quiet) {
        fmt::print("{}", directory.text());
        if (schedule.kept() != 0) fmt::print("{} points were there already\n", schedule.kept());
        if (status == exit_status::interrupted)
            fmt::print("interrupted with {} points to go; the same command goes on\n", schedule.left());
        std::fflush(stdout);
    }
    std::string page;
    if (!options.no_report && status != exit_status::interrupted && schedule.finished() != 0) {
        const std::string problem = write_report(directory.path());
        if (problem.empty())
            page = "report.html";
        else
            warn("no report.html: " + problem);
    }
    if (!options.quiet)
        fmt::print("{}\n", page.empty() ? directory.path().string() : (directory.path() / page).string());
    return status;
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
    command->add_option("-j,--jobs", options->jobs, "Processes at work (default: 1)")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command->add_option("--out", options->out, "Directory for the results; a sweep begun there goes on")
        ->type_name("DIR")
        ->required();
    command->add_flag("--quiet", options->quiet, "Print nothing but errors");
    command->add_flag("--no-report", options->no_report, "Leave out report.html");
    command->footer(
        "Examples:\n"
        "  sare sweep mesh.yaml --axis traffic.load=0.1,0.2,0.3 -j 2 --out out/mesh\n"
        "  sare sweep mesh.yaml --axis 'network.dims=[4,4],[8,8]' --out out/sizes\n"
        "Along traffic.load a curve ends two points past saturation. Points that differ\n"
        "only in traffic, measurement or seed share one elaborated network. A sweep that\n"
        "was killed keeps its points; the same command goes on.");
    command->callback([&chosen, options] { chosen = [options] { return sweep(*options); }; });
}

}  // namespace sare::cli
