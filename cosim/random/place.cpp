// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/place.h"

#include "tlm/base/bits.h"
#include "tlm/base/joined.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

namespace sare::cosim {
namespace {

/// A network of one router, with as many nodes as a table has entries: tables need no other map.
class lone_router final : public topology {
  public:
    lone_router(std::uint32_t ports, std::uint32_t nodes) : m_ports(ports), m_nodes(nodes) {}
    std::string name() const override { return "lone router"; }
    std::uint32_t nodes() const override { return m_nodes; }
    std::uint32_t routers() const override { return 1; }
    std::uint32_t ports(router_id) const override { return m_ports; }
    port_peer peer(router_id, port_id) const override { return {}; }
    link_attributes link(router_id, port_id) const override { return {}; }
    link_attributes injection_link(node_id) const override { return {}; }
    router_id router_of(node_id) const override { return router_id(0); }
    port_id port_of(node_id n) const override { return port_id(n.value % m_ports); }

  private:
    std::uint32_t m_ports, m_nodes;
};

/// Routes by the port to each node, here and at the next router.
class two_tables final : public routing_context {
  public:
    two_tables(const topology& map, const router_setting& s, const router_place& at)
        : m_map(map),
          m_here(at.here),
          m_next(at.next),
          m_vcs((1u << (s.model.vcs / s.classes)) - 1),
          m_forks(s.forks()) {}
    const topology& map() const override { return m_map; }
    std::uint32_t router() const override { return 0; }
    route_candidate here(const route_header& h, const input_channel&) const override {
        const std::uint32_t entry = m_here[h.destination];
        return candidate(m_forks ? static_cast<std::uint32_t>(lowest(entry)) : entry);
    }
    bool forks() const override { return m_forks; }
    void routes(const route_header& h, const input_channel& in, route_set& out) const override {
        if (!m_forks) return routing_context::routes(h, in, out);
        out.fork = true;
        for (std::uint32_t rest = m_here[h.destination]; rest != 0; rest &= rest - 1)
            out.candidates[out.size++] = candidate(static_cast<std::uint32_t>(lowest(rest)));
    }
    route_candidate ahead(const route_header& h, const input_channel&) const override {
        return candidate(m_next[h.destination]);
    }

  private:
    route_candidate candidate(std::uint32_t port) const {
        return {static_cast<std::uint8_t>(port), false, static_cast<std::uint16_t>(m_vcs)};
    }

    const topology& m_map;
    std::vector<std::uint32_t> m_here, m_next;
    std::uint32_t m_vcs;
    bool m_forks;
};

surroundings in_grid(const router_setting& s, std::uint32_t router) {
    const config::location at{"a router's place", 0, 0};
    std::vector<config::value> sizes, wrap;
    for (std::uint32_t d = 0; d < s.dims(); ++d) {
        sizes.push_back(config::number(s.sizes[d], at));
        wrap.push_back(config::value::scalar((s.wrap >> d & 1) != 0 ? "true" : "false", at));
    }
    config::value map = config::value::map({{"topology", config::value::scalar("torus", at)}}, at);
    map.set("dims", config::value::list(sizes, at));
    map.set("wrap", config::value::list(wrap, at));
    map.set("concentration", config::number(s.concentration, at));
    if (s.one_way) map.set("unidirectional", config::value::scalar("true", at));
    surroundings all;
    all.map = topology_registry::instance().make(map);
    static const char* rules[] = {"trc", "basic", "improved", "none"};
    config::value section = config::value::map({{"function", config::value::scalar("dor", at)}}, at);
    section.set("dateline", config::value::scalar(rules[s.dateline], at));
    all.routing = routing_registry::instance().make(
        section, sare::routing_context{all.map.get(), s.model.vcs / s.classes});
    all.around = std::make_unique<network_routing_context>(*all.map, *all.routing, router);
    return all;
}

}  // namespace

std::string router_place::text(const router_setting& s) const {
    if (s.table) return fmt::format("tables of {} nodes", s.nodes);
    return fmt::format("router {} of {}", router, joined(s.sizes, "x"));
}

surroundings make_surroundings(const router_setting& s, const router_place& at) {
    if (!s.table) return in_grid(s, at.router);
    surroundings all;
    all.map = std::make_unique<lone_router>(s.ports, s.nodes);
    all.around = std::make_unique<two_tables>(*all.map, s, at);
    return all;
}

}  // namespace sare::cosim
