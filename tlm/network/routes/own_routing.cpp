// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/routes/own_routing.h"

#include "tlm/network/experiment.h"
#include "tlm/network/router_plan.h"
#include "tlm/router_api/registry.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/composite/hierarchical.h"

#include <algorithm>
#include <map>

namespace sare {
namespace {

bool is_null(const config::value& v) {
    return v.type() == config::value::kind::null;
}

level_routing own_of(const config::value& network, const config::value& router) {
    const auto model = router_registry::instance().make(router);
    const std::string topology = topology_registry::instance().chosen(network).name;
    return {topology, model->kind(), model->own_routing(topology), model->default_routing()};
}

/// Gives a section the place `at`: errors are about the section that chose the kind.
config::value place_at(const config::value& section, const config::location& at) {
    std::vector<config::value::entry> entries;
    for (const auto& [key, v] : section.entries())
        entries.emplace_back(key, config::value::scalar(v.text(), at));
    return config::value::map(std::move(entries), at);
}

/// Returns the default function of a topology; dor or shortest_path for foreign topologies.
std::string usual_function(const std::string& topology, const config::value& network) {
    static const std::map<std::string, std::string> known{{"mesh", "dor"},
                                                          {"torus", "dor"},
                                                          {"ring", "dor"},
                                                          {"hypercube", "dor"},
                                                          {"twisted_torus", "twisted_minimal"},
                                                          {"circulant", "circulant_minimal"},
                                                          {"midimew", "circulant_minimal"},
                                                          {"triangular_torus", "triangular_minimal"},
                                                          {"crossbar", "shortest_path"},
                                                          {"star", "shortest_path"},
                                                          {"graph", "shortest_path"},
                                                          {"kary_ntree", "tree_static"},
                                                          {"thin_tree", "tree_static"},
                                                          {"xgft", "tree_static"},
                                                          {"tree", "tree_static"},
                                                          {"dragonfly", "dragonfly_minimal"},
                                                          {"hyperx", "hyperx_minimal"},
                                                          {"fully_connected", "hyperx_minimal"},
                                                          {"clique", "hyperx_minimal"},
                                                          {"pt2pt", "hyperx_minimal"},
                                                          {"dragonfly_plus", "dragonfly_plus_minimal"},
                                                          {"express_mesh", "express_dor"},
                                                          {"ruche", "express_dor"},
                                                          {"slim_fly", "slim_fly_minimal"},
                                                          {"butterfly", "destination_tag"},
                                                          {"omega", "destination_tag"},
                                                          {"clos", "destination_tag"},
                                                          {"hierarchical", "hierarchical"},
                                                          {"planes", "planes"}};
    if (const auto found = known.find(topology); found != known.end()) return found->second;
    return topology_registry::instance().make(network)->grid() != nullptr ? "dor" : "shortest_path";
}

void take_usual_routing(experiment& e, const level_routing& all) {
    const config::location at = all.usual.empty() ? e.routing.where() : e.router.where();
    const std::string function = all.usual.empty() ? usual_function(all.topology, e.network) : all.usual;
    e.routing = place_at(config::value::map({{"function", config::value::scalar(function)}}), at);
}

[[noreturn]] void refuse(const config::location& at, const level_routing& l, const std::string& instead) {
    throw config::error(
        at, "router kind " + l.kind + " brings its own routing (" + flow_style(l.own) + "); " + instead);
}

/// Returns the levels as written; none if there are none.
std::vector<config::value> levels_given(const config::value* given, std::size_t levels) {
    if (given == nullptr) return {};
    const config::value* list = nullptr;
    if (given->type() == config::value::kind::map &&
        routing_registry::instance().chosen(*given).name == "hierarchical")
        list = given->find("levels");
    if (list == nullptr || list->type() != config::value::kind::list || list->items().size() != levels)
        throw config::error(
            given->where(),
            "a level has routers that bring their own routing; give that of the others as {function: "
            "hierarchical, levels: [...]}, ~ in the place of theirs, or leave out 'routing'");
    return list->items();
}

}  // namespace

std::vector<level_routing> own_routing(const experiment& e) {
    const auto exceptions = router_exception::read(e.routers);
    const std::vector<hierarchy_level> levels = levels_of(e.network);
    if (levels.size() < 2)
        return {own_of(levels.empty() ? e.network : levels.front().topology,
                       router_section(e.router, exceptions))};
    std::vector<level_routing> all;
    for (const hierarchy_level& level : levels) {
        config::value section = e.router;
        if (!is_null(level.router)) section = router_exception{{}, level.router}.applied_to(section);
        all.push_back(own_of(level.topology, router_section(section, exceptions)));
    }
    return all;
}

config::location left_out_routing(const experiment& e) {
    return {e.at.text() + ": routing is left out", 0, 0};
}

std::string default_routing_text(const experiment& e) {
    if (e.fidelity != fidelity::flit) return "";
    const std::string function = routing_registry::instance().chosen(e.routing).name;
    if (e.routing.where().file == left_out_routing(e).file)
        return function + ", the default for " + topology_registry::instance().chosen(e.network).name;
    return brings_all_routing(e) ? function + ", which routers of this kind bring" : "";
}

bool brings_all_routing(const experiment& e) {
    const std::vector<level_routing> levels = own_routing(e);
    return levels.size() == 1 && !is_null(levels.front().own);
}

void take_own_routing(experiment& e, const config::value* given) {
    const std::vector<level_routing> levels = own_routing(e);
    if (levels.size() == 1) {
        const level_routing& all = levels.front();
        if (is_null(all.own)) {
            if (given == nullptr) take_usual_routing(e, all);
            return;
        }
        if (given != nullptr) refuse(given->where(), all, "leave out 'routing'");
        e.routing = place_at(all.own, e.router.where());
        return;
    }
    if (std::all_of(levels.begin(), levels.end(), [](const auto& l) { return is_null(l.own); })) {
        if (given == nullptr) take_usual_routing(e, {"hierarchical", {}, {}, {}});
        return;
    }
    const std::vector<config::value> others = levels_given(given, levels.size());
    std::vector<config::value> functions;
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const level_routing& l = levels[k];
        const bool said = !others.empty() && !is_null(others[k]);
        if (is_null(l.own)) {
            functions.push_back(said ? others[k] : config::value::scalar("shortest_path"));
            continue;
        }
        // What it brings may be there: results have the whole configuration, which reads back.
        const auto text = [](const config::value& f) {
            return flow_style(routing_registry::instance().resolve(f));
        };
        if (said && text(others[k]) != text(l.own)) refuse(others[k].where(), l, "write ~ in its place");
        functions.push_back(place_at(l.own, e.router.where()));
    }
    const config::location at = given != nullptr ? given->where() : e.network.where();
    e.routing = config::value::map({{"function", config::value::scalar("hierarchical", at)},
                                    {"levels", config::value::list(std::move(functions), at)}},
                                   at);
}

}  // namespace sare
