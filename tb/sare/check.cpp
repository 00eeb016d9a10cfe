// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/commands.h"
#include "tb/sare/input.h"
#include "tb/sare/terminal.h"
#include "tlm/fabric/workload.h"
#include "tlm/network/simulation.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <cstdio>

namespace sare::cli {
namespace {

void tell(const std::string& what, const std::string& text) {
    fmt::print("{}  {}\n", padded(what, 13), text);
    std::fflush(stdout);
}

std::string network_text(const topology& net) {
    std::string sizes;
    if (const auto* grid = net.grid())
        for (std::size_t i = 0; i < grid->dims.size(); ++i) sizes += (i ? "x" : " ") + std::to_string(grid->dims[i]);
    return fmt::format("good: {}{}, {} nodes, {} routers", net.name(), sizes, net.nodes(), net.routers());
}

int check(const input_options& input) {
    const experiment e = input.read();
    tell("configuration", "good: " + input.file);
    const simulation network(e);
    tell("network", network_text(network.map()));
    tell("routing", fmt::format("good: {}", network.routing().name()));
    const auto& workload = workload_registry::instance().chosen(e.traffic).name;
    tell("traffic", "good: " + workload);
    const deadlock_report deadlock = network.check_deadlock();
    tell("deadlock", fmt::format("{}: {}", deadlock.ok() ? "good" : "bad", deadlock.text));
    return deadlock.ok() ? exit_status::good : exit_status::failure;
}

}  // namespace

void add_check(CLI::App& app, action& chosen) {
    auto* command = app.add_subcommand("check", "Read an experiment, build it and check it for deadlock");
    auto options = std::make_shared<input_options>();
    options->add_to(*command);
    command->footer("Example:\n  sare check tb/experiments/torus-duato.yaml --set router.vcs=1");
    command->callback([&chosen, options] { chosen = [options] { return check(*options); }; });
}

}  // namespace sare::cli
