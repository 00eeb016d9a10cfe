// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/results/result_set.h"
#include "tb/sare/run/plugins.h"
#include "tb/sare/why/rerun.h"
#include "tb/sare/why/why_report.h"
#include "tlm/config/yaml.h"
#include "tlm/network/results/injection_rules_of.h"
#include "tlm/network/router_plan.h"

#include <fmt/format.h>

#include <algorithm>

/// Says why packets took as long as they did.
namespace sare::cli {
namespace {

/// Cycles before the generation of a packet from which on the others are traced, so that those that block it
/// have come in the trace.
constexpr cycle_t lead = 2000;
constexpr std::size_t most_in_full = 3;  ///< packets of which all is said on the terminal

struct why_options {
    std::string directory, flow;
    std::vector<std::string> packets, messages;
    std::uint64_t slowest = 0;
    std::vector<std::string> plugins;
    bool rerun = false, as_json = false, no_page = false;
};

/// The result that is asked about.
struct asked_run {
    std::filesystem::path where;
    json summary;
    saved_experiment saved;
    experiment what;
    std::shared_ptr<const topology> map;
};

asked_run open(const why_options& options) {
    asked_run run;
    run.where = options.directory;
    if (!std::filesystem::exists(run.where / "summary.json") &&
        std::filesystem::exists(run.where / "sweep.json"))
        throw config::error(options.directory + ": a sweep; name one of its runs");
    run.summary = read_summary(run.where / "summary.json");
    run.saved.folder = run.summary.value("/run/folder"_json_pointer, std::string("."));
    // Names of files are relative to where the experiment was.
    const std::filesystem::path place = std::filesystem::path(run.saved.folder) / "summary.json";
    run.saved.tree = config::parse_document(run.summary.at("config").dump(), place.string());
    load_plugins(options.plugins);
    load_plugins(run.saved.tree, run.saved.folder);
    run.what = experiment::read(run.saved.tree, run.saved.folder);
    run.map = run.what.make_map();
    return run;
}

/// Returns source and destination of "A to B", as results print a flow; an answer is one from B to A.
std::vector<std::string> ends_of_flow(const std::string& name, const topology& map) {
    if (name.empty()) return {};
    std::string text = name.substr(0, name.find(" (answer)"));
    std::size_t at = text.find(" to "), length = 4;
    if (at == std::string::npos) at = text.find("->"), length = 2;
    if (at == std::string::npos)
        throw usage_error("why: --flow '" + name + "': must be 'A to B' or A->B, nodes by number or name");
    std::vector<std::string> ends;
    for (const std::string& word : {text.substr(0, at), text.substr(at + length)})
        ends.push_back(
            std::to_string(map.names().find(place_kind::node, word, map.nodes(), {"--flow", 0, 0})));
    return ends;
}

wanted_packets wanted_of(const why_options& options, const topology& map) {
    wanted_packets w;
    w.numbers = options.packets;
    w.messages = options.messages;
    w.flow = ends_of_flow(options.flow, map);
    const bool others = !w.numbers.empty() || !w.messages.empty();
    w.slowest = options.slowest != 0 ? options.slowest : others ? 0 : 1;
    return w;
}

/// Runs again what is needed to know the events of the packets. Returns the directory with them.
std::filesystem::path run_again(const asked_run& run, const wanted_packets& wanted) {
    const std::vector<slow_packet> found = find_packets(run.saved, wanted);
    if (found.empty()) {
        const bool ended = exit_status::of_run(run.summary.value("status", "")) == exit_status::blocked;
        throw config::error(run.where.string() + ": no such packet came to its node" +
                            (ended ? "; " + run.summary.value("status_reason", "") +
                                         "; 'break deadlock' of sare debug shows the packets"
                                   : ""));
    }
    cycle_t from = ~cycle_t{0}, to = 0;
    for (const slow_packet& p : found) {
        from = std::min(from, p.generated);
        to = std::max(to, p.consumed + 1);
    }
    const std::filesystem::path where = run.where / "why";
    run_window(run.saved, from > lead ? from - lead : 0, to, where);
    return where;
}

/// Returns the packets asked for, the slowest of all that the trace has whole first.
std::vector<std::uint64_t> choose(const journey_book& book, const wanted_packets& wanted, const json& summary,
                                  const std::string& where) {
    const cycle_t from = summary.value("/measured/from"_json_pointer, cycle_t{0}),
                  to = summary.value("/measured/to"_json_pointer, journey::never);
    std::vector<std::uint64_t> chosen, all;
    const auto is = [](const std::vector<std::string>& some, std::uint64_t n) {
        return std::find(some.begin(), some.end(), std::to_string(n)) != some.end();
    };
    std::size_t missing = wanted.numbers.size();
    for (const std::uint64_t n : book.packets()) {
        const journey& j = book.visits_of(n);
        if (!journey_book::is_whole(j)) continue;
        if (is(wanted.numbers, n)) --missing;
        const bool in_flow = wanted.flow.empty() || (std::to_string(j.packet.source) == wanted.flow[0] &&
                                                     std::to_string(j.packet.destination) == wanted.flow[1]);
        if (is(wanted.numbers, n) || is(wanted.messages, j.packet.message))
            chosen.push_back(n);
        else if (in_flow && j.consumed >= from && j.consumed < to)
            all.push_back(n);
    }
    const auto slower = [&](std::uint64_t a, std::uint64_t b) {
        return book.visits_of(a).latency() > book.visits_of(b).latency();
    };
    std::stable_sort(all.begin(), all.end(), slower);
    all.resize(std::min<std::size_t>(all.size(), wanted.slowest));
    chosen.insert(chosen.end(), all.begin(), all.end());
    if (missing != 0 || chosen.empty())
        throw config::error(
            where +
            ": the trace does not have the packet and all its flits from generation to consumption; "
            "--rerun traces what is needed");
    std::stable_sort(chosen.begin(), chosen.end(), slower);
    return chosen;
}

int why(const why_options& options) {
    const asked_run run = open(options);
    const wanted_packets wanted = wanted_of(options, *run.map);
    if (run.what.fidelity != fidelity::flit)
        throw config::error(options.directory +
                            ": a model without routers, in which nothing waits; it needs fidelity: flit");
    if (!options.rerun && !std::filesystem::exists(run.where / events_file))
        throw config::error(
            fmt::format("{}: has no {}; --rerun traces what is needed, or run it with --set "
                        "'observe.inside={{csv: true, events: [generated, injected, in, out, left, stall, "
                        "consumed, flit_in, flit_out]}}'",
                        options.directory, events_file));
    catch_stop_signals();
    const std::filesystem::path traced = options.rerun ? run_again(run, wanted) : run.where;
    const router_plan plan(run.what, *run.map);
    journey_book book(injection_rules_of(run.what, *run.map, plan));
    read_events(traced, *run.map, book);
    const std::vector<std::uint64_t> packets = choose(book, wanted, run.summary, traced.string());
    const why_report report(book, *run.map, nic_limits(run.what));
    const json data = report.data(packets);
    if (options.as_json) {
        show(text_of(data));
        return exit_status::good;
    }
    std::string text;
    if (packets.size() > most_in_full)
        text = report.table(packets);
    else
        for (const std::uint64_t p : packets)
            text += (text.empty() ? "" : "\n") + report.text(p, terminal_width());
    show(text);
    if (options.no_page) return exit_status::good;
    const std::filesystem::path page = traced / "why.html";
    write_why_page(data, options.directory, page);
    show("\n" + page.string() + "\n");
    return exit_status::good;
}

}  // namespace

void add_why(command_parser& app, action& chosen) {
    auto* command =
        app.add_subcommand("why", "Say why packets of a run took so long, and whom they waited for");
    auto options = std::make_shared<why_options>();
    command->add_option("RUN", options->directory, "Directory written by 'sare run'")->required();
    command
        ->add_repeated("--packet", options->packets, "N",
                       "Packet, by its number in order of injection from 0; may be given again")
        ->check(whole_number());
    command->add_repeated("--message", options->messages, "ID", "Packets of a message, likewise by number")
        ->check(whole_number());
    command->add_count("--slowest", options->slowest, 1, 1000,
                       "The N slowest packets of the measured window (default: 1, unless others are named)");
    command->add_option("--flow", options->flow, "NAME", "Of the packets from a node to another: 'A to B'");
    command->add_flag("--rerun", options->rerun,
                      "Run the experiment again with the same seed, and trace only what is needed; the "
                      "events are kept in RUN/why");
    add_plugin_option(*command, options->plugins);
    command->add_flag("--json", options->as_json, "Print all as JSON, and write no page");
    command->add_flag("--no-page", options->no_page, "Leave out why.html");
    command->footer(
        "Examples:\n"
        "  sare why out/mesh --slowest 20 --rerun\n"
        "  sare why out/mesh --packet 4711 --rerun\n"
        "  sare why out/soc --flow 'sdram to rast' --rerun");
    command->callback([&chosen, options] { chosen = [options] { return why(*options); }; });
}

}  // namespace sare::cli
