// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/composite/planes.h"

#include "tlm/config/resolved_list.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sare::variants::planes {
namespace {

/// The pictures of the planes from left to right.
class planes_layout final : public layout {
  public:
    planes_layout(const planes_shape& shape, std::vector<std::unique_ptr<layout>> pictures)
        : m_shape(shape), m_pictures(std::move(pictures)) {
        constexpr double between = 2;
        double x = 0;
        for (std::size_t k = 0; k < m_pictures.size(); ++k) {
            double left = HUGE_VAL, right = -HUGE_VAL;
            for (std::uint32_t r = 0; r < m_shape.planes[k].network->routers(); ++r) {
                const double at = m_pictures[k]->of(router_id(r)).x;
                left = std::min(left, at);
                right = std::max(right, at);
            }
            m_moved.push_back(x - left);
            x += right - left + between;
        }
    }
    spot of(router_id r) const override {
        const planes_shape::plane& p = m_shape.of_router(r.value);
        const std::uint32_t k = m_shape.number_of(p);
        spot at = m_pictures[k]->of(router_id(r.value - p.first_router));
        at.x += m_moved[k];
        at.group = k;
        return at;
    }
    std::optional<double> stub(router_id r, port_id port) const override {
        const planes_shape::plane& p = m_shape.of_router(r.value);
        return m_pictures[m_shape.number_of(p)]->stub(router_id(r.value - p.first_router), port);
    }
    std::string group_name(std::uint32_t group) const override { return fmt::format("plane {}", group); }

  private:
    const planes_shape& m_shape;
    std::vector<std::unique_ptr<layout>> m_pictures;
    std::vector<double> m_moved;
};

class planes final : public topology {
  public:
    planes(std::vector<plane_member> members, bool as_parts) : m_members(std::move(members)) {
        for (const plane_member& m : m_members) {
            m_shape.planes.push_back({m.network.get(), m_routers, m_nodes, m.kind});
            m_routers += m.network->routers();
            m_nodes += m.network->nodes();
        }
        if (as_parts) m_shape.kinds = m_members.back().kind + 1;
    }

    std::string name() const override { return "planes"; }
    std::uint32_t nodes() const override { return m_nodes; }
    std::uint32_t routers() const override { return m_routers; }
    std::uint32_t ports(router_id r) const override { return at(r).network->ports(own(r)); }
    port_peer peer(router_id r, port_id p) const override {
        return whole(at(r), at(r).network->peer(own(r), p));
    }
    port_peer source(router_id r, port_id p) const override {
        return whole(at(r), at(r).network->source(own(r), p));
    }
    link_attributes link(router_id r, port_id p) const override {
        return clocked(at(r), at(r).network->link(own(r), p));
    }
    link_attributes injection_link(node_id n) const override {
        return clocked(at(n), at(n).network->injection_link(own(n)));
    }
    clock_ratio clock(router_id r) const override { return member(at(r)).clock; }
    part part_of(router_id r) const override {
        if (m_shape.kinds == 0) return {this, 0, r};
        return {at(r).network, at(r).kind, own(r)};
    }
    std::vector<router_setting> router_settings() const override {
        std::vector<router_setting> all;
        for (const planes_shape::plane& p : m_shape.planes) {
            const std::uint32_t last = p.first_router + p.network->routers() - 1;
            if (const config::value& changes = member(p).router; changes.type() != config::value::kind::null)
                all.push_back({{{p.first_router, last}}, changes});
        }
        return all;
    }
    router_id router_of(node_id n) const override {
        return router_id(at(n).first_router + at(n).network->router_of(own(n)).value);
    }
    port_id port_of(node_id n) const override { return at(n).network->port_of(own(n)); }
    router_port ejection_of(node_id n) const override {
        const router_port inside = at(n).network->ejection_of(own(n));
        return {router_id(at(n).first_router + inside.router.value), inside.port};
    }
    const network_shape* shape() const override { return &m_shape; }
    void add_path(router_id from, router_id to, path_cost& sum) const override {
        const planes_shape::plane& p = at(from);
        if (&p != &at(to))
            throw config::error(
                fmt::format("there is no way from router {} to router {}, which is in another plane",
                            from.value, to.value));
        path_cost path;
        p.network->add_path(own(from), router_id(to.value - p.first_router), path);
        sum.add(path, member(p).clock);
    }
    std::unique_ptr<layout> picture() const override {
        std::vector<std::unique_ptr<layout>> all;
        for (const plane_member& m : m_members)
            if (all.push_back(m.network->picture()); !all.back()) return nullptr;
        return std::make_unique<planes_layout>(m_shape, std::move(all));
    }

  private:
    const planes_shape::plane& at(router_id r) const { return m_shape.of_router(r.value); }
    const planes_shape::plane& at(node_id n) const { return m_shape.of_node(n.value); }
    const plane_member& member(const planes_shape::plane& p) const { return m_members[m_shape.number_of(p)]; }
    link_attributes clocked(const planes_shape::plane& p, link_attributes a) const {
        a.clock = member(p).clock;
        return a;
    }
    router_id own(router_id r) const { return router_id(r.value - at(r).first_router); }
    node_id own(node_id n) const { return node_id(n.value - at(n).first_node); }
    static port_peer whole(const planes_shape::plane& p, port_peer end) {
        if (end.what == port_peer::kind::router) end.id += p.first_router;
        if (end.what == port_peer::kind::node) end.id += p.first_node;
        return end;
    }

    std::vector<plane_member> m_members;
    planes_shape m_shape;
    std::uint32_t m_routers = 0, m_nodes = 0;
};

/// Keys of a plane beside the parameters of its topology.
struct plane_keys {
    std::uint32_t count = 1;

    static config::schema<plane_keys> fields() {
        config::schema<plane_keys> all;
        all.number("count", &plane_keys::count, 1, 65536, "", "planes of this kind, one after the other");
        return all;
    }
};

config::value resolve_planes(const config::value& list) {
    return config::resolved_entries<topology_registry>(list, plane_keys::fields().describe(), "planes");
}

struct parameters {
    config::value planes;
};

config::schema<parameters> fields() {
    config::schema<parameters> all;
    all.list("planes", &parameters::planes, "list of topologies", plane_keys::fields().describe(),
             "the networks side by side, each with its topology and that one's parameters", resolve_planes);
    return all;
}

topology* make(const parameters& p, const config::value& section) {
    const auto at = place(section, "planes");
    if (p.planes.type() == config::value::kind::null || config::to_list(p.planes, "planes").empty())
        throw config::error(at,
                            "'planes' is empty; give the networks: 'planes: [{topology: mesh, dims: [4, 4]}, "
                            "{topology: mesh, dims: [4, 4]}]'");
    std::vector<plane_member> members;
    std::uint64_t routers = 0, nodes = 0;
    for (const config::value& item : p.planes.items()) {
        const auto [own, network] = config::split(item, plane_keys::fields().describe());
        const std::string name = topology_registry::instance().chosen(network).name;
        if (name == "planes" || name == "hierarchical")
            throw config::error(item.where(),
                                "a plane is '" + name +
                                    "', a network of networks itself; it must be a network of routers alone");
        plane_keys keys;
        plane_keys::fields().read(own, keys, "planes");
        for (std::uint32_t k = 0; k < keys.count; ++k) {
            members.push_back({topology_registry::instance().make(network)});
            routers += members.back().network->routers();
            nodes += members.back().network->nodes();
            if (routers > most_routers || nodes > most_nodes)
                throw config::error(
                    at, fmt::format("the planes together have {} routers and {} nodes; at most {} and {}",
                                    routers, nodes, most_routers, most_nodes));
        }
    }
    return new planes(std::move(members), false);
}

const config::registration<topology> registered{
    "planes", "Networks side by side that no link joins; a message stays in the one that it is sent in.",
    fields(), make};

}  // namespace
}  // namespace sare::variants::planes

namespace sare {

std::unique_ptr<topology> make_planes(std::vector<plane_member> members) {
    return std::make_unique<variants::planes::planes>(std::move(members), true);
}

}  // namespace sare
