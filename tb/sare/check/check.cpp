// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/progress_line.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/run/idle_settings.h"
#include "tb/sare/run/input.h"
#include "tb/sare/run/rtl.h"
#include "tb/sare/saturate/traffic_bound.h"
#include "tlm/api/workload.h"
#include "tlm/network/routes/own_routing.h"
#include "tlm/network/simulation.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/properties.h"
#include "tlm/topology/topology.h"
#include "traffic/source/open_loop.h"

#include <fmt/format.h>

#include <cstdio>

namespace sare::cli {
namespace {

/// Prints a line of the answer, and begins the stage of the next one, which is shown if it takes long.
void tell(stage_line& stage, const std::string& what, const std::string& text, const std::string& next) {
    stage.begin("");
    constexpr std::size_t column = 15, endless = 1'000'000;  // other programs read whole lines
    std::string line = wrapped(text, terminal_width(1, endless) - column, column);
    if (const std::string good = "good:"; line.rfind(good, 0) == 0)
        line = in_colour(good, colour::green) + line.substr(good.size());
    fmt::print("{}  {}\n", padded(what, column - 2), line);
    std::fflush(stdout);
    stage.begin(next);
}

std::string network_text(const topology& net) {
    std::string sizes;
    if (const auto* grid = net.coordinates())
        for (std::size_t i = 0; i < grid->dims.size(); ++i)
            sizes += (i ? "x" : " ") + std::to_string(grid->dims[i]);
    return fmt::format("good: {}{}, {} nodes, {} routers", net.name(), sizes, net.nodes(), net.routers());
}

/// Makes all that a run has before its first cycle.
void prepare(const experiment& e, simulation& network, stage_line& stage) {
    run_control control;
    control.warn = [&stage](const std::string& text) {
        stage.begin("");
        warn(text);
    };
    network.prepare(e, control);
    tell(stage, "traffic",
         fmt::format("good: {}{}", workload_registry::instance().chosen(e.traffic).name,
                     network.traffic().runs_to_completion() ? ", runs to its end" : ""),
         "looking for the bound");
}

/// Returns "[io, 4-7, 12]", with names if there are any.
std::string routers_text(const config::number_set& all, const place_names& names) {
    std::string text;
    const auto add = [&text](const std::string& item) { text += (text.empty() ? "" : ", ") + item; };
    for (const auto& [first, last] : all.ranges) {
        std::uint32_t from = first;  // of those without a name, up to the router before r
        for (std::uint32_t r = first; r <= last + 1; ++r) {
            const bool ends = r > last || !names.name(place_kind::router, r).empty();
            if (ends && from < r)
                add(from + 1 == r ? fmt::to_string(from) : fmt::format("{}-{}", from, r - 1));
            if (!ends) continue;
            if (r <= last) add(names.name(place_kind::router, r));
            from = r + 1;
        }
    }
    return "[" + text + "]";
}

void check_routers(const experiment& e, const simulation& network, stage_line& stage) {
    const std::string next = "connecting routers";
    const std::string by_default = default_routing_text(e);
    tell(stage, "routing", "good: " + (by_default.empty() ? network.routing().name() : by_default), next);
    if (const auto& groups = network.plan().groups(); groups.size() > 1)
        for (std::uint32_t g = 0; g < groups.size(); ++g)
            tell(stage, "routers",
                 routers_text(network.plan().routers_of(g), network.map().names()) + ": " + groups[g].name,
                 next);
}

struct experiment_check {
    input_options input;
    progress_options progress;
};

int check_experiment(const experiment_check& options) {
    const input_options& input = options.input;
    stage_line stage(options.progress);
    stage.begin("reading " + input.file);
    const experiment e = input.read();
    tell(stage, "configuration", "good: " + input.file, "building the network");
    rtl_routers& rtl = make_rtl_routers(e, true);
    simulation& network = *new simulation(e, rtl.maker());  // never deleted: see leave()
    tell(stage, "network", network_text(network.map()), "building the network");
    if (const std::string text = e.link_times_text(); !text.empty())
        tell(stage, "links", text, "building the network");
    if (e.fidelity == fidelity::flit)
        check_routers(e, network, stage);
    else
        tell(stage, "fidelity", std::string(to_string(e.fidelity)) + ": routers and routing are left out",
             "connecting nodes");
    if (const std::string too_much = impossible_load(e, network.map()); !too_much.empty()) {
        stage.begin("");
        warn(too_much);
    }
    for (const std::string& text : idle_settings(e)) {
        stage.begin("");
        warn(text);
    }
    prepare(e, network, stage);
    if (dynamic_cast<const traffic::open_loop_source*>(&network.traffic()) != nullptr)
        tell(stage, "bound", text_of(find_bound(e, network, 500'000), network.map().names(), load_unit(e)),
             "looking for deadlock");  // a second at most
    stage.begin("looking for deadlock");
    constexpr std::uint64_t most_calls = 500'000'000;  // a minute, that a run should not begin with
    const deadlock_report& deadlock = network.check_deadlock(most_calls);
    if (!deadlock.ok() && e.checks.deadlock && !e.checks.force)
        throw config::error(e.written.place_of("'routing'"),
                            deadlock.text + "; checks.force runs it all the same");
    const bool is_good = deadlock.ok() && deadlock.result != deadlock_report::verdict::skipped;
    tell(stage, "deadlock", (is_good ? "good: " : "") + deadlock.text, "");
    if (const std::string text = network.check_endpoints(e, network.traffic()); !text.empty())
        tell(stage, "endpoints", text, "");
    return exit_status::good;
}

}  // namespace

void add_check(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("check", "Read an experiment, build it and check it for deadlock");
    auto options = std::make_shared<experiment_check>();
    options->input.add_to(*command);
    options->progress.add_to(*command);
    command->footer("Example:\n  sare check tb/experiments/torus-duato.yaml --set router.vcs=1");
    command->callback([&chosen, options] { chosen = [options] { return check_experiment(*options); }; });
}

}  // namespace sare::cli
