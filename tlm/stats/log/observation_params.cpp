// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/log/observation_params.h"

#include "tlm/api/section_registry.h"
#include "tlm/fabric/fabric.h"
#include "tlm/stats/log/packet_log.h"

#include <fmt/format.h>

namespace sare {
namespace {

const section_registration<observation_params> observe_keys{
    "observe", 20, "What is shown of the program and its packets, beside the results."};

}  // namespace

config::schema<observation_params> observation_params::fields() {
    using p = observation_params;
    config::schema<p> s;
    s.flag("perfetto", &p::perfetto, "All that, and packets, for Perfetto: trace.perfetto-trace.")
        .flag("packets", &p::packets, "Packets, their hops and the links' loads, in the file for Perfetto.")
        .number("from", &p::from, 0, 1e18, "cycles", "Timelines and packets begin with this cycle.")
        .number("to", &p::to, 0, 1e18, "cycles", "They end before this one; 0: with the run.")
        .number("interval", &p::interval, 1, 1e15, "cycles", "Of a value of a link's load, for Perfetto.")
        .number("links", &p::links, 0, 10000, "",
                "Links over time, in at most so many intervals: the statistic link_series; 0: not.");
    return s;
}

void observation_params::check_checkpoints() const {
    if (perfetto && packets)
        throw config::error(at, "observe.perfetto: its records cannot be written into checkpoints");
}

void observation_params::check(const config::value*) {
    if (to != 0 && to <= from)
        throw config::error(
            at, fmt::format("'observe' is from cycle {} to cycle {}: 'to' must be later, or 0", from, to));
}

std::vector<config::value> observation_params::statistics() const {
    if (links == 0) return {};
    const auto text = [this](const std::string& t) { return config::value::scalar(t, at); };
    return {
        config::value::map({{"name", text("link_series")}, {"intervals", text(std::to_string(links))}}, at)};
}

void check_injections(const run_context& run, const std::string& what, const config::location& at) {
    if (run.engine.counters().processes() != nullptr && run.routers_own_nodes)
        throw config::error(at, "several processes cannot run this: " + what +
                                    " knows packets by when they were injected, and a node of these routers "
                                    "may inject several in a cycle; run it in one, with 'threads'");
}

std::unique_ptr<run_observer> observation_params::observe(const run_context& run) const {
    if (!perfetto || !packets) return nullptr;
    check_injections(run, "observe.perfetto", at);
    return std::make_unique<packet_log>(*this, run.engine);
}

}  // namespace sare
