// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/results/report.h"
#include "tb/sare/usage.h"
#include "tlm/config/value.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Draws figures for papers, by scripts/plot.
namespace sare::cli {
namespace {

struct plot_options {
    std::vector<std::string> directories;
    /// Options that were given; the script's options have the same names.
    std::vector<std::pair<std::string, std::string>> single;
    std::vector<std::string> where, labels;

    std::vector<std::string> line() const {
        std::vector<std::string> all;
        for (const auto& [name, value] : single)
            if (!value.empty()) all.push_back(name + "=" + value);
        for (const std::string& one : where) all.push_back("--where=" + one);
        for (const std::string& one : labels) all.push_back("--label=" + one);
        all.emplace_back("--");
        all.insert(all.end(), directories.begin(), directories.end());
        return all;
    }
};

int plot(const plot_options& options) {
    const script_result done = call_script("plot", options.line());
    if (!done.problem.empty()) throw config::error(done.problem);
    show(done.out);
    return exit_status::good;
}

}  // namespace

void add_plot(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("plot", "Draw sweeps as a figure for a paper, or as a table of LaTeX");
    auto options = std::make_shared<plot_options>();
    options->single.reserve(16);  // options hold references
    command->add_option("DIR", options->directories, "Directories written by 'sare sweep' or 'sare saturate'")
        ->required();
    const auto add = [&](const char* name, const char* type, const char* sentence) {
        options->single.emplace_back(name, "");
        return command->add_option(name, options->single.back().second, type, sentence);
    };
    add("--x", "COLUMN", "Along x (default: the load, or the first axis that is a number)");
    add("--y", "COLUMN", "Upwards (default: latency_mean)");
    add("--group", "PATH,PATH", "A curve for each of their values (default: all axes that are left)");
    command->add_repeated("--where", options->where, "PATH=VALUE",
                          "Only the points with this value; may be given again");
    command->add_repeated("--label", options->labels, "TEXT",
                          "What the curves of a DIR are called; one for each DIR");
    add("--x-label", "TEXT", "Beside the axis, instead of the column's name and unit");
    add("--y-label", "TEXT", "Likewise");
    add("--y-max", "NUMBER", "Where the axis ends")->check(number_above_0());
    add("--out", "FILE", "The figure: .pdf, .svg, .png or .pgf (default: plot.pdf); the table: .tex");
    add("--format", "FORMAT", "What it is, where --out is left out")
        ->check(one_of({"pdf", "svg", "png", "pgf"}));
    add("--style", "STYLE", "Fonts, sizes and width of a column: ieee, acm, slides, or plain (default)")
        ->check(one_of({"ieee", "acm", "slides", "plain"}));
    add("--width", "LENGTH", "Such as 3.3in, 8.4cm, 84mm or 240pt (default: a column of the style)");
    add("--height", "LENGTH", "Likewise (default: that of the golden ratio, and room for the legend)");
    add("--table", "tex", "The same figures as a table, printed or written to --out")->check(one_of({"tex"}));
    command->footer(
        "Examples:\n"
        "  sare plot out/loads --out latency.pdf --style ieee\n"
        "  sare plot out/mesh out/torus --label mesh --label torus --y-max 80\n"
        "  sare plot out/loads --y accepted --table tex");
    command->callback([&chosen, options] { chosen = [options] { return plot(*options); }; });
}

}  // namespace sare::cli
