// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/composite/hierarchical.h"

#include "tlm/config/resolved_list.h"
#include "tlm/topology/adjacency.h"
#include "tlm/topology/composite/planes.h"
#include "tlm/topology/layout/nested_layout.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

struct level {
    std::unique_ptr<topology> network;
    std::vector<std::uint32_t> gateways;
    std::uint32_t clock = 0;  ///< 0: of several networks, which know theirs
    config::value router;     ///< keys of the section 'router' that are different; null: none
    config::location at;      ///< of the gateways
    std::uint32_t count = 1;  ///< networks of this kind, in a list of unlike ones
};

/// Number of parts of a level: of its kinds of networks.
std::uint32_t kinds_of(const topology& level) {
    const auto* planes = dynamic_cast<const planes_shape*>(level.shape());
    return planes == nullptr ? 1 : std::max(planes->kinds, 1U);
}

/// The routers of the outer network come first, then those of each inner one; nodes are those of the inner
/// ones, in that of the outer nodes.
class hierarchical final : public topology {
  public:
    /// `inner`: a level, or a hierarchy, which knows its clocks and routers itself.
    hierarchical(level outer, level inner)
        : m_outer(std::move(outer.network)),
          m_inner(std::move(inner.network)),
          m_outer_clock(outer.clock),
          m_inner_clock(inner.clock) {
        m_shape.outer = m_outer.get();
        m_shape.inner = m_inner.get();
        m_shape.gateways = std::move(inner.gateways);
        m_outer_settings = m_outer->router_settings();
        if (outer.router.type() != config::value::kind::null)
            m_outer_settings.push_back({{{0, m_outer->routers() - 1}}, std::move(outer.router)});
        m_inner_settings = m_inner->router_settings();
        if (inner.router.type() != config::value::kind::null)
            m_inner_settings.push_back({{{0, m_inner->routers() - 1}}, std::move(inner.router)});
    }

    std::string name() const override { return "hierarchical"; }
    std::uint32_t nodes() const override { return m_shape.copies() * m_inner->nodes(); }
    std::uint32_t routers() const override {
        return m_outer->routers() + m_shape.copies() * m_inner->routers();
    }
    std::uint32_t ports(router_id r) const override {
        if (m_shape.is_outer(r.value)) return m_outer->ports(r);
        const router_id place = inside(r);
        return m_inner->ports(place) + (m_shape.is_gateway(place.value) ? 1 : 0);
    }

    port_peer peer(router_id r, port_id p) const override {
        if (m_shape.is_outer(r.value)) return down(m_outer->peer(r, p));
        const std::uint32_t copy = m_shape.copy_of(r.value);
        if (!is_up(r, p)) return in(copy, m_inner->peer(inside(r), p));
        const node_id n = above(r);
        return {port_peer::kind::router, m_outer->router_of(n).value, m_outer->port_of(n).value};
    }
    port_peer source(router_id r, port_id p) const override {
        if (m_shape.is_outer(r.value)) return down(m_outer->source(r, p));
        const std::uint32_t copy = m_shape.copy_of(r.value);
        if (!is_up(r, p)) return in(copy, m_inner->source(inside(r), p));
        const router_port from = m_outer->ejection_of(above(r));
        return {port_peer::kind::router, from.router.value, from.port.value};
    }
    clock_ratio clock(router_id r) const override {
        if (m_shape.is_outer(r.value)) return is_level(m_outer_clock) ? m_outer_clock : m_outer->clock(r);
        return is_level(m_inner_clock) ? m_inner_clock : m_inner->clock(inside(r));
    }
    part part_of(router_id r) const override {
        if (m_shape.is_outer(r.value)) return m_outer->part_of(r);
        part below = m_inner->part_of(inside(r));
        below.level += kinds_of(*m_outer);
        return below;
    }
    std::vector<router_setting> router_settings() const override {
        std::vector<router_setting> all = m_outer_settings;
        for (const router_setting& s : m_inner_settings) {
            all.push_back({{}, s.changes});
            for (std::uint32_t copy = 0; copy < m_shape.copies(); ++copy)
                for (const auto& [first, last] : s.at)
                    all.back().at.emplace_back(m_shape.router(copy, first), m_shape.router(copy, last));
        }
        return all;
    }
    link_attributes link(router_id r, port_id p) const override {
        if (m_shape.is_outer(r.value)) return outside(m_outer->link(r, p));
        if (is_up(r, p)) return outside(m_outer->injection_link(above(r)));
        return within(m_inner->link(inside(r), p));
    }
    link_attributes injection_link(node_id n) const override {
        return within(m_inner->injection_link(place(n)));
    }
    router_id router_of(node_id n) const override { return router(n, m_inner->router_of(place(n))); }
    port_id port_of(node_id n) const override { return m_inner->port_of(place(n)); }
    router_port ejection_of(node_id n) const override {
        const router_port exit = m_inner->ejection_of(place(n));
        return {router(n, exit.router), exit.port};
    }
    const network_shape* shape() const override { return &m_shape; }
    /// Inner networks are alike where their outer nodes are; in one, the path to the gateway tells positions
    /// apart. Of several gateways some may be further apart than others.
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        if (m_shape.gateways.size() > 1) return {};
        std::vector<std::pair<node_id, std::uint32_t>> all;
        for (const auto& [n, count] : m_outer->node_classes())
            for (std::uint32_t k = 0; k < m_inner->nodes(); ++k)
                all.emplace_back(node_id(m_shape.node(n.value, k)), count);
        return all;
    }

    std::unique_ptr<layout> picture() const override {
        auto outer = m_outer->picture(), inner = m_inner->picture();
        if (!outer || !inner) return nullptr;
        return std::make_unique<nested_layout>(m_shape, std::move(outer), std::move(inner));
    }

    /// Up to the gateway, over the outer network, and down from the gateway: all paths out of an inner
    /// network pass its gateway. Of several gateways a search finds the nearest.
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        if (m_shape.gateways.size() > 1) return topology::add_path(from, to, sum);
        const router_id gateway(m_shape.gateways[0]);
        const bool below = !m_shape.is_outer(from.value), above = m_shape.is_outer(to.value);
        if (below && !above && m_shape.copy_of(from.value) == m_shape.copy_of(to.value))
            return add_inner(inside(from), inside(to), sum);
        router_id start = from, end = to;
        if (below) {
            const node_id n(m_shape.copy_of(from.value));
            add_inner(inside(from), gateway, sum);
            sum.add(outside(m_outer->injection_link(n)));
            start = m_outer->router_of(n);
        }
        if (!above) {
            const router_port exit = m_outer->ejection_of(node_id(m_shape.copy_of(to.value)));
            end = exit.router;
            sum.add(outside(m_outer->link(exit.router, exit.port)));
            add_inner(gateway, inside(to), sum);
        }
        path_cost across;
        m_outer->add_path(start, end, across);
        sum.add(across, is_level(m_outer_clock) ? m_outer_clock : 1);
    }

  private:
    static bool is_level(std::uint32_t clock) { return clock != 0; }
    link_attributes outside(link_attributes a) const {
        if (is_level(m_outer_clock)) a.clock = m_outer_clock;
        return a;
    }
    link_attributes within(link_attributes a) const {
        if (is_level(m_inner_clock)) a.clock = m_inner_clock;
        return a;
    }
    void add_inner(router_id from, router_id to, path_cost& sum) const {
        path_cost path;
        m_inner->add_path(from, to, path);
        sum.add(path, is_level(m_inner_clock) ? m_inner_clock : 1);
    }
    router_id inside(router_id r) const { return router_id(m_shape.place_of(r.value)); }
    node_id place(node_id n) const { return node_id(n.value % m_inner->nodes()); }
    router_id router(node_id n, router_id place) const {
        return router_id(m_shape.router(n.value / m_inner->nodes(), place.value));
    }
    /// The port of a gateway to the outer network.
    bool is_up(router_id r, port_id p) const {
        const std::uint32_t place = m_shape.place_of(r.value);
        return m_shape.is_gateway(place) && p.value == m_shape.gateway_port(place);
    }
    /// The outer node that a gateway is in place of.
    node_id above(router_id r) const {
        return node_id(
            m_shape.outer_node(m_shape.copy_of(r.value), m_shape.number_of(m_shape.place_of(r.value))));
    }
    /// Where a node of the outer network was, a gateway is.
    port_peer down(port_peer end) const {
        if (end.what != port_peer::kind::node) return end;
        const std::uint32_t gateway = m_shape.gateway_at(end.id);
        return {port_peer::kind::router, m_shape.router(m_shape.copy_at(end.id), gateway),
                m_shape.gateway_port(gateway)};
    }
    port_peer in(std::uint32_t copy, port_peer end) const {
        if (end.what == port_peer::kind::router) end.id = m_shape.router(copy, end.id);
        if (end.what == port_peer::kind::node) end.id = m_shape.node(copy, end.id);
        return end;
    }

    std::unique_ptr<topology> m_outer, m_inner;
    std::uint32_t m_outer_clock, m_inner_clock;
    std::vector<router_setting> m_outer_settings, m_inner_settings;
    hierarchy_shape m_shape;
};

/// What a level has beside the parameters of its topology.
struct level_keys {
    std::vector<std::uint32_t> gateways{0};
    std::uint32_t clock = 1, count = 1;
    config::value router;

    static config::schema<level_keys> fields() {
        config::schema<level_keys> all;
        all.integers("gateway", &level_keys::gateways, 0, most_routers - 1, "",
                     "the routers of this network that are linked to the one around it, each in place of a "
                     "node of that; none of the outermost")
            .number("clock", &level_keys::clock, 1, most_clock, "cycles of the network",
                    "that a cycle of this level takes: of its routers, its links, and those to its nodes; "
                    "link latencies are in cycles of the level")
            .number("count", &level_keys::count, 1, 65536, "",
                    "in a list of unlike networks: how many of this kind, one after the other")
            .raw("router", &level_keys::router, "keys of 'router'",
                 "what is different about the routers of this level, their kind too");
        return all;
    }
    static constexpr std::uint32_t most_clock = 1000;
};

config::value resolve_levels(const config::value& list) {
    if (list.type() != config::value::kind::list) return list;
    std::vector<config::value> levels;
    for (const config::value& level : list.items()) {
        const bool unlike = level.type() == config::value::kind::list;
        const config::value one = unlike ? level : config::value::list({level}, level.where());
        const config::value resolved =
            config::resolved_entries<topology_registry>(one, level_keys::fields().describe(), "levels");
        levels.push_back(unlike ? resolved : resolved.items().front());
    }
    return config::value::list(std::move(levels), list.where());
}

struct parameters {
    config::value levels;
};

config::schema<parameters> fields() {
    config::schema<parameters> all;
    all.list("levels", &parameters::levels, "nested list of topologies", level_keys::fields().describe(),
             "the networks from the outermost to the innermost, each with its topology and that one's "
             "parameters: every node of one, or several together, is a whole network of the next; a list in "
             "the place of a level has unlike networks, for successive nodes",
             resolve_levels);
    return all;
}

/// Nodes must reach the gateway and be reached from it: not so in networks of one-way stages.
void check_gateway(const level& l, std::uint32_t gateway) {
    const topology& net = *l.network;
    if (gateway >= net.routers())
        throw config::error(l.at, fmt::format("'gateway' is {}; the {} has routers 0 to {}", gateway,
                                              net.name(), net.routers() - 1));
    if (net.ports(router_id(gateway)) >= most_ports)
        throw config::error(
            l.at, fmt::format("router {} has no port left for being the gateway; a router has at most {}",
                              gateway, most_ports));
    std::vector<std::uint32_t> distance, queue;
    for (const auto way : {adjacency::direction::forward, adjacency::direction::backward}) {
        breadth_first(adjacency(net, way), gateway, distance, queue);
        for (std::uint32_t n = 0; n < net.nodes(); ++n) {
            const bool forward = way == adjacency::direction::forward;
            const router_id r = forward ? net.ejection_of(node_id(n)).router : net.router_of(node_id(n));
            if (distance[r.value] == unreached)
                throw config::error(
                    l.at, fmt::format("in the {} there is no way {} the gateway, router {}, {} node {}; a "
                                      "network of one-way stages can only be the outermost",
                                      net.name(), (forward ? "from" : "to"), gateway,
                                      (forward ? "to" : "from"), n));
        }
    }
}

void check_gateways(const level& l) {
    if (l.gateways.empty())
        throw config::error(l.at, "'gateway' is an empty list; it names one router or more");
    std::vector<std::uint32_t> sorted = l.gateways;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        throw config::error(l.at, fmt::format("'gateway' names router {} twice", *twice));
    for (const std::uint32_t gateway : l.gateways) check_gateway(l, gateway);
}

/// Networks of several gateways take the nodes of the outer network in turn.
void check_shares(const topology& outer, const level& inner) {
    const std::size_t gateways = inner.gateways.size();
    if (const auto* planes = dynamic_cast<const planes_shape*>(outer.shape());
        planes != nullptr && planes->kinds > 0)
        for (const planes_shape::plane& p : planes->planes) check_shares(*p.network, inner);
    if (outer.nodes() % gateways == 0) return;
    const bool unlike =
        inner.clock == 0 && dynamic_cast<const planes_shape*>(inner.network->shape()) != nullptr;
    throw config::error(inner.at,
                        fmt::format("{}{}{}, each in place of a node of the network around; the {} has {} "
                                    "nodes, which must be a multiple",
                                    unlike ? "the list has " : "'gateway' names ", gateways,
                                    unlike ? " gateways" : " routers", outer.name(), outer.nodes()));
}

std::unique_ptr<topology> make_level(const config::value& section) {
    if (topology_registry::instance().chosen(section).name == "hierarchical")
        throw config::error(section.where(),
                            "a level is 'hierarchical' itself; write its levels into the list around it");
    return topology_registry::instance().make(section);
}

/// A name is that of a kind.
config::value router_keys(const config::value& given) {
    if (given.type() == config::value::kind::scalar)
        return config::value::map({{"kind", given}}, given.where());
    if (given.type() == config::value::kind::map || given.type() == config::value::kind::null) return given;
    throw config::error(given.where(),
                        "'router' of a level is a section like 'router', such as '{depth: 16}'");
}

level read_level(const config::value& item, bool outermost) {
    const auto [own, network] = config::split(item, level_keys::fields().describe());
    level l;
    l.at = place(item, "gateway");
    if (own.find("gateway") != nullptr && outermost)
        throw config::error(l.at, "the outermost network has no 'gateway': there is nothing around it");
    level_keys keys;
    level_keys::fields().read(own, keys, "levels");
    l.gateways = std::move(keys.gateways);
    l.clock = keys.clock;
    l.count = keys.count;
    l.router = router_keys(keys.router);
    l.network = make_level(network);
    if (!outermost) check_gateways(l);
    return l;
}

/// Networks of a list, as planes.
level read_unlike(const config::value& list, bool outermost) {
    if (outermost || list.items().empty())
        throw config::error(list.where(), outermost
                                              ? "the outermost level is one network, not a list: nothing "
                                                "would join its networks"
                                              : "a list of unlike networks is empty");
    level all;
    all.at = list.where();
    std::vector<plane_member> members;
    std::uint64_t routers = 0;
    for (const config::value& item : list.items()) {
        const auto kind = static_cast<std::uint32_t>(&item - list.items().data());
        for (std::uint32_t k = 0, count = 1; k < count; ++k) {
            level one = read_level(item, false);
            count = one.count;
            for (const std::uint32_t g : one.gateways)
                all.gateways.push_back(g + static_cast<std::uint32_t>(routers));
            routers += one.network->routers();
            if (routers > most_routers)
                throw config::error(list.where(),
                                    fmt::format("the networks have more than {} routers", most_routers));
            members.push_back({std::move(one.network), kind, one.clock, std::move(one.router)});
        }
    }
    all.network = make_planes(std::move(members));
    return all;
}

std::vector<level> read_levels(const config::value& list, const config::value& section) {
    if (list.type() == config::value::kind::null || config::to_list(list, "levels").empty())
        throw config::error(place(section, "levels"),
                            "'levels' is empty; give the networks, outermost first: 'levels: [{topology: "
                            "torus, dims: [4, 4]}, {topology: star, n: 2, gateway: 0}]'");
    std::vector<level> all;
    for (const config::value& item : list.items()) {
        const bool outermost = all.empty();
        all.push_back(item.type() == config::value::kind::list ? read_unlike(item, outermost)
                                                               : read_level(item, outermost));
        if (item.type() != config::value::kind::list && all.back().count != 1)
            throw config::error(
                place(item, "count"),
                "'count' is of networks in a list of unlike ones; the network around says how "
                "many there are of a level");
    }
    return all;
}

void check_size(std::uint64_t outer, std::uint64_t nodes, std::uint64_t inner, std::uint64_t most,
                const char* what, const config::location& at) {
    if (outer + nodes * inner <= most) return;
    throw config::error(
        at, fmt::format("the levels together have {} {}; at most {}", outer + nodes * inner, what, most));
}

}  // namespace

std::vector<hierarchy_level> levels_of(const config::value& network) {
    std::vector<hierarchy_level> all;
    if (topology_registry::instance().chosen(network).name != "hierarchical") return all;
    const config::value* const list = network.find("levels");
    if (list == nullptr || list->type() != config::value::kind::list) return all;
    const auto add = [&all](const config::value& item) {
        const auto [own, rest] = config::split(item, level_keys::fields().describe());
        const config::value* const router = own.find("router");
        all.push_back({rest, router == nullptr ? config::value() : router_keys(*router)});
    };
    for (const config::value& level : list->items()) {
        if (level.type() != config::value::kind::list)
            add(level);
        else
            for (const config::value& item : level.items()) add(item);
    }
    return all;
}

namespace {

/// From the innermost level outwards.
std::unique_ptr<topology> make(const parameters& p, const config::value& section) {
    std::vector<level> levels = read_levels(p.levels, section);
    level all = std::move(levels.back());
    if (levels.size() == 1 && (all.clock != 1 || all.router.type() != config::value::kind::null))
        throw config::error(place(section, "levels"),
                            "'levels' has one level, whose clock is that of the network and whose routers "
                            "are those of 'router'; leave its 'clock' and 'router' out");
    for (std::size_t i = levels.size() - 1; i > 0; --i) {
        const topology& outer = *levels[i - 1].network;
        const auto at = place(section, "levels");
        check_shares(outer, all);
        const std::uint64_t copies = outer.nodes() / all.gateways.size();
        check_size(outer.routers(), copies, all.network->routers(), most_routers, "routers", at);
        check_size(0, copies, all.network->nodes(), most_nodes, "nodes", at);
        level whole;
        whole.gateways = levels[i - 1].gateways;
        whole.at = levels[i - 1].at;
        whole.network = std::make_unique<hierarchical>(std::move(levels[i - 1]), std::move(all));
        all = std::move(whole);
    }
    return std::move(all.network);
}

const config::registration<topology> registered{
    "hierarchical",
    "Networks of networks: every node of a level is a whole network of the next, joined to it by a gateway, "
    "or several are, with as many gateways.",
    fields(), make};

}  // namespace
}  // namespace sare
