// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/results/report.h"
#include "tb/sare/results/result_files.h"
#include "tb/sare/results/result_set.h"
#include "tb/sare/results/summary_text.h"
#include "tb/sare/run/baseline.h"
#include "tb/sare/run/checkpoints.h"
#include "tb/sare/run/idle_settings.h"
#include "tb/sare/run/input.h"
#include "tb/sare/run/processes.h"
#include "tb/sare/run/remedy.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/run/rtl.h"
#include "tb/sare/runs/run_recorder.h"
#include "tb/sare/sweep/run_sweep.h"
#include "tb/sare/usage.h"
#include "tlm/network/simulation.h"

#include <fmt/format.h>

#include <cstdio>

namespace sare::cli {
namespace {

struct run_options {
    input_options input;
    checkpoint_options checkpoints;
    std::string out;
    std::vector<std::string> baselines;
    std::size_t jobs = 1;
    std::uint64_t seeds = 1;
    store_options store;
    progress_options progress;
    std::string compress;
    bool no_report = false, force = false, overwrite = false, all_threads = false, remedy = false;
};

int status_of(run_status s) {
    switch (s) {
        case run_status::deadlock:
        case run_status::stuck:
            return exit_status::blocked;
        case run_status::failed:
            return exit_status::failure;
        case run_status::interrupted:
            return exit_status::interrupted;
        default:
            return exit_status::good;
    }
}

std::filesystem::path place_of(const run_options& options) {
    if (!options.checkpoints.resume.empty()) return options.checkpoints.resume;
    return options.out.empty() ? free_name("out/" + options.input.stem())
                               : std::filesystem::path(options.out);
}

void check(const run_options& options) {
    const bool resumes = !options.checkpoints.resume.empty();
    if (options.input.file.empty() && !resumes)
        throw usage_error("run: FILE is missing, the experiment in YAML; or --resume DIR");
    if (resumes && !options.out.empty())
        throw usage_error("run: --resume DIR writes its results to DIR; leave out --out");
    options.checkpoints.rule();
}

config::value tree_of(const run_options& options) {
    config::value tree = options.input.tree();
    if (options.force) tree.set_path("checks.force", config::value::scalar("true", {"--force", 0, 0}));
    return tree;
}

experiment read(const run_options& options, const run_checkpoints& checkpoints) {
    experiment e = options.input.file.empty() ? checkpoints.resumed(options.input)
                                              : experiment::read(tree_of(options), options.input.folder());
    e.all_threads = options.all_threads;
    return e;
}

/// Writes the page. The script reads all tables while the network is still in memory: for a million routers
/// it would take 2.5 GB more. Returns false if there was no place for the page.
bool report(const result_directory& directory, const run_result& result) {
    constexpr std::size_t most_links = 1'000'000;
    if (result.link_loads.size() > most_links) {
        warn(
            fmt::format("no report.html: the page would take gigabytes for {} links; sare report {} makes it",
                        result.link_loads.size(), directory.final_path().string()));
        return true;
    }
    std::string problem = write_report(directory.path());
    if (problem.empty()) return true;
    const std::string partial = directory.path().string();
    if (const auto at = problem.find(partial); at != std::string::npos)
        problem.replace(at, partial.size(), directory.final_path().string());
    return !warn_of_no_page(problem);
}

run_control control_of(progress_line& line, stage_line& stage, const result_directory& directory) {
    run_control c;
    c.on_progress = [&line, &stage](const progress& p) {
        stage.begin("");  // of what came before the run
        line.show(p);
    };
    c.stop = &stop_requested();
    c.folder = directory.path().string();
    c.warn = [&line, &stage](const std::string& text) {
        stage.begin("");
        line.erase();
        warn(text);
    };
    c.show = [&line](const std::string& text) { line.show(text); };
    c.outlives_result = true;
    return c;
}

/// Returns where model and RTL differ; with several processes all must call it, and the first one is told.
std::string difference_of(rtl_routers& rtl, world* processes) {
    const std::string here = rtl.first_difference();
    return processes == nullptr ? here : processes->first_said(here);
}

/// Runs a process other than the first, which writes the results.
int run_beside(const run_options& options, world& processes) {
    run_checkpoints checkpoints(options.checkpoints, place_of(options), &processes);
    const experiment e = read(options, checkpoints);
    checkpoints.check_same(e);
    catch_stop_signals();
    progress_line line(true);
    rtl_routers& rtl = make_rtl_routers(e);
    simulation& network = *new simulation(e, rtl.maker(), &processes);
    run_control control;
    control.stop = &stop_requested();
    control.outlives_result = true;
    checkpoints.tell(control, e, line);
    const run_status status = network.run(e, control).status;
    difference_of(rtl, &processes);
    checkpoints.settle(status);
    return status_of(status);
}

/// A run that the store has: its results are copied to where they are asked for. False: it has none. What is
/// not in the configuration, or of several processes, is run.
bool is_known(const run_options& options, const experiment& e, run_recorder& recorder,
              result_directory& directory) {
    const checkpoint_options& c = options.checkpoints;
    if (!options.baselines.empty() || !options.compress.empty() || !c.every.empty() || !c.resume.empty())
        return false;
    const std::filesystem::path known = recorder.known(e);
    if (known.empty()) return false;
    copy_results(known, directory.path());
    directory.commit();
    recorder.add(e, options.input.stem(), directory.final_path());
    if (!options.progress.quiet)
        show(fmt::format("not run again: the store has it, with its results in {}; --again runs it\n{}\n",
                         known.string(), directory.final_path().string()));
    return true;
}

/// Returns the exit status for the end of the run in summary.json.
int status_in(const std::filesystem::path& directory) {
    return exit_status::of_run(read_summary(directory / "summary.json").value("status", ""));
}

void check_processes(const run_options& options) {
    if (options.seeds > 1)
        throw usage_error(
            "run: --seeds is for one process, and this is one of several of an mpirun; without mpirun, -j N "
            "runs N seeds at a time");
    if (!options.baselines.empty())
        throw usage_error(
            "run: --baseline is for one process, which it forks for each application, and this is one of "
            "several of an mpirun; with --set traffic.only=NAME each has a run by itself");
}

int run_first(const run_options& options, world* processes) {
    const std::filesystem::path place = place_of(options);
    const bool resumes = !options.checkpoints.resume.empty();
    run_checkpoints checkpoints(options.checkpoints, place, processes);
    const experiment e = read(options, checkpoints);
    checkpoints.check_same(e);
    catch_stop_signals();
    run_recorder recorder(options.store);
    result_directory directory(place, options.overwrite || resumes ? result_directory::existing::replace
                                                                   : result_directory::existing::refuse);
    checkpoints.make_way(options.overwrite);
    if (processes == nullptr && is_known(options, e, recorder, directory))
        return status_in(directory.final_path());
    progress_line line(options.progress);
    rtl_routers& rtl = make_rtl_routers(e);
    // Never deleted: see leave().
    simulation& network = *new simulation(e, rtl.maker(), processes);
    if (const std::string too_much = impossible_load(e, network.map()); !too_much.empty()) warn(too_much);
    for (const std::string& text : idle_settings(e)) warn(text);
    baseline_runs baselines(e, options.baselines);
    baselines.run(network, directory.path(), options.jobs, line);
    stage_line stage(options.progress);
    stage.begin("connecting the network");
    run_control control = control_of(line, stage, directory);
    checkpoints.tell(control, e, line);
    run_result result = network.run(e, control);
    stage.begin("");
    for (const std::string& text : late_settings(e, result)) warn(text);
    const std::string difference = difference_of(rtl, processes);
    baselines.compare(result);
    line.erase();
    write_result(directory.path(), e, result, options.compress);
    if (!options.progress.quiet) show(summary_text(e, result));
    const bool all_written = options.no_report || report(directory, result);
    directory.commit();
    if (difference.empty()) recorder.add(e, options.input.stem(), directory.final_path());
    const std::string to_go_on = checkpoints.settle(result.status);
    const bool page = std::filesystem::exists(directory.final_path() / "report.html");
    if (!options.progress.quiet)
        show((page ? directory.final_path() / "report.html" : directory.final_path()).string() + "\n");
    if (!options.progress.quiet && !to_go_on.empty()) show("to go on: " + to_go_on + "\n");
    if (!difference.empty()) {
        complain(difference);
        return exit_status::failure;
    }
    const int status = status_of(result.status);
    if (status == exit_status::blocked || status == exit_status::failure)
        complain(fmt::format("{}: {}", to_string(result.status), result.reason));
    return status == exit_status::good && !all_written ? exit_status::failure : status;
}

/// Runs a sweep whose only axis is the seed.
int run_seeds(const run_options& options) {
    const std::pair<bool, const char*> others[] = {{!options.checkpoints.resume.empty(), "--resume"},
                                                   {!options.checkpoints.every.empty(), "--checkpoint"},
                                                   {options.overwrite, "--overwrite"},
                                                   {!options.baselines.empty(), "--baseline"},
                                                   {!options.compress.empty(), "--compress"}};
    for (const auto& [given, name] : others)
        if (given)
            throw usage_error(fmt::format(
                "run: --seeds is a sweep, which knows no {}; leave it out: the same command goes on", name));
    sweep_request request;
    request.source = {options.input.file, options.input.folder(), tree_of(options), {}, {}, {}};
    add_seeds(request.source, options.seeds);
    request.out = place_of(options).string();
    request.processes = options.jobs;
    request.progress = options.progress;
    request.store = options.store;
    request.no_report = options.no_report;
    return run_sweep(request);
}

int run_and_remedy(run_options options) {
    const std::pair<bool, const char*> others[] = {{!options.checkpoints.resume.empty(), "--resume"},
                                                   {!options.checkpoints.every.empty(), "--checkpoint"},
                                                   {options.seeds > 1, "--seeds"}};
    for (const auto& [given, name] : others)
        if (given)
            throw usage_error(
                fmt::format("run: --remedy makes a run and one with a change; leave out {}", name));
    options.out = place_of(options).string();
    const experiment e = experiment::read(tree_of(options), options.input.folder());
    return run_with_remedy(e, options.out, options.progress.quiet,
                           [&options] { return run_first(options, nullptr); });
}

/// Runs; an error in all processes is printed once.
int run(const run_options& options) {
    check(options);
    const std::unique_ptr<world> processes = join_processes();
    if (options.remedy && processes)
        throw usage_error("run: --remedy is for one process, and this is one of several of an mpirun");
    if (options.remedy) return run_and_remedy(options);
    if (!processes) return options.seeds > 1 ? run_seeds(options) : run_first(options, nullptr);
    const bool first = processes->rank() == 0;
    try {
        check_processes(options);
        return first ? run_first(options, processes.get()) : run_beside(options, *processes);
    } catch (const std::exception&) {
        // The end of one that fails ends the others: none before it is said.
        const bool all = processes->did_all_fail();
        int status = exit_status::failure;
        if (first || !all)
            status =
                guarded(first ? "" : fmt::format("process {}", processes->rank()), []() -> int { throw; });
        return all ? static_cast<int>(processes->of_first(static_cast<std::uint64_t>(status))) : status;
    }
}

}  // namespace

void add_run(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("run", "Run an experiment and write its results");
    auto options = std::make_shared<run_options>();
    options->input.add_to(*command);
    command->get_option("FILE")->required(false);  // --resume needs none
    options->checkpoints.add_to(*command);
    command->add_option("--out", options->out, "DIR",
                        "Directory for the results (default: out/NAME, out/NAME-2, ...)");
    command
        ->add_option("--baseline", options->baselines, "KIND",
                     "Applications: run each of them by itself too, on this network (alone) or on an ideal "
                     "one (crossbar), and tell how much slower it is here; may be given again")
        ->check(one_of({"alone", "crossbar"}))
        ->allow_extra_args(false);
    command->add_count("--seeds", options->seeds, 1, 10000,
                       "Run so many seeds, from that of the experiment on, and give means with their "
                       "confidence: a sweep along the seed (default: 1)");
    command->add_jobs(options->jobs, "Processes for baselines and seeds (default: 1)");
    command->add_flag("--overwrite", options->overwrite,
                      "Replace an existing result when the new one is complete");
    command
        ->add_option("--compress", options->compress, "KIND",
                     "Write the tables of statistics compressed: gz, xz or zst, for large networks")
        ->check(one_of({"gz", "xz", "zst"}));
    command->add_flag("--remedy", options->remedy,
                      "Change what the reason of congestion names, run again, and tell the gain");
    options->store.add_to(*command);
    options->progress.add_to(*command);
    command->add_flag("--no-report", options->no_report, "Leave out report.html");
    command
        ->add_flag("--all-threads", options->all_threads,
                   "As many threads as asked for in every cycle, however small the network and the machine")
        ->group("");  // not listed: it makes runs slower, and tests sharper
    command->add_flag("--force", options->force, "Run although the static check finds a deadlock");
    command->footer(
        "Examples:\n"
        "  sare run tb/experiments/mesh8x8-sweep.yaml --set traffic.load=0.3\n"
        "  sare run torus.yaml --set traffic.pattern=tornado --seed 3 --out out/tornado\n"
        "  sare run cg.yaml --set observe.timeline=true --set observe.critical_path=true\n"
        "  sare run tb/experiments/shared-torus.yaml --baseline alone -j 2\n"
        "  sare run long.yaml --out out/long --checkpoint 10min\n"
        "                                           # and after whatever has ended it:\n"
        "  sare run --resume out/long --checkpoint 10min\n"
        "Ctrl-C ends the run and writes what it has measured; one 2 s later kills it.");
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace sare::cli
