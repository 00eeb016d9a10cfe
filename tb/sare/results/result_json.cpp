// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/results/result_json.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/files.h"
#include "tb/sare/run/plugins.h"
#include "tlm/config/text_file.h"
#include "tlm/network/results/causes.h"
#include "tlm/network/routes/own_routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace sare::cli {
namespace {

constexpr std::size_t most_bytes = 256 << 20;
constexpr int most_levels = 100;

json counts_json(const counts& c) {
    json all = {{"generated", c.generated},
                {"injected", c.injected},
                {"consumed", c.consumed},
                {"dropped", c.dropped}};
    if (c.copied != 0) all["copied"] = c.copied;
    if (c.refused != 0) all["refused"] = c.refused;
    return all;
}

json batches(const run_result& r) {
    json all = json::array();
    for (const auto& b : r.batches)
        all.push_back({{"from", b.from},
                       {"to", b.to},
                       {"latency_mean", b.latency_mean},
                       {"offered", b.offered},
                       {"injected", b.injected},
                       {"accepted", b.accepted}});
    return all;
}

json link_json(const link_result& l) {
    return {
        {"kind", l.kind}, {"from", l.from}, {"from_port", l.from_port}, {"to", l.to}, {"to_port", l.to_port}};
}

/// Returns the link with the highest utilisation.
json busiest_link(const run_result& r) {
    const auto row = r.busiest_link();
    if (!row) return nullptr;
    const link_result& l = r.link_loads[*row];
    json all = link_json(l);
    if (!r.names.empty()) all["name"] = r.text_of(l);
    all["load"] = r.column_of(scope::link, "load").number(*row);
    all["utilisation"] = r.column_of(scope::link, "utilisation").number(*row);
    return all;
}

/// Returns the roots of congestion; congestion.csv has all links of their trees.
json congestion(const run_result& r) {
    json all = json::array();
    for (const congestion_root& root : r.congestion) {
        json one = link_json(r.link_loads[root.link]);
        const congestion_cause& cause = cause_of(root.why, r.link_loads[root.link].kind);
        one["reason"] = to_string(root.why);
        one["says"] = cause.sentence;
        one["parameter"] = parameter_for(root, r.link_loads[root.link].kind);
        one["change"] = cause.change;
        if (!root.domain.empty()) one["domain"] = root.domain;
        one["from_cycle"] = root.from;
        one["to_cycle"] = root.to;
        one["lost"] = root.lost;
        one["utilisation"] = root.utilisation;
        one["load"] = r.column_of(scope::link, "load").number(root.link);
        one["capacity"] = root.capacity;
        one["offered"] = root.offered;
        one["links"] = root.links;
        one["sources"] = root.sources;
        one["chain"] = json::array();
        for (const std::size_t row : root.chain) one["chain"].push_back(link_json(r.link_loads[row]));
        all.push_back(std::move(one));
    }
    return all;
}

/// Adds every figure of the run, under its keys.
void add_figures(json& to, const run_result& r) {
    for (const figure_view& c : r.columns_of(scope::run)) {
        json* at = &to;
        for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
            end = c.name().find('.', begin);
            at = &(*at)[c.name().substr(begin, end == std::string::npos ? end : end - begin)];
        }
        c.visit(0, [at](const auto& x) { *at = x; });
    }
    to["links"]["busiest"] = busiest_link(r);
}

/// Returns every figure of each message class; null if there is one class.
json classes_json(const run_result& r) {
    if (r.class_loads.empty()) return nullptr;
    const std::vector<figure_view> figures = r.columns_of(scope::message_class);
    json all = json::array();
    for (std::size_t c = 0; c < r.class_loads.size(); ++c) {
        json one = {{"class", c}};
        for (const figure_view& f : figures) f.visit(c, [&](const auto& x) { one[f.name()] = x; });
        all.push_back(one);
    }
    return all;
}

json rate_json(const growing_source::rate& r) {
    return {{"offered", r.offered}, {"sent", r.sent}, {"error", r.error}};
}

json source_json(const growing_source& g) {
    json source = rate_json(g.all);
    source["node"] = g.node;
    for (const auto& c : g.classes) {
        source["classes"].push_back(rate_json(c));
        source["classes"].back()["class"] = c.message_class;
    }
    return source;
}

/// Stands for the sources in the tree, of which a large network may have a million.
constexpr const char* sources_to_come = "the sources";

/// Writes the sources as items of the tree.
void write_sources(const std::vector<growing_source>& all, std::ostream& to) {
    const char* comma = "";
    for (const growing_source& g : all) {
        to << comma;
        for (const char c : source_json(g).dump(2)) c == '\n' ? to << "\n    " : to << c;
        comma = ",\n    ";
    }
}

json scalar(const std::string& text) {
    if (text == "nan" || text == "-nan") return nullptr;
    const json parsed = json::parse(text, nullptr, false);
    return parsed.is_number() || parsed.is_boolean() ? parsed : json(text);
}

}  // namespace

json to_json(const config::value& v) {
    switch (v.type()) {
        case config::value::kind::null:
            return nullptr;
        case config::value::kind::scalar:
            return scalar(v.text());
        case config::value::kind::list: {
            json all = json::array();
            for (const auto& item : v.items()) all.push_back(to_json(item));
            return all;
        }
        case config::value::kind::map:
            break;
    }
    json all = json::object();
    for (const auto& [key, item] : v.entries()) all[key] = to_json(item);
    return all;
}

json to_json(const experiment& e) {
    return to_json(e.resolved());
}

json network_json(const run_result& r) {
    return {{"name", r.topology}, {"nodes", r.nodes},       {"routers", r.routers},
            {"links", r.links},   {"channels", r.channels}, {"dims", r.dims}};
}

namespace {

json summary(const experiment& e, const run_result& r) {
    json s;
    s["program"] = "sare";
    s["version"] = version();
    if (!e.name.empty()) s["name"] = e.name;
    s["status"] = to_string(r.status);
    s["status_reason"] = r.reason;
    s["seed"] = r.seed;
    s["config"] = to_json(e);
    for (const auto& p : loaded_plugins()) s["plugins"].push_back({{"file", p.name}, {"sha256", p.sha256}});
    s["cycles"] = r.cycles;
    s["clock_period_s"] = r.clock_period_s;
    s["measured"] = {{"from", r.measured_from}, {"to", r.measured_to}};
    s["packets"] = counts_json(r.packets);
    s["flits"] = counts_json(r.flits);
    s["messages"] = counts_json(r.messages);
    for (const auto& d : r.drops) s["drops"][d.cause] = {{"packets", d.packets}, {"flits", d.flits}};
    if (r.detoured != 0) s["packets"]["detoured"] = r.detoured;
    for (const auto& [cause, messages] : r.lost_messages) s["lost_messages"][cause] = messages;
    if (r.reliable.type() == config::value::kind::map) s["retransmission"] = to_json(r.reliable);
    for (const auto& f : r.failures)
        s["failures"].push_back({{"at", f.at}, {"ports", f.ports}, {"routers", f.routers}});
    add_figures(s, r);
    if (!r.is_steady()) s["latency"]["steady"] = false;
    if (!r.growing.empty()) s["growing_sources"] = json::array({sources_to_come});
    if (!r.congestion.empty()) s["congestion"] = congestion(r);
    if (json of_classes = classes_json(r); !of_classes.is_null()) s["classes"] = of_classes;
    s["topology"] = network_json(r);
    s["batches"] = batches(r);
    s["workload"] = r.workload.type() == config::value::kind::map ? to_json(r.workload) : json::object();
    s["deadlock_check"] = r.deadlock_check;
    for (const auto& [name, count] : r.router_counts) s["router_counts"][name] = count;
    for (const auto& g : r.router_groups)
        s["router_groups"].push_back({{"name", g.name}, {"at", to_json(config::from_number_set(g.routers))}});
    s["run"] = {{"wall_s", r.machine.wall_s},
                {"processor_s", r.machine.processor_s},
                {"cycles_per_s", r.machine.cycles_per_s},
                {"flit_hops", r.flit_hops},
                {"elaboration_s", r.machine.elaboration_s},
                {"peak_rss_bytes", r.machine.peak_rss_bytes},
                {"threads", r.threads},
                {"folder", std::filesystem::absolute(e.folder.empty() ? "." : e.folder).string()}};
    for (const auto& [name, routers] : r.router_variants) s["run"]["routers"][name] = routers;
    if (const std::string by_default = default_routing_text(e); !by_default.empty())
        s["run"]["routing"] = by_default;
    if (const std::string links = e.link_times_text(); !links.empty()) s["run"]["links_in_cycles"] = links;
    if (const auto& b = r.border; b.processes > 1)
        s["run"]["processes"] = {{"count", b.processes},   {"window_cycles", b.window_cycles},
                                 {"windows", b.windows},   {"crossing_links", b.crossing_links},
                                 {"messages", b.messages}, {"bytes", b.bytes}};
    if (r.workload_host.type() == config::value::kind::map) s["run"]["workload"] = to_json(r.workload_host);
    return s;
}

}  // namespace

void write_summary(const experiment& e, const run_result& r, std::ostream& to) {
    const std::string text = text_of(summary(e, r));
    if (r.growing.empty()) {
        to << text;
        return;
    }
    const std::string before = "\n  \"growing_sources\": [\n    ", stand_in = json(sources_to_come).dump();
    const std::size_t begin = text.find(before + stand_in) + before.size();
    to << std::string_view(text).substr(0, begin);
    write_sources(r.growing, to);
    to << std::string_view(text).substr(begin + stand_in.size());
}

json read_json(const std::filesystem::path& file) {
    const std::string text = config::read_file(file.string(), most_bytes + 1);
    if (text.size() > most_bytes)
        throw config::error(fmt::format("{}: more than {} MiB", file.string(), most_bytes >> 20));
    std::istringstream in(text);
    std::string problem;
    struct too_deep {};
    const auto look = [](int depth, json::parse_event_t, json&) {
        if (depth > most_levels) throw too_deep();
        return true;
    };
    try {
        return json::parse(in, look);
    } catch (const too_deep&) {
        problem = fmt::format("nested more than {} deep", most_levels);
    } catch (const json::out_of_range&) {
        problem = "a number beyond all that a double holds";
    } catch (const json::exception&) {
        problem = "not valid JSON";
    }
    // The parser has taken the character behind the token, and no more; at the end there is no place.
    const auto taken = std::max<std::streamoff>(in.tellg(), 1) - 1;
    const auto end = in ? text.begin() + static_cast<std::ptrdiff_t>(taken) : text.end();
    const auto line = std::count(text.begin(), end, '\n') + 1;
    throw config::error(config::location{file.string(), static_cast<int>(line), 1}, problem);
}

std::string text_of(const json& tree) {
    return tree.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace sare::cli
