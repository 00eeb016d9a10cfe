// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/run/input.h"
#include "tb/sare/trace/trace_options.h"
#include "tb/sare/usage.h"
#include "tlm/topology/topology.h"
#include "traffic/program/executor/executor.h"
#include "traffic/trace/order.h"
#include "traffic/trace/tools/check.h"
#include "traffic/trace/write/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <set>

namespace sare::cli {

void trace_options::add_to(command_parser& command) {
    command.add_option("FILE", file, "Trace (SimGrid: its index file), plain or compressed")->required();
    command.add_option("--format", format, "FORMAT", "auto, or the name of a format (default: auto)");
}

std::unique_ptr<traffic::trace_reader> trace_options::open() const {
    return traffic::open_trace(file, format, {"trace", 0, 0});
}

void report_warnings(const traffic::trace_reader& reader) {
    for (const auto& w : reader.warnings()) warn(w);
}

std::function<void(std::uint64_t)> show_events(progress_line& line, const char* what) {
    return [&line, what](std::uint64_t events) {
        line.show(fmt::format("{}  {} events", what, readable(static_cast<double>(events))));
    };
}

std::vector<std::uint32_t> number_list(const std::string& option, const std::string& text) {
    constexpr std::uint64_t most = 16777216;
    std::set<std::uint32_t> all;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto number = [&] {
        std::uint32_t n = 0;
        const auto [behind, error] = std::from_chars(at, end, n);
        if (error != std::errc() || n >= most)
            throw usage_error(option + " must be numbers of tasks such as 0-3,7, not '" + text + "'");
        at = behind;
        return n;
    };
    for (bool more = true; more;) {
        const std::uint32_t first = number();
        std::uint32_t last = first;
        if (at != end && *at == '-') {
            ++at;
            last = number();
        }
        for (std::uint32_t n = first; n <= last; ++n) all.insert(n);
        more = at != end;
        if (more && *at++ != ',')
            throw usage_error(option + " must be numbers of tasks such as 0-3,7, not '" + text + "'");
    }
    return {all.begin(), all.end()};
}

namespace {

struct check_options : trace_options {
    std::uint64_t eager_limit = 0;
};

int check(const check_options& options) {
    progress_line line(false);
    const auto reader = options.open();
    auto problems = traffic::check_trace(*reader, 100, show_events(line, "check"));
    if (problems.empty())
        problems =
            traffic::check_order(options.file, options.format, options.eager_limit, [&](std::uint64_t n) {
                line.show(fmt::format("order  {} messages", readable(static_cast<double>(n))));
            });
    line.erase();
    report_warnings(*reader);
    for (const auto& p : problems) complain(p);
    if (!problems.empty()) return exit_status::failure;
    fmt::print("{}: good, {} tasks\n", options.file, reader->tasks());
    return exit_status::good;
}

void add_trace_check(command_parser& trace, action& chosen) {
    auto* command = trace.add_subcommand("check", "Find what is malformed, has no partner or cannot end");
    auto options = std::make_shared<check_options>();
    options->add_to(*command);
    command
        ->add_option("--eager-limit", options->eager_limit, "BYTES",
                     "Larger messages wait for their receive (0: none does)")
        ->check(whole_number());
    command->callback([&chosen, options] { chosen = [options] { return check(*options); }; });
}

struct write_options {
    input_options input;
    std::string out;
};

int write_converted(const write_options& options) {
    const experiment e = options.input.read();
    const auto traffic = workload_registry::instance().make(e.traffic, e.context(*e.make_map()));
    auto* const runs = dynamic_cast<traffic::executor*>(traffic.get());
    if (runs == nullptr)
        throw config::error(e.traffic.where(),
                            "this workload is no program of tasks; a trace can be written of kernels, of "
                            "training and dpsnn, and of other traces");
    if (options.out.empty())
        traffic::write_trace(runs->what(), std::cout);
    else
        replace_file(options.out, [&](std::ostream& out) { traffic::write_trace(runs->what(), out); });
    return exit_status::good;
}

void add_write(command_parser& trace, action& chosen) {
    auto* command = trace.add_subcommand("write", "Write the program of an experiment as a trace");
    auto options = std::make_shared<write_options>();
    options->input.add_to(*command, false);
    command->add_option("--out", options->out, "FILE", "Write to a file; its ending may ask for compression");
    command->callback([&chosen, options] { chosen = [options] { return write_converted(*options); }; });
}

}  // namespace

void add_trace(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("trace", "Look at a trace without a simulation, and convert it");
    command->require_subcommand(1);
    add_trace_check(*command, chosen);
    add_trace_info(*command, chosen);
    add_trace_convert(*command, chosen);
    add_trace_cut(*command, chosen);
    add_trace_fit(*command, chosen);
    add_write(*command, chosen);
    command->footer("Example:\n  sare trace info tb/experiments/cg.S.16/cg.S.16.index");
}

}  // namespace sare::cli
