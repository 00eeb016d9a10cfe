// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/trace/trace_options.h"
#include "tb/sare/usage.h"
#include "traffic/gap/fit.h"
#include "traffic/trace/tools/gaps.h"

#include <fmt/format.h>

/// Finds the law that the times between messages of a recording follow.
namespace sare::cli {
namespace {

struct fit_options : trace_options {
    double cycle_ns = 1, flops_per_second = 1e9;
    std::string out;
};

int fit(const fit_options& options) {
    progress_line line(false);
    const auto reader = options.open();
    traffic::trace_gaps gaps =
        traffic::gaps_of_trace(*reader, options.flops_per_second, show_events(line, "fit"));
    line.erase();
    report_warnings(*reader);
    for (double& g : gaps.seconds) g /= options.cycle_ns * 1e-9;
    const auto fits = traffic::fit_gaps(gaps.seconds);
    if (fits.empty())
        throw config::error(
            fmt::format("{}: {} times between messages in which its task computes, and all alike; no law can "
                        "be fitted to fewer than 2 that differ",
                        options.file, gaps.seconds.size()));
    fmt::print("{} gaps, and {} messages right behind another one\n",
               readable(static_cast<double>(gaps.seconds.size())), readable(static_cast<double>(gaps.none)));
    for (const traffic::fitted_gaps& f : fits)
        fmt::print("  {:12} differs by {:.4f} at most (chance {:.2g})\n               gaps: {}\n", f.name,
                   f.distance, f.chance, f.section);
    if (fits.front().chance < 0.01)
        fmt::print(
            "None of these laws is likely (chance below 0.01): --out FILE writes the gaps as they are.\n");
    if (!options.out.empty()) {
        write_file(options.out, traffic::gap_weights(gaps.seconds));
        fmt::print("gaps: {{name: file, file: {}}}\n", options.out);
    }
    return exit_status::good;
}

}  // namespace

void add_trace_fit(command_parser& trace, action& chosen) {
    auto* command =
        trace.add_subcommand("fit", "Fit a law to the times between messages, for workload renewal");
    auto options = std::make_shared<fit_options>();
    options->add_to(*command);
    command->add_option("--cycle", options->cycle_ns, "NS", "A cycle of the network (default: 1)")
        ->check(number_above_0());
    command
        ->add_option("--flops-per-second", options->flops_per_second,
                     "Of computation in operations (default: 1e9)")
        ->check(number_above_0());
    command->add_option("--out", options->out, "FILE", "Write the gaps as a file of weights, too");
    command->callback([&chosen, options] { chosen = [options] { return fit(*options); }; });
}

}  // namespace sare::cli
