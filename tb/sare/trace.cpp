// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/commands.h"
#include "tb/sare/files.h"
#include "tb/sare/input.h"
#include "tb/sare/process.h"
#include "tb/sare/terminal.h"
#include "tlm/topology/topology.h"
#include "traffic/program/executor.h"
#include "traffic/trace/check.h"
#include "traffic/trace/write.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>

namespace sare::cli {
namespace {

struct trace_options {
    std::string file, format = "auto";
};

void tell_warnings(const traffic::trace_reader& reader) {
    for (const auto& w : reader.warnings()) warn(w);
}

std::uint64_t total(const traffic::trace_info& info) {
    std::uint64_t n = 0;
    for (const auto c : info.events) n += c;
    return n;
}

int check(const trace_options& options) {
    const auto reader = traffic::open_trace(options.file, options.format);
    const auto problems = traffic::check_trace(*reader);
    tell_warnings(*reader);
    for (const auto& p : problems) complain(p);
    if (!problems.empty()) return exit_status::failure;
    fmt::print("{}: good, {} tasks\n", options.file, reader->tasks());
    return exit_status::good;
}

/// The pairs that exchange most.
std::string busiest(const traffic::trace_info& info) {
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, traffic::trace_info::flow>> all(
        info.matrix.begin(), info.matrix.end());
    const auto most = std::min<std::size_t>(all.size(), 5);
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most), all.end(),
                      [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
    std::vector<std::vector<std::string>> rows{{"  from to", "messages", "bytes"}};
    for (std::size_t i = 0; i < most; ++i)
        rows.push_back({fmt::format("  {} {}", all[i].first.first, all[i].first.second),
                        readable(static_cast<double>(all[i].second.messages)),
                        readable(static_cast<double>(all[i].second.bytes))});
    return aligned(rows);
}

int info(const trace_options& options) {
    const auto reader = traffic::open_trace(options.file, options.format);
    const auto found = traffic::describe_trace(*reader);
    tell_warnings(*reader);
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
    fmt::print("{}", aligned(rows));
    if (!found.matrix.empty()) fmt::print("busiest pairs\n{}", busiest(found));
    return exit_status::good;
}

struct write_options {
    input_options input;
    std::string out;
};

int write(const write_options& options) {
    const experiment e = options.input.read();
    const auto traffic =
        workload_registry::instance().make(e.traffic, workload_context{e.folder, e.make_map()->nodes()});
    auto* const runs = dynamic_cast<traffic::executor*>(traffic.get());
    if (runs == nullptr)
        throw config::error(e.traffic.where(),
                            "this workload is no program of tasks; a trace can be written of "
                            "kernels, of training and dpsnn, and of other traces");
    if (options.out.empty()) {
        traffic::write_trace(runs->what(), std::cout);
        return exit_status::good;
    }
    std::ofstream file(options.out);
    if (file) traffic::write_trace(runs->what(), file);
    if (!file.flush()) fail_with_errno(options.out, "written");
    return exit_status::good;
}

void add_write(CLI::App& trace, action& chosen) {
    auto* command = trace.add_subcommand("write", "Write the program of an experiment as a trace");
    auto options = std::make_shared<write_options>();
    options->input.add_to(*command, false);
    command->add_option("--out", options->out, "Write to a file")->type_name("FILE");
    command->callback([&chosen, options] { chosen = [options] { return write(*options); }; });
}

void add(CLI::App& trace, action& chosen, const char* name, const char* sentence,
         int (*what)(const trace_options&)) {
    auto* command = trace.add_subcommand(name, sentence);
    auto options = std::make_shared<trace_options>();
    command->add_option("FILE", options->file, "Trace (SimGrid: its index file), plain or compressed")
        ->required();
    command->add_option("--format", options->format, "auto, sare or simgrid (default: auto)")
        ->type_name("NAME");
    command->callback([&chosen, options, what] { chosen = [options, what] { return what(*options); }; });
}

}  // namespace

void add_trace(CLI::App& app, action& chosen) {
    auto* command = app.add_subcommand("trace", "Look at a trace without a simulation");
    command->require_subcommand(1);
    add(*command, chosen, "check", "Find sends without receives, malformed lines and the like", check);
    add(*command, chosen, "info", "Count what is in it", info);
    add_write(*command, chosen);
    command->footer("Example:\n  sare trace info tb/experiments/cg.S.16/cg.S.16.index");
}

}  // namespace sare::cli
