// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/results/compare.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/run/result_directory.h"
#include "tb/sare/usage.h"
#include "tlm/config/value.h"

#include <fmt/format.h>

namespace sare::cli {
namespace fs = std::filesystem;

namespace {

struct compare_command {
    std::string a, b, baseline;
    std::vector<std::string> more;
    compare_request request;
};

/// Returns the counterpart of a result in a directory of baselines: the one of its name in it, or else the
/// directory, if it is a result itself.
fs::path baseline_of(const fs::path& directory, const fs::path& result) {
    const fs::path plain = (result / "").lexically_normal().parent_path();  // without a slash at its end
    const fs::path named = directory / plain.filename();
    std::error_code ignored;
    if (is_result(named) || fs::is_regular_file(named, ignored)) return named;
    if (is_result(directory) || fs::is_regular_file(directory, ignored)) return directory;
    throw usage_error(fmt::format("compare: {} has no result '{}'; where the new one is good: cp -r {} {}",
                                  directory.string(), plain.filename().string(), result.string(),
                                  directory.string()));
}

int compare_with_baselines(const compare_command& c) {
    std::vector<std::string> all{c.a};
    if (!c.b.empty()) all.push_back(c.b);
    all.insert(all.end(), c.more.begin(), c.more.end());
    std::vector<fs::path> baselines;  // all are looked for before anything is printed
    for (const auto& result : all) baselines.push_back(baseline_of(c.baseline, result));
    std::size_t differ = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const comparison found = c.request.compare(baselines[i], all[i]);
        differ += found.differs ? 1 : 0;
        if (all.size() > 1) show(fmt::format("{}{}\n", i == 0 ? "" : "\n", all[i]));
        show(found.text);
    }
    if (all.size() > 1)
        show(fmt::format("\n{} of {} results differ from {}\n", differ, all.size(), c.baseline));
    return differ == 0 ? exit_status::good : exit_status::failure;
}

int compare_two(const compare_command& c) {
    if (c.b.empty())
        throw usage_error("B is missing; write 'sare compare A B', or 'sare compare --baseline DIR A'");
    if (!c.more.empty())
        throw usage_error(
            fmt::format("'{}' is one argument too many; write 'sare compare A B'", c.more.front()));
    return run_comparison(c.a, c.b, c.request);
}

/// Returns status 1 if the results differ; results that cannot be compared are misuse.
int run_compare(const compare_command& c) {
    try {
        return c.baseline.empty() ? compare_two(c) : compare_with_baselines(c);
    } catch (const config::error& problem) {
        complain(problem.what());
        return exit_status::usage;
    }
}

}  // namespace

comparison compare_request::compare(const fs::path& a, const fs::path& b) const {
    const bool exactly = exact || how.rel > 0 || how.abs > 0 || !how.ignored.empty();
    return exactly ? compare_exactly(a, b, how) : compare_headlines(a, b, how);
}

int run_comparison(const fs::path& a, const fs::path& b, const compare_request& request) {
    const comparison found = request.compare(a, b);
    show(found.text);
    return found.differs ? exit_status::failure : exit_status::good;
}

void compare_request::add_to(command_parser& command) {
    command
        .add_option("--confidence", how.confidence, "X",
                    "That a comparison of equals says 'differs' nowhere (default: 0.95)")
        ->check(number_within(0.5, 0.999999));
    const auto add = [&](command_option* option) { option->group("Exact"); };
    add(command.add_flag("--exact", exact, "Every figure, to the last digit; the three below imply it"));
    add(command
            .add_option("--rel", how.rel, "X",
                        "Relative tolerance of numbers, of the larger one (default: 0)")
            ->check(number_from_0()));
    add(command.add_option("--abs", how.abs, "Y", "Absolute tolerance, added to it (default: 0)")
            ->check(number_from_0()));
    add(command.add_repeated("--ignore", how.ignored, "PATH",
                             "Leave out a figure or all below it; may be given again"));
}

void add_compare(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("compare", "Compare two results; status 1 when they differ");
    auto options = std::make_shared<compare_command>();
    command->add_option("A", options->a, "Directory of a run, of seeds or of a sweep, or a summary.json")
        ->required();
    command->add_option("B", options->b, "What is compared with it");
    command->add_option("MORE", options->more, "With --baseline: more of them");
    command->add_option("--baseline", options->baseline, "DIR",
                        "Compare A, B, ... with the results of their names in DIR, or with the result DIR");
    options->request.add_to(*command);
    command->footer(
        "Examples:\n"
        "  sare compare out/dor out/valiant\n"
        "  sare compare --baseline expected out/mesh out/torus        # of a CI\n"
        "  sare compare out/before out/after --rel 0.03 --ignore config\n"
        "Status 0: the same, or within noise; 1: a figure differs; 2: no comparison.\n"
        "What depends on the wall clock ('run') and the version are never compared.");
    command->callback([&chosen, options] { chosen = [options] { return run_compare(*options); }; });
}

}  // namespace sare::cli
