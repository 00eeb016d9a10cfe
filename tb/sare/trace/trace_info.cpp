// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/report.h"
#include "tb/sare/results/result_json.h"
#include "tb/sare/trace/trace_options.h"
#include "tb/sare/usage.h"
#include "traffic/trace/tools/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

/// Shows what is in a trace, as numbers and as pictures.
namespace sare::cli {
namespace {

using traffic::trace_info;

std::uint64_t total(const trace_info& info) {
    return std::accumulate(info.events.begin(), info.events.end(), std::uint64_t{0});
}

/// Returns bytes from row to column, at most `most` of each: neighbouring tasks share a cell.
std::vector<std::vector<double>> grid(const trace_info& info, std::size_t most) {
    const std::size_t group = (info.tasks + most - 1) / most, cells = (info.tasks + group - 1) / group;
    std::vector<std::vector<double>> sums(cells, std::vector<double>(cells));
    for (const auto& [pair, flow] : info.matrix)
        sums[pair.first / group][pair.second / group] += static_cast<double>(flow.bytes);
    return sums;
}

/// Returns a picture: a row for each source, a column for each destination, darker where more was sent.
std::string matrix_picture(const trace_info& info) {
    static constexpr const char* shades[] = {"··", "░░", "▒▒", "▓▓", "██"};
    constexpr std::size_t most_rows = 32, margin = 12;
    const auto cells = grid(info, std::min(most_rows, (terminal_width() - margin) / 2));
    const std::size_t group = (info.tasks + cells.size() - 1) / cells.size();
    double most = 1;
    for (const auto& row : cells) most = std::max(most, *std::max_element(row.begin(), row.end()));
    std::string out = fmt::format("bytes from task (row) to task (column){}; darkest: {}\n",
                                  group > 1 ? fmt::format(", {} tasks a cell", group) : "", readable(most));
    for (std::size_t r = 0; r < cells.size(); ++r) {
        out += right_aligned(std::to_string(r * group), margin - 4) + "  ";
        for (const double x : cells[r])
            out += shades[x <= 0 ? 0 : std::min<std::size_t>(4, 1 + static_cast<std::size_t>(4 * x / most))];
        out += "\n";
    }
    return out;
}

/// Returns one line of bars, from the slices of time.
std::string bars(const std::vector<double>& slices, std::size_t columns) {
    static constexpr const char* heights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::size_t each = (slices.size() + columns - 1) / columns;
    std::vector<double> sums((slices.size() + each - 1) / each);
    for (std::size_t i = 0; i < slices.size(); ++i) sums[i / each] += slices[i];
    const double most = *std::max_element(sums.begin(), sums.end());
    std::string out;
    for (const double x : sums)
        out += heights[x <= 0 ? 0 : std::min<std::size_t>(8, 1 + static_cast<std::size_t>(8 * x / most))];
    return out;
}

std::string time_picture(const trace_info& info) {
    const auto& slices = info.when.slices();
    constexpr std::size_t margin = 14;
    const std::size_t columns = terminal_width() - margin;
    std::string out = fmt::format("along the computation of a task, {} in all\n", duration(info.longest));
    const auto line = [&](const char* name, std::uint64_t traffic::time_line::slice::*what) {
        std::vector<double> values;
        for (const auto& s : slices) values.push_back(static_cast<double>(s.*what));
        if (std::any_of(values.begin(), values.end(), [](double x) { return x > 0; }))
            out += padded(std::string("  ") + name, margin) + bars(values, columns) + "\n";
    };
    line("messages", &traffic::time_line::slice::messages);
    line("bytes", &traffic::time_line::slice::bytes);
    line("collectives", &traffic::time_line::slice::collectives);
    return out;
}

/// Returns the pairs that exchange most.
std::string busiest(const trace_info& info) {
    std::vector<std::pair<trace_info::pair, trace_info::flow>> all(info.matrix.begin(), info.matrix.end());
    const auto most = std::min<std::size_t>(all.size(), 5);
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most), all.end(),
                      [](const auto& a, const auto& b) {
                          return std::pair{b.second.bytes, a.first} < std::pair{a.second.bytes, b.first};
                      });
    std::vector<std::vector<std::string>> rows{{"  from to", "messages", "bytes"}};
    for (std::size_t i = 0; i < most; ++i)
        rows.push_back({fmt::format("  {} {}", all[i].first.first, all[i].first.second),
                        readable(static_cast<double>(all[i].second.messages)),
                        readable(static_cast<double>(all[i].second.bytes))});
    return aligned(rows);
}

std::string numbers(const trace_info& found) {
    std::vector<std::vector<std::string>> rows{{"tasks", std::to_string(found.tasks)},
                                               {"events", readable(static_cast<double>(total(found)))}};
    for (std::size_t i = 0; i < found.events.size(); ++i)
        if (found.events[i] != 0)
            rows.push_back({std::string("  ") + traffic::op_name(static_cast<traffic::op>(i)),
                            readable(static_cast<double>(found.events[i]))});
    rows.push_back({"point-to-point messages", readable(static_cast<double>(found.messages))});
    rows.push_back({"  bytes", readable(static_cast<double>(found.bytes))});
    rows.push_back({"  pairs of tasks", readable(static_cast<double>(found.matrix.size()))});
    rows.push_back({"computation, all tasks", duration(found.seconds)});
    rows.push_back({"  operations", readable(found.flops, 6)});
    return aligned(rows);
}

/// Returns the data that scripts/report draws.
json picture_data(const trace_info& info, const std::string& name) {
    constexpr std::size_t most_cells = 512;
    json slices = json::array();
    for (const auto& s : info.when.slices()) slices.push_back({s.messages, s.bytes, s.collectives});
    return {{"name", name},
            {"tasks", info.tasks},
            {"matrix", grid(info, most_cells)},
            {"slice_seconds", info.when.slice_seconds()},
            {"slices", slices}};
}

void draw(const trace_info& info, const std::string& name, const std::string& picture) {
    namespace fs = std::filesystem;
    const fs::path data = fs::temp_directory_path() / fmt::format("sare-trace-{}.json", getpid());
    write_file(data, text_of(picture_data(info, name)));
    const std::string problem = draw_trace(data, picture);
    std::error_code ignored;
    fs::remove(data, ignored);
    if (!problem.empty()) throw config::error(problem);
}

struct info_options : trace_options {
    std::string picture;
    double flops_per_second = 1e9;
};

int info(const info_options& options) {
    const auto ending = std::filesystem::path(options.picture).extension();
    if (!options.picture.empty() && ending != ".png" && ending != ".pdf" && ending != ".svg")
        throw usage_error("--picture must be a file .png, .pdf or .svg, not '" + options.picture + "'");
    progress_line line(false);
    const auto reader = options.open();
    const auto found = traffic::describe_trace(*reader, options.flops_per_second, show_events(line, "info"));
    line.erase();
    report_warnings(*reader);
    fmt::print("{}", numbers(found));
    if (!found.matrix.empty()) fmt::print("busiest pairs\n{}\n{}", busiest(found), matrix_picture(found));
    if (!found.when.slices().empty()) fmt::print("{}", time_picture(found));
    if (!options.picture.empty())
        draw(found, std::filesystem::path(options.file).filename().string(), options.picture);
    return exit_status::good;
}

}  // namespace

void add_trace_info(command_parser& trace, action& chosen) {
    auto* command = trace.add_subcommand("info", "Count what is in it, and who sends to whom, and when");
    auto options = std::make_shared<info_options>();
    options->add_to(*command);
    command->add_option("--picture", options->picture, "FILE.png|pdf|svg", "Draw matrix and time line, too");
    command
        ->add_option("--flops-per-second", options->flops_per_second,
                     "For the time line: of computation in operations (default: 1e9)")
        ->check(number_above_0());
    command->callback([&chosen, options] { chosen = [options] { return info(*options); }; });
}

}  // namespace sare::cli
