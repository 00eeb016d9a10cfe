// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/params.h"

#include "tlm/api/counted_network.h"
#include "tlm/api/network_engine.h"
#include "tlm/api/section_registry.h"
#include "tlm/fabric/fabric.h"
#include "tlm/inside/inside_view.h"

#include <fmt/format.h>

namespace sare {
namespace {

const section_registration<inside_observation> inside_keys{"observe", 30};

}  // namespace

config::schema<inside_params> inside_params::fields() {
    using p = inside_params;
    config::schema<p> s;
    s.flag("csv", &p::csv, "What packets do in each router, an event a line: packet_events.csv.")
        .flag("perfetto", &p::perfetto, "The same as slices of the routers' VCs: trace.perfetto-trace.")
        .flag("fst", &p::fst, "Buffers, states and credits of the routers, for GTKWave: routers.fst.")
        .flag("record", &p::record,
              "All routers and links, cycle by cycle, as `sare record` plays them: record.json.")
        .texts("events", &p::events,
               "Kinds of events: generated, injected, in, out, left, stall, consumed, dropped; none named: "
               "these; also flit_in, flit_out.")
        .numbers("packets", &p::packets, "Packets, in order of injection from 0.")
        .numbers("sources", &p::sources, "Packets from these nodes.")
        .of_places("node")
        .numbers("destinations", &p::destinations, "Packets to these nodes.")
        .of_places("node")
        .numbers("classes", &p::classes, "Packets of these message classes.")
        .numbers("routers", &p::routers, "Routers that are looked into: all, numbers, ranges such as 5-7.")
        .of_places("router");
    return s;
}

config::schema<inside_observation> inside_observation::fields() {
    using p = inside_observation;
    config::schema<p> s;
    s.section("inside", &p::inside, inside_params::fields(), "What goes on inside the routers.");
    return s;
}

void inside_observation::check(const config::value* section) {
    const config::value* const own = section != nullptr ? section->find("inside") : nullptr;
    inside.at = own != nullptr ? own->where() : at;
    event_kinds(inside);
}

void inside_observation::check_checkpoints() const {
    if (inside.any())
        throw config::error(inside.at, "observe.inside: its records cannot be written into checkpoints");
}

std::unique_ptr<run_observer> inside_observation::observe(const run_context& run) const {
    if (!inside.any()) return nullptr;
    if (run.net == nullptr)
        throw config::error(
            inside.at,
            "'inside' looks into routers, which the contention-free model has not; it needs fidelity: flit");
    check_injections(run, "observe.inside", inside.at);
    const config::number_set &asked = inside.routers, foreign = run.sections.foreign_routers();
    for (std::uint32_t r = 0; !asked.all && r < run.net->view().routers(); ++r)
        if (asked.contains(r) && foreign.contains(r))
            throw config::error(
                inside.at,
                fmt::format(
                    "router {} is RTL, of which the model sees its links only; 'inside' is for the others",
                    r));
    return std::make_unique<inside_view>(inside, run.sections.of<observation_params>(), *run.net,
                                         run.router_name, run.engine.counters().processes());
}

std::uint32_t event_kinds(const inside_params& p) {
    std::vector<std::string> words;
    for (int k = 0; k < packet_event_kinds; ++k)
        words.emplace_back(name_of(static_cast<packet_event::what>(k)));
    std::uint32_t kinds = 0;
    for (const std::string& event : p.events)
        kinds |= 1u << config::choose_word(config::value::scalar(event, p.at), "events", words);
    return kinds == 0 ? trace_filter().kinds : kinds;
}

trace_filter filter_of(const inside_params& in, const observation_params& when, const fabric& net) {
    const auto check = [&](const char* key, const config::number_set& asked, const char* of,
                           std::uint32_t there) {
        if (!asked.all && !asked.empty() && asked.last() >= there)
            throw config::error(in.at, fmt::format("'{}' of observe.inside names {} {}; there are 0 to {}",
                                                   std::string(key), of, asked.last(), there - 1));
    };
    check("routers", in.routers, "router", net.view().routers());
    check("sources", in.sources, "node", net.view().nodes());
    check("destinations", in.destinations, "node", net.view().nodes());
    check("classes", in.classes, "class", net.view().classes());
    trace_filter f;
    f.packets = in.packets;
    f.sources = in.sources;
    f.destinations = in.destinations;
    f.classes = in.classes;
    f.routers = in.routers;
    f.kinds = event_kinds(in);
    f.from = when.from;
    f.to = when.end();
    return f;
}

}  // namespace sare
