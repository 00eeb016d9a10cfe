// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/run/input.h"
#include "tb/sare/trace/trace_options.h"
#include "tb/sare/usage.h"
#include "traffic/trace/tools/cut.h"
#include "traffic/trace/write/write_goal.h"

#include <fmt/format.h>

#include <iostream>

/// Writes traces anew: in another format, in part, or their first events.
namespace sare::cli {
namespace {

constexpr std::uint64_t told_every = 65536;  ///< in events

traffic::trace_header header_of(const traffic::trace_reader& reader) {
    return {reader.tasks(),
            [&reader](std::uint32_t id) -> const traffic::communicator& { return reader.group(id); }};
}

using sink_maker = std::unique_ptr<traffic::trace_sink> (*)(traffic::trace_header, std::ostream&);
sink_maker sink_for(const std::string& format) {
    return format == "binary" ? traffic::binary_sink : traffic::text_sink;
}

/// Options `--to sare|binary` and the target file.
struct target_options {
    std::string to, out;

    void add_to(command_parser& command, const std::vector<std::string>& formats) {
        command.add_option("--to", to, "FORMAT", "Format to write")->required()->check(one_of(formats));
        command.add_option("--out", out, "FILE", "File to write; .gz, .bz2, .xz and .zst are compressed")
            ->required();
    }
};

struct convert_options : trace_options {
    target_options target;
    std::vector<std::string> collectives;
    double flops_per_second = 1e9;

    traffic::goal_choices choices() const {
        std::vector<config::value::entry> entries;
        for (const auto& each : collectives) {
            const auto [what, algorithm] = split_assignment("--collective", each);
            entries.emplace_back(what, config::value::scalar(algorithm));
        }
        traffic::goal_choices all;
        all.flops_per_second = flops_per_second;
        traffic::collective_fields().read(config::value::map(std::move(entries)), all.collectives,
                                          "--collective");
        return all;
    }
};

int convert(const convert_options& options) {
    check_no_experiment(options.target.out);
    progress_line line(false);
    const auto show = show_events(line, "convert");
    const auto choices = options.choices();
    const auto reader = options.open();
    std::vector<std::string> notes;
    replace_file(options.target.out, [&](std::ostream& out) {
        if (options.target.to == "goal") {
            notes = traffic::write_goal(*reader, choices, out);
            return;
        }
        const auto sink = sink_for(options.target.to)(header_of(*reader), out);
        std::uint64_t events = 0;
        std::uint32_t task = 0;
        for (traffic::event e; reader->next_any(task, e);) {
            sink->put(task, e);
            if (++events % told_every == 0) show(events);
        }
        sink->finish();
    });
    line.erase();
    report_warnings(*reader);
    for (const auto& n : notes) warn(n);
    return exit_status::good;
}

struct cut_options : trace_options {
    target_options target;
    traffic::cut_window window;
    std::string tasks;
};

int cut(cut_options options) {
    check_no_experiment(options.target.out);
    if (!options.tasks.empty()) options.window.tasks = number_list("--tasks", options.tasks);
    if (!(options.window.from < options.window.to)) throw usage_error("--from must be less than --until");
    traffic::cut_counts counts;
    replace_file(options.target.out, [&](std::ostream& out) {
        counts = traffic::cut_trace(
            [&] { return options.open(); }, options.window,
            [&](traffic::trace_header h) { return sink_for(options.target.to)(std::move(h), out); });
    });
    const auto row = [](const char* what, std::uint64_t n) {
        return std::vector<std::string>{what, readable(static_cast<double>(n))};
    };
    fmt::print("{}", aligned({row("events", counts.events),
                              row("left out: messages whose partner is not in the cut", counts.messages),
                              row("left out: collectives that not all call in it", counts.collectives),
                              row("left out: waits for what is not in it", counts.waits),
                              row("left out: probes", counts.probes)}));
    return exit_status::good;
}

struct head_options : trace_options {
    std::uint64_t count = 10;
    std::string tasks;
};

/// Prints events as text, in the order of the file.
int head(const head_options& options) {
    const auto chosen =
        options.tasks.empty() ? std::vector<std::uint32_t>{} : number_list("--tasks", options.tasks);
    const auto reader = options.open();
    std::vector<bool> wanted(reader->tasks(), options.tasks.empty());
    for (const auto t : chosen) {
        if (t >= wanted.size())
            throw config::error(fmt::format("{}: there is no task {}; tasks are 0 to {}", options.file, t,
                                            wanted.size() - 1));
        wanted[t] = true;
    }
    const auto sink = traffic::text_sink(header_of(*reader), std::cout);
    traffic::event e;
    std::uint64_t left = options.count;
    // One task is read without the others, where the format can.
    std::uint32_t task = chosen.size() == 1 ? chosen[0] : 0;
    const auto next = [&] { return chosen.size() == 1 ? reader->next(task, e) : reader->next_any(task, e); };
    while (left > 0 && next()) {
        if (!wanted[task]) continue;
        sink->put(task, e);
        --left;
    }
    return exit_status::good;
}

}  // namespace

void add_trace_convert(command_parser& trace, action& chosen) {
    auto* command = trace.add_subcommand("convert", "Write a trace in another format");
    auto options = std::make_shared<convert_options>();
    options->add_to(*command);
    options->target.add_to(*command, {"sare", "binary", "goal"});
    command->add_option("--collective", options->collectives, "NAME=ALGORITHM",
                        "GOAL has messages only: the algorithm that a collective goes by");
    command
        ->add_option("--flops-per-second", options->flops_per_second,
                     "GOAL has nanoseconds only: of computation in operations (default: 1e9)")
        ->check(number_above_0());
    command->callback([&chosen, options] { chosen = [options] { return convert(*options); }; });

    command = trace.add_subcommand("head", "Print the first events");
    auto first = std::make_shared<head_options>();
    first->add_to(*command);
    command->add_option("-n", first->count, "N", "How many (default: 10)")->check(whole_number());
    command->add_option("--tasks", first->tasks, "LIST", "Of these tasks only: 0-3,7");
    command->callback([&chosen, first] { chosen = [first] { return head(*first); }; });
}

void add_trace_cut(command_parser& trace, action& chosen) {
    auto* command = trace.add_subcommand("cut", "Write a part of a trace: some time, some tasks");
    auto options = std::make_shared<cut_options>();
    options->add_to(*command);
    options->target.add_to(*command, {"sare", "binary"});
    command->add_option("--from", options->window.from, "S", "Seconds of a task's computation before it (0)")
        ->check(number_from_0());
    command->add_option("--until", options->window.to, "S", "Seconds at which it ends (the end)")
        ->check(number_from_0());
    command->add_option("--tasks", options->tasks, "LIST", "These tasks, which become 0, 1, ...: 0-3,7");
    command
        ->add_option("--flops-per-second", options->window.flops_per_second,
                     "Of computation in operations (default: 1e9)")
        ->check(number_above_0());
    command->callback([&chosen, options] { chosen = [options] { return cut(*options); }; });
}

}  // namespace sare::cli
