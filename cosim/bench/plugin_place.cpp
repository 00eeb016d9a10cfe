// SPDX-License-Identifier: Apache-2.0
#include "cosim/bench/plugin_place.h"

#include "cosim/cosim_params.h"
#include "tlm/api/workload.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace sare::cosim {
namespace {

router_plugin load(const experiment& e, std::uint32_t router) {
    const auto& rtl = e.sections.of<cosim_params>();
    if (rtl.rtl_of(router) == cosim_params::own_router)
        throw config::error(rtl.at, "cosim.rtl must name the library (.so) of a router of your own");
    try {
        return router_plugin(plugin_file(e, router));
    } catch (const std::runtime_error& problem) {
        throw config::error(rtl.at, std::string("cosim.rtl: ") + problem.what());
    }
}

network_blueprint blueprint(const experiment& e) {
    const std::shared_ptr<const topology> map = e.make_map();
    const auto traffic = workload_registry::instance().make(e.traffic, {e.folder, map->nodes()});
    return {e, map, traffic->classes_needed()};
}

bool is_same(const packet_flow& a, const packet_flow& b) {
    const auto all = [](const packet_flow& f) {
        return std::tuple(f.in, f.vcs, f.header.destination, f.header.state, f.header.vc_base);
    };
    return all(a) == all(b);
}

}  // namespace

plugin_place::plugin_place(experiment e, std::uint32_t router)
    : m_experiment(std::move(e)), m_plugin(load(m_experiment, router)), m_net(blueprint(m_experiment)) {
    const config::location& at = m_experiment.sections.of<cosim_params>().at;
    const topology& map = m_net.map();
    const routing_function& routing = m_net.routing();
    if (router >= map.routers())
        throw config::error(
            at, fmt::format("there is no router {}; the network has {}, 0 and up", router, map.routers()));
    if (!routing.deterministic() || routing.looks_at_congestion())
        throw config::error(at, "a router of your own needs a deterministic routing function, such as dor");
    std::shared_ptr<const arrivals> who;
    if (routing.tabular_by_input() && !routing.tabular()) who = std::make_shared<arrivals>(map, routing);
    m_around = std::make_unique<network_routing_context>(map, routing, router, who);
    router_setting& s = m_setting;
    s.ports = map.ports(router_id(router));
    s.model.vcs = m_net.vcs();
    s.model.depth = m_net.plan().terms(router).depth;
    s.classes = m_net.classes();
    s.table = true;
    s.nodes = map.nodes();
    s.room = facts().room;
    s.longest = nic().max_packet_flits;
    if (facts().room == pins::head_credits::whole_packet) s.model.switching = switching_mode::cut_through;
    if (facts().room == pins::head_credits::empty_buffer) s.model.reallocation = reallocation_rule::atomic;
    for (std::uint32_t q = 0; q < s.ports; ++q)
        s.out_depth.push_back(
            downstream_depth(m_experiment, m_net.plan(), router, map.peer(router_id(router), port_id(q))));
    find_flows();
    if (m_flows.empty())
        throw config::error(
            at, fmt::format("no packet comes to router {} whose route its header's directions say", router));
}

plugin_router plugin_place::make(const packet_table& packets, const second_router& second) const {
    return make_plugin_router(m_experiment, m_net.plan(), fmt::format("router {}", router()), *m_around,
                              m_net.routing(), packets, second);
}

/// Follows one packet of every class and every header between all nodes.
void plugin_place::find_flows() {
    for (std::uint32_t c = 0; c < m_net.classes(); ++c)
        for (std::uint32_t from = 0; from < m_net.map().nodes(); ++from)
            for (std::uint32_t to = 0; to < m_net.map().nodes(); ++to) {
                route_header plain;
                plain.source = from;
                plain.destination = to;
                plain.vc_base = static_cast<std::uint8_t>(m_net.shares().first(c));
                std::vector<route_header> begun;
                m_net.routing().every_header(plain, begun);
                for (const route_header& h : begun) follow(h, m_net.shares().own(c));
            }
}

void plugin_place::follow(const route_header& begun, std::uint32_t vcs) {
    const topology& map = m_net.map();
    route_header h = begun;
    const node_id source(h.source);
    std::uint32_t mask = (1u << vcs) - 1;
    port_peer at{port_peer::kind::router, map.router_of(source).value, map.port_of(source).value};
    for (std::uint32_t hops = 0; at.what == port_peer::kind::router && hops < 4 * map.routers(); ++hops) {
        packet_flow f{at.port, mask << h.vc_base, h, 0};
        route_set found;
        m_net.routing().route(at.id, at.port, static_cast<std::uint32_t>(__builtin_ctz(f.vcs)), h, found);
        f.out = found.candidates[0].port;
        const bool here =
            at.id == router() && h.via == 0 && h.phase == 0 && (facts().turns_back || f.out != f.in);
        const auto same = [&f](const packet_flow& other) { return is_same(f, other); };
        if (here && std::none_of(m_flows.begin(), m_flows.end(), same)) m_flows.push_back(f);
        mask = found.candidates[0].vcs;
        at = map.peer(router_id(at.id), port_id(f.out));
    }
}

std::vector<std::uint32_t> possible_routers(const experiment& e) {
    const auto& rtl = e.sections.of<cosim_params>();
    std::vector<std::uint32_t> all;
    std::optional<config::error> refusal;
    for (std::uint32_t r = 0, routers = e.make_map()->routers(); r < routers; ++r) {
        if (!rtl.replace.empty() && !rtl.replace.contains(r)) continue;
        try {
            plugin_place(e, r).make({}, {});
            all.push_back(r);
        } catch (const config::error& problem) {
            refusal = problem;
        }
    }
    if (!all.empty()) return all;
    throw refusal ? *refusal : config::error(rtl.at, "cosim.replace has no router of this network");
}

std::string experiment_of_library(const std::string& file) {
    const pins::router_facts& f = router_plugin(file).facts();
    // A flit and the credit for its place take so many cycles on a link: with fewer places it would be
    // slower.
    constexpr std::uint32_t round_trip = 4;
    const bool counts = f.flow == pins::flow_control::credit;
    const std::uint32_t depth = counts ? f.depth : std::max(f.depth, round_trip);
    const std::uint32_t beyond = std::max({depth, f.credits, f.reaction + 1});
    const std::string rule = f.room == pins::head_credits::whole_packet   ? ", switching: cut_through"
                             : f.room == pins::head_credits::empty_buffer ? ", reallocation: atomic"
                                                                          : "";
    const std::uint32_t longest = std::min(f.longest_packet != 0 ? f.longest_packet : ~0u,
                                           f.room == pins::head_credits::whole_packet ? depth : 64);
    return fmt::format(
        "network: {{topology: mesh, dims: {}}}\nrouting: dor\nrouter: {{vcs: {}, depth: {}{}}}\nnic: "
        "{{ejection_depth: {}, max_packet_flits: {}}}\ntraffic: {{workload: bernoulli}}\ncosim: {{rtl: '{}', "
        "replace: all}}\n",
        f.ports < 5 ? "[4]" : "[4, 4]", f.vcs, depth, rule, beyond, longest,
        std::filesystem::absolute(file).string());
}

}  // namespace sare::cosim
