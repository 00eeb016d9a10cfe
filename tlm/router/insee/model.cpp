// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/insee/model.h"

#include "tlm/router/insee/bank.h"
#include "tlm/router_api/base/router_groups.h"
#include "tlm/router_api/registry.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"
#include "tlm/topology/tree/fat_tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

config::value function(const std::string& name,
                       const std::vector<std::pair<std::string, std::string>>& parameters = {}) {
    config::value v = config::value::map({{"function", config::value::scalar(name)}});
    for (const auto& [key, text] : parameters) v.set(key, config::value::scalar(text));
    return v;
}

/// Returns the routing function that takes shortest paths, axis by axis.
const char* in_order(const std::string& topology) {
    if (topology == "twisted_torus") return "twisted_minimal";
    if (topology == "circulant" || topology == "midimew") return "circulant_minimal";
    if (topology == "triangular_torus") return "triangular_minimal";
    return "dor";
}

config::value routing_of(const dally_params& p, const std::string& topology) {
    const char* const along = in_order(topology);
    switch (p.policy) {
        case dally_policy::trc:
            return function(along, {{"dateline", "trc"}});
        case dally_policy::basic:
            return function(along, {{"dateline", "ahead"}});
        case dally_policy::improved:
            return function(along, {{"dateline", "improved_ahead"}});
        case dally_policy::adaptive:
            break;
    }
    return function("duato");
}

config::value routing_of(const bubble_params& p, const std::string& topology) {
    const bool oblivious = p.request == request_policy::oblivious;
    const std::string along = in_order(topology);
    if (along != "dor")
        return function(along, {{"dateline", "none"}, {"adaptive", oblivious ? "false" : "true"}});
    if (oblivious) return function("dor", {{"dateline", "none"}});
    return function("duato", {{"escape", "bubble"}});
}

/// The way up goes by the source in k-ary n-trees. In thin trees it goes by the destination, since there the
/// nodes of a switch would not be spread over the ways up by their own numbers.
config::value routing_of(const multistage_params& p, const std::string& topology) {
    if (p.routing == tree_policy::adaptive) return function("tree_adaptive");
    const bool by_source = p.routing == tree_policy::by_source || topology == "kary_ntree";
    return function("tree_static", {{"by", by_source ? "source" : "destination"}, {"spread_vcs", "true"}});
}

/// Returns the networks whose links all lead along axes.
phit_model::purpose direct_networks() {
    return {
        "direct networks (mesh, torus, ring, hypercube, twisted_torus, circulant, midimew, triangular_torus)",
        [](const topology& net) {
            return net.grid() != nullptr || std::string(in_order(net.name())) != "dor";
        }};
}

phit_model::purpose networks_of(const dally_params& p) {
    if (p.policy != dally_policy::adaptive) return direct_networks();
    return {
        "grids with 'policy: adaptive' (mesh, torus, ring, hypercube), with other policies for all direct "
        "networks",
        [](const topology& net) { return net.grid() != nullptr; }};
}
phit_model::purpose networks_of(const bubble_params&) {
    return direct_networks();
}
phit_model::purpose networks_of(const multistage_params&) {
    return {"trees (kary_ntree, thin_tree, tree, xgft)",
            [](const topology& net) { return dynamic_cast<const tree_shape*>(net.shape()) != nullptr; }};
}

const char* safety_of(const bubble_params&) {
    return "bubble flow control: no ring is ever full, so a packet in it always gets on";
}
template <class P>
const char* safety_of(const P&) {
    return "";
}

/// Throws config::error unless the VCs make two dateline classes alike, as in INSEE. A single VC is enough
/// where no link wraps round.
void check_vcs(const dally_params& p, const config::value& section) {
    if (p.policy == dally_policy::adaptive || p.vcs == 1 || p.vcs % 2 == 0) return;
    throw config::error(place(section, "vcs"),
                        fmt::format("'vcs' is {}; this dateline policy divides them into two classes alike, "
                                    "so it must be even ('policy: adaptive' takes any number from 3 on)",
                                    p.vcs));
}
template <class P>
void check_vcs(const P&, const config::value&) {}

template <class P>
config::registration<router_model> make_kind(const char* name, const char* sentence) {
    return {name, sentence, P::fields(), [name](const P& p, const config::value& section) {
                check_vcs(p, section);
                return std::make_unique<phit_model>(
                    name, phit_setting(p),
                    [p](const std::string& topology) { return routing_of(p, topology); }, safety_of(p),
                    networks_of(p), section);
            }};
}

const auto dally = make_kind<dally_params>(
    "dally",
    "INSEE's phit-level router for meshes and tori, with datelines; nodes inject by its own queues.");
const auto bubble = make_kind<bubble_params>(
    "bubble", "INSEE's phit-level router with bubble flow control; nodes inject by its own queues.");
const auto multistage = make_kind<multistage_params>(
    "multistage", "INSEE's phit-level switch of any number of ports, for trees.");

const phit_setting& setting_of(const router_instance& p) {
    return static_cast<const phit_model*>(p.model)->setting();
}

/// Number of ports of a router that lead to nodes of `map`; they are its last ones.
std::uint32_t node_ports(const topology& map, router_id router) {
    std::uint32_t count = 0;
    for (std::uint32_t p = 0; p < map.ports(router); ++p)
        if (map.peer(router, port_id(p)).what == port_peer::kind::node) ++count;
    return count;
}

/// Number of ports of a router that lead to routers of its own network, which may be one of several in a
/// hierarchy.
std::uint32_t directions_of(const topology& map, router_id router) {
    const topology::part at = map.part_of(router);
    return at.network->ports(at.router) - node_ports(*at.network, at.router);
}

/// Number of injection queues of a node.
std::uint32_t injection_queues(const phit_setting& p, std::uint32_t directions) {
    return p.injection == injection_policy::shortest ? p.injection_queues : directions;
}

phit_shape phit_sizes_of(const router_context& net, const router_instance& p) {
    phit_shape s;
    s.params = setting_of(p);
    s.ports = p.ports;
    s.vcs = s.params.vcs;
    s.transit = s.inputs = p.ports * s.vcs;
    s.slots = std::max(s.params.queue, s.params.injection_length) + 1;
    s.room = s.params.queue * s.params.packet;
    s.ways = net.routing()->max_candidates();
    if (!s.params.owns_nodes()) return s;
    s.directions = directions_of(*net.map(), router_id(p.router));
    const coordinate_shape& grid = *net.map()->part_of(router_id(p.router)).network->coordinates();
    s.axes = grid.axes();
    s.minus_last = grid.minus_last;
    s.injection = injection_queues(s.params, s.directions);
    s.inputs += node_ports(*net.map(), router_id(p.router)) * s.injection;
    return s;
}

phit_shape phit_shape_of(const router_context& net, const router_instance& p) {
    phit_shape s = phit_sizes_of(net, p);
    if (config::name_of<arbiter>(s.params.arbitration) == "round_robin") return s;
    s.policy = config::make_chosen<arbiter>(s.params.arbitration);
    s.words_each = s.policy->words({s.inputs, s.ports, net.classes()});
    return s;
}

/// Returns the terms of a router. Routers of a hierarchy's outer networks own no nodes.
router_terms terms_of(const router_instance& p, const phit_shape& s) {
    router_terms t = p.model->terms();
    t.owns_nodes = s.inputs != s.transit;
    t.injections_per_cycle = s.injection * s.params.injection_length;
    return t;
}

/// Returns the congestion control that all banks share; null without a limit. Throws config::error if routers
/// differ in it.
std::shared_ptr<global_congestion> congestion_of(const router_context& net,
                                                 const std::vector<router_instance>& all) {
    const phit_setting& first = setting_of(all.front());
    std::uint64_t places = 0;
    for (const auto& one : all) {
        const phit_setting& p = setting_of(one);
        if (p.global_limit != first.global_limit || p.global_interval != first.global_interval)
            throw config::error(fmt::format(
                "routers {} and {} differ in 'global_limit' or 'global_interval', which are the network's",
                all.front().router, one.router));
        const std::uint32_t links = one.ports - node_ports(*net.map(), router_id(one.router));
        places += std::uint64_t{links} * p.vcs * p.queue * p.packet;
    }
    if (first.global_limit >= 1) return nullptr;
    return std::make_shared<global_congestion>(first.global_limit, first.global_interval, places);
}

std::unique_ptr<router_bank> make_bank(router_context& net, const phit_shape& s, const router_terms& terms,
                                       std::vector<std::uint32_t> routers,
                                       const std::shared_ptr<global_congestion>& congestion) {
    if (s.inputs > 64 * 64)
        throw config::error(fmt::format(
            "router {} has {} queues (ports times VCs, and the injection queues of its nodes); at most {}",
            routers.front(), s.inputs, 64 * 64));
    if (s.ports > 64 || s.inputs > 64 * 17)
        return std::make_unique<phit_bank<64>>(net, s, terms, std::move(routers), congestion);
    if (s.inputs <= 64) return std::make_unique<phit_bank<1>>(net, s, terms, std::move(routers), congestion);
    if (s.inputs <= 256) return std::make_unique<phit_bank<4>>(net, s, terms, std::move(routers), congestion);
    return std::make_unique<phit_bank<17>>(net, s, terms, std::move(routers), congestion);
}

/// Throws config::error for a router that does not fit its network.
void check_place(const router_context& net, const router_instance& p) {
    const auto fails = [&](const std::string& why) {
        throw config::error(fmt::format("router {} of kind {}{}", p.router, p.model->kind(), why));
    };
    if (net.routing() == nullptr || net.map() == nullptr) fails(" needs a map and a routing function");
    if (!setting_of(p).owns_nodes()) return;
    const topology& its = *net.map()->part_of(router_id(p.router)).network;
    const coordinate_shape* grid = its.coordinates();
    if (grid == nullptr)
        fails(
            " needs a network whose routers have coordinates (a grid, twisted or triangular torus, circulant "
            "or midimew)");
    const bool longest = setting_of(p).injection == injection_policy::longest_path;
    if (longest && grid->more_axes != 0)
        fails(" has 'injection' longest_path, which is for grids and twisted tori");
    if (longest && &its != net.map())
        fails(" has 'injection' longest_path, which is not for levels of a hierarchy");
    if (p.clock != &running_clock::of_network() && setting_of(p).global_limit < 1)
        fails(" has clock " + p.clock->text() + "; 'global_limit' is for clock 1");
}

}  // namespace

phit_model::phit_model(std::string kind, const phit_setting& setting, routing_by_topology routing,
                       std::string safety, purpose networks, const config::value& section)
    : m_kind(std::move(kind)),
      m_setting(setting),
      m_routing(std::move(routing)),
      m_safety(std::move(safety)),
      m_networks(std::move(networks)) {
    const std::uint64_t places =
        std::uint64_t{std::max(setting.queue, setting.injection_length)} * setting.packet;
    if (places > 65535)
        throw config::error(
            section.where(),
            fmt::format("a queue has room for {} phits (packets times 'packet'); at most 65535", places));
    if (setting.flow == phit_flow::bubble && setting.queue < 2)
        throw config::error(section.where(),
                            "'queue' is 1; bubble flow control needs queues of at least 2 packets");
    if (setting.local_bubble > setting.queue)
        throw config::error(
            place(section, "local_bubble"),
            fmt::format("'local_bubble' is {}; a queue has room for {} packets, so no new packet would enter",
                        setting.local_bubble, setting.queue));
}

router_terms phit_model::terms() const {
    router_terms t;
    t.vcs = m_setting.vcs;
    t.most_ports = most_ports;
    t.depth = m_setting.queue * m_setting.packet;
    t.sharing = buffer_sharing::per_vc;
    t.whole_packets = true;
    t.conserves_packets = m_setting.drop == injection_drop::never;
    t.thread_safe = t.conserves_packets;
    t.packet = m_setting.packet;
    t.owns_nodes = m_setting.owns_nodes();
    t.on_links = fmt::format("packets of {} phits", m_setting.packet);
    return t;
}

bool phit_model::equals(const router_model& other) const {
    return other.kind() == kind() && static_cast<const phit_model&>(other).m_setting == m_setting;
}

std::uint32_t phit_model::most_injected(const topology& map, router_id r) const {
    return m_setting.owns_nodes() ? injection_queues(m_setting, directions_of(map, r)) : 1;
}

/// Counts a phit from every queue at once, the injection queues of the router's nodes included.
std::uint32_t phit_model::most_ejected(const topology& map, router_id r) const {
    if (!m_setting.owns_nodes() || m_setting.consumption == consumption_mode::single) return 1;
    return directions_of(map, r) * m_setting.vcs + node_ports(map, r) * most_injected(map, r);
}

std::vector<std::unique_ptr<router_bank>> phit_model::make_banks(
    router_context& net, const std::vector<router_instance>& all) const {
    for (const router_instance& p : all) check_place(net, p);
    const auto first_and_shape = [&net](const router_instance& p) {
        return std::pair(&p, phit_shape_of(net, p));
    };
    auto groups = group_routers(all, first_and_shape, [](const auto& a, const auto& b) {
        const phit_shape &s = a.second, &t = b.second;
        return s.params == t.params && s.ports == t.ports && s.inputs == t.inputs &&
               s.directions == t.directions && s.axes == t.axes && s.minus_last == t.minus_last;
    });
    const auto congestion = congestion_of(net, all);
    std::vector<std::unique_ptr<router_bank>> banks;
    banks.reserve(groups.size());
    for (auto& [what, domain, routers] : groups)
        banks.push_back(
            make_bank(net, what.second, terms_of(*what.first, what.second), std::move(routers), congestion));
    return banks;
}

}  // namespace sare
