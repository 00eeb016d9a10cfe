// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/record/player_page.h"
#include "tb/sare/results/result_json.h"
#include "tb/sare/run/input.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/run/rtl.h"
#include "tb/sare/usage.h"
#include "tlm/network/simulation.h"

#include <fmt/format.h>

#include <algorithm>

/// Runs an experiment up to the end of a window, and writes a page that plays the window.
namespace sare::cli {
namespace {

constexpr const char* record_file = "record.json";

struct record_options {
    input_options input;
    progress_options progress;
    std::uint64_t from = 0, to = 2000;  ///< cycles [from, to)
    std::string out;
};

/// Returns the experiment with the window as what is observed, and measured.
config::value tree_of(const record_options& options) {
    config::value tree = options.input.tree();
    const auto set = [&](const char* path, const std::string& text) {
        tree.set_path(path, config::value::scalar(text, {"sare record", 0, 0}));
    };
    set("observe.inside.record", "true");
    set("observe.from", std::to_string(options.from));
    set("observe.to", std::to_string(options.to));
    set("measurement.warmup", std::to_string(options.from));
    set("measurement.convergence_count", "0");
    set("measurement.batches", "1");
    set("measurement.batch", std::to_string(options.to - options.from));
    set("measurement.max_cycles", std::to_string(options.to));
    return tree;
}

/// Returns what the page says of the run beside the record.
json about(const record_options& options, const experiment& e, const run_result& result) {
    json all{{"name", options.input.stem()}, {"program", version()}, {"status", to_string(result.status)}};
    if (!result.reason.empty() && result.status != run_status::cycle_limit) all["reason"] = result.reason;
    all["seed"] = e.seed;
    all["traffic"] = to_json(e.traffic);
    return all;
}

int record(const record_options& options) {
    if (options.from >= options.to)
        throw usage_error(fmt::format("record: --to {} must be above --from {}; both are cycles", options.to,
                                      options.from));
    check_no_experiment(options.out);
    const experiment e = experiment::read(tree_of(options), options.input.folder());
    const std::filesystem::path page = options.out.empty() ? options.input.stem() + ".html" : options.out;
    catch_stop_signals();
    progress_line line(options.progress);
    rtl_routers& rtl = make_rtl_routers(e);
    simulation& network = *new simulation(e, rtl.maker());  // never deleted: see leave()
    run_control control;
    control.on_progress = [&line](const progress& p) { line.show(p); };
    control.stop = &stop_requested();
    control.warn = [&line](const std::string& text) {
        line.erase();
        warn(text);
    };
    control.outlives_result = true;
    const run_result result = network.run(e, control);
    line.show("writing the page");
    const auto made = std::find_if(result.files.begin(), result.files.end(),
                                   [](const auto& file) { return file.first == record_file; });
    replace_file(page, [&](std::ostream& to) { write_player(about(options, e, result), made->second, to); });
    line.erase();
    if (!options.progress.quiet)
        show(fmt::format("cycles {} to {}: {} in a browser, {:.1f} MB\n", options.from,
                         std::min(options.to, result.cycles), page.string(),
                         static_cast<double>(std::filesystem::file_size(page)) / 1e6));
    if (result.status == run_status::interrupted) return exit_status::interrupted;
    return exit_status::good;
}

}  // namespace

void add_record(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("record", "Write a page that plays a window of a run, cycle by cycle");
    auto options = std::make_shared<record_options>();
    options->input.add_to(*command);
    constexpr std::uint64_t most = 1'000'000'000'000'000;
    command->add_option("--from", options->from, "CYCLE", "First cycle to be shown (default: 0)")
        ->check(whole_number(0, most));
    command->add_option("--to", options->to, "CYCLE", "Cycle before which the run ends (default: 2000)")
        ->check(whole_number(1, most));
    command->add_option("--out", options->out, "FILE", "The page (default: NAME.html)");
    options->progress.add_to(*command);
    command->footer(
        "Examples:\n"
        "  sare record tb/experiments/inside-torus.yaml --from 200 --to 400\n"
        "  sare record mesh.yaml --set traffic.load=0.45 --to 10000 --out mesh.html");
    command->callback([&chosen, options] { chosen = [options] { return record(*options); }; });
}

}  // namespace sare::cli
