// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/composite/hierarchical.h"

#include "tlm/config/resolved_list.h"
#include "tlm/routing/routing_support.h"
#include "tlm/topology/composite/gateway_network.h"
#include "tlm/topology/composite/planes.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace sare::variants::hierarchical {
namespace {

/// What a level sees of congestion: its own routers, and its share of the VCs.
class level_view final : public congestion_view {
  public:
    level_view(const congestion_view& whole, std::uint32_t first_router, std::uint32_t first_vc)
        : m_whole(whole), m_first_router(first_router), m_first_vc(first_vc) {}
    cycle_t now() const override { return m_whole.now(); }
    std::uint32_t free(std::uint32_t port, std::uint32_t vc) const override {
        return m_whole.free(port, vc + m_first_vc);
    }
    std::uint32_t used(std::uint32_t port, std::uint32_t vc) const override {
        return m_whole.used(port, vc + m_first_vc);
    }
    std::uint32_t waiting(std::uint32_t port) const override { return m_whole.waiting(port); }
    std::uint32_t held(std::uint32_t port, std::uint32_t vc) const override {
        return m_whole.held(port, vc + m_first_vc);
    }
    std::uint32_t queue(std::uint32_t port) const override { return m_whole.queue(port); }
    std::uint32_t told(std::uint32_t router, std::uint32_t port) const override {
        return m_whole.told(m_first_router + router, port);
    }

  private:
    const congestion_view& m_whole;
    std::uint32_t m_first_router, m_first_vc;
};

/// On networks of networks: to a gateway of the inner network, over the outer one, and from a gateway to the
/// node; of several gateways a destination has one, those of a level in turn. In each network by the routing
/// function of its level. Packets on the way to a gateway have VCs of their own in all levels but the
/// outermost. So networks come in an order, up to the outermost and down again, in which none shares a VC
/// with an earlier one: where no level deadlocks alone, the whole does not. header.via, state, and bit 0 of
/// phase: those of the function of the level that the packet is in, which begins them anew where the packet
/// comes in. Its random choices there follow from source, destination, and the other bits of phase, which are
/// drawn at the source: so there are 128 draws for a pair of nodes.
class hierarchical final : public routing_function {
  public:
    hierarchical(const config::value& functions, const config::value& section,
                 const routing_context& context) {
        m_vcs = context.vcs;
        m_all = vc_classes(0, std::min(context.vcs, most_vcs)).all;
        const topology& net = *context.network;
        const auto* shape = dynamic_cast<const hierarchy_shape*>(net.shape());
        if (shape == nullptr)
            throw config::error(place(section, "function"),
                                "'function' is hierarchical, which needs a network of networks (topology: "
                                "hierarchical, of two levels or more), not a " +
                                    net.name());
        add_levels(*shape);
        const auto chosen = functions_of_parts(functions, section, "levels", m_levels.size());
        for (std::uint32_t k = 0; k < m_levels.size(); ++k) make_function(k, chosen[k], section, context);
        m_where.resize(net.routers());
        number_routers(0, 0, 0);
    }

    std::string name() const override { return "hierarchical"; }
    std::uint32_t max_candidates() const override {
        return most([](const routing_function& f) { return f.max_candidates(); });
    }
    bool tabular() const override {
        return all([](const routing_function& f) { return f.tabular(); });
    }
    bool tabular_by_input() const override {
        return all([](const routing_function& f) { return f.tabular_by_input(); });
    }
    bool deterministic() const override {
        return all([](const routing_function& f) { return f.deterministic(); });
    }
    bool needs_escape() const override {
        return !all([](const routing_function& f) { return !f.needs_escape(); });
    }
    bool looks_at_congestion() const override {
        return !all([](const routing_function& f) { return !f.looks_at_congestion(); });
    }
    std::uint32_t board_delay() const override {
        return most([](const routing_function& f) { return f.board_delay(); });
    }
    std::vector<part> parts() const override {
        std::vector<part> all;
        for (std::size_t k = 0; k < m_levels.size(); ++k) {
            const level& l = m_levels[k];
            const std::uint32_t vcs = m_vcs - l.first_vc[up];
            const auto& alike = m_rows[l.row_number].members;
            const std::string name = fmt::format("level {}{}", l.row_number,
                                                 alike.front().level == alike.back().level
                                                     ? ""
                                                     : fmt::format(", network {}", k - alike.front().level));
            const auto number = static_cast<std::uint32_t>(k);
            all.push_back({name, number, &l.map(), l.functions[on].get(),
                           l.first_vc[up] == 0 ? m_vcs : l.first_vc[up]});
            if (l.functions[up])
                all.push_back({name + " to its gateways", number, &l.map(), l.functions[up].get(), vcs});
        }
        return all;
    }

    void begin(route_header& h, rng& random) const override {
        h.phase = static_cast<std::uint8_t>(random.next() << 1);
    }
    void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const override {
        const std::uint32_t draws = deterministic() ? 1 : 128;  // bits of phase from 1 on
        for (std::uint32_t k = 0; k < draws; ++k) {
            out.push_back({plain, 1.0 / draws});
            out.back().header.phase = static_cast<std::uint8_t>(k << 1);
        }
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        find(r, in, in_vc, h, nullptr, out);
    }
    void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                      const congestion_view& here, route_set& out) const override {
        find(r, in, in_vc, h, &here, out);
    }

  private:
    /// Of a network, to the one around it.
    struct gateway {
        std::uint32_t router = 0, port = 0;
        std::uint32_t node = 0;       ///< a node at this router
        std::uint32_t node_port = 0;  ///< of that
    };
    enum way { on, up };  ///< inside the network that the packet is in; to its gateway
    struct level {
        const topology* network = nullptr;
        std::uint32_t row_number = 0;                    ///< in m_rows
        std::unique_ptr<topology> with_gateway;          ///< where no node is at some gateway
        std::unique_ptr<routing_function> functions[2];  ///< by way; the second is null if it is as the first
        std::uint16_t first_vc[2] = {0, 0};              ///< by way
        std::uint32_t nodes_inside = 1;    ///< nodes of the whole in one network of this level, and below it
        std::uint32_t nodes_below = 1;     ///< the same in one network of the next level, or of its nodes
        std::vector<gateway> gateways;     ///< none of the outermost
        std::uint32_t gateways_below = 1;  ///< of a network of the next level

        /// By which packets for a node of the whole come in or go out.
        std::uint32_t gateway_for(std::uint32_t destination) const {
            return destination / nodes_below % static_cast<std::uint32_t>(gateways.size());
        }
        /// The one that a packet has come by; null: none.
        const gateway* came_by(std::uint32_t router, std::uint32_t in) const {
            for (const gateway& g : gateways)
                if (g.router == router && g.port == in) return &g;
            return nullptr;
        }
        const topology& map() const { return with_gateway ? *with_gateway : *network; }
        const routing_function& function(way w) const { return *functions[functions[w] ? w : on]; }
    };
    /// The networks in the place of one node, or several together, of a network around: one network, or a
    /// list of unlike ones.
    struct row {
        struct member {
            std::uint32_t level;          ///< its kind
            std::uint32_t first_router;   ///< its router 0, counted from that of the row
            std::uint32_t first_node;     ///< its node 0: first of the row's own nodes, then of the whole's
            std::uint32_t first_gateway;  ///< number of its first gateway among those of the row
        };
        std::vector<member> members;
        std::uint32_t routers = 0, nodes = 0, gateways = 0;  ///< nodes of the whole; routers of the row alone
        std::uint32_t copies_below = 0;                      ///< of the next row

        /// Returns the member that a node of the whole, counted from that of the row, is in or below.
        const member& at(std::uint32_t node) const {
            const auto is_before = [](std::uint32_t n, const member& m) { return n < m.first_node; };
            return *std::prev(std::upper_bound(members.begin(), members.end(), node, is_before));
        }
    };
    struct router_position {
        std::uint32_t level = 0;
        std::uint32_t first_node = 0;  ///< of the whole, in or below the network that the router is in
        std::uint32_t router = 0;      ///< its number in that network
    };
    template <class F>
    bool all(F holds) const {
        return std::all_of(m_levels.begin(), m_levels.end(),
                           [&](const level& l) { return holds(l.function(on)); });
    }
    template <class F>
    std::uint32_t most(F number) const {
        std::uint32_t n = 0;
        for (const level& l : m_levels) n = std::max<std::uint32_t>(n, number(l.function(on)));
        return n;
    }

    /// From the outermost on; sizes from the innermost on.
    void add_levels(const hierarchy_shape& whole) {
        add_row(*whole.outer, {});
        for (const hierarchy_shape* shape = &whole; shape != nullptr;) {
            const auto* below = dynamic_cast<const hierarchy_shape*>(shape->inner->shape());
            add_row(below == nullptr ? *shape->inner : *below->outer, shape->gateways);
            shape = below;
        }
        for (std::size_t k = m_rows.size(); k-- > 0;) {
            row& here = m_rows[k];
            const bool last = k + 1 == m_rows.size();
            const std::uint32_t gateways = last ? 1 : m_rows[k + 1].gateways,
                                nodes = last ? 1 : m_rows[k + 1].nodes;
            here.copies_below = here.nodes / gateways;
            here.nodes = here.copies_below * nodes;
            for (row::member& m : here.members) {
                level& l = m_levels[m.level];
                m.first_node = m.first_node / gateways * nodes;
                l.nodes_below = nodes;
                l.gateways_below = gateways;
                l.nodes_inside = l.network->nodes() / gateways * nodes;
            }
        }
        for (level& l : m_levels) find_gateway_nodes(l);
    }

    void add_row(const topology& net, const std::vector<std::uint32_t>& gateways) {
        const auto* shape = dynamic_cast<const planes_shape*>(net.shape());
        std::vector<planes_shape::plane> planes{{&net, 0, 0, 0}};
        if (shape != nullptr && shape->kinds > 0) planes = shape->planes;
        row next;
        const auto first_level = static_cast<std::uint32_t>(m_levels.size());
        for (const planes_shape::plane& p : planes) {
            level l;
            l.network = p.network;
            l.row_number = static_cast<std::uint32_t>(m_rows.size());
            for (const std::uint32_t g : gateways)
                if (const std::uint32_t r = g - p.first_router; r < p.network->routers())
                    l.gateways.push_back({r, p.network->ports(router_id(r)), 0, 0});
            next.members.push_back({first_level + p.kind, p.first_router, p.first_node, next.gateways});
            next.gateways += static_cast<std::uint32_t>(l.gateways.size());
            if (first_level + p.kind == m_levels.size()) m_levels.push_back(std::move(l));
        }
        next.routers = net.routers();
        next.nodes = net.nodes();
        m_rows.push_back(std::move(next));
    }

    /// Where there is none, there is to be one more.
    static void find_gateway_nodes(level& l) {
        const topology& net = *l.network;
        std::vector<std::uint32_t> without;
        for (gateway& g : l.gateways) {
            const auto is_there = [&](std::uint32_t n) {
                return net.router_of(node_id(n)).value == g.router &&
                       net.ejection_of(node_id(n)).router.value == g.router;
            };
            while (g.node < net.nodes() && !is_there(g.node)) ++g.node;
            if (g.node < net.nodes()) continue;
            g.node += static_cast<std::uint32_t>(without.size());
            without.push_back(g.router);
        }
        if (!without.empty()) l.with_gateway = std::make_unique<gateway_network>(net, std::move(without));
        for (gateway& g : l.gateways) g.node_port = l.map().port_of(node_id(g.node)).value;
    }

    /// A network of one router needs no VCs apart: packets only leave it.
    void make_function(std::uint32_t k, const config::value& chosen, const config::value& section,
                       const routing_context& context) {
        level& l = m_levels[k];
        const auto make = [&](std::uint32_t vcs) {
            return routing_registry::instance().make(chosen, {&l.map(), vcs});
        };
        if (k == 0 || l.network->routers() == 1) {
            l.functions[on] = make(context.vcs);
            return;
        }
        check_vcs(
            section, context, "hierarchical",
            {2, "packets to a gateway have VCs of their own, in networks of several routers inside others"});
        const std::uint32_t for_up = context.vcs / 2, others = context.vcs - for_up;
        l.functions[on] = make(others);
        if (others != for_up) l.functions[up] = make(for_up);
        l.first_vc[up] = static_cast<std::uint16_t>(others);
    }

    /// Those of row k, whose routers begin with `first` and whose nodes with `node`, and of all inside it.
    std::uint32_t number_routers(std::size_t k, std::uint32_t first, std::uint32_t node) {
        const row& here = m_rows[k];
        for (const row::member& m : here.members)
            for (std::uint32_t r = 0; r < m_levels[m.level].network->routers(); ++r)
                m_where[first + m.first_router + r] = {m.level, node + m.first_node, r};
        std::uint32_t next = first + here.routers;
        if (k + 1 < m_rows.size())
            for (std::uint32_t n = 0; n < here.copies_below; ++n)
                next = number_routers(k + 1, next, node + n * m_rows[k + 1].nodes);
        return next;
    }

    /// A packet comes into a network from a node, or by the gateway.
    void begin_if_entering(const level& l, const routing_function& f, const router_position& at,
                           std::uint32_t in, std::uint32_t r, route_header& h,
                           const route_header& whole) const {
        if (const gateway* by = l.came_by(at.router, in)) {
            h.source = by->node;
        } else {
            h.source = l.gateways.empty() ? 0 : l.gateways[0].node;
            const port_peer from = l.network->source(router_id(at.router), port_id(in));
            if (from.what == port_peer::kind::router) return;
            if (from.what == port_peer::kind::node) h.source = from.id;
        }
        h.phase = 0;
        h.state = 0;
        rng random(std::uint64_t{whole.source} << 32 | whole.destination, stream::routing,
                   std::uint64_t{r} << 7 | whole.phase >> 1);
        f.begin(h, random);
    }

    /// The node of a network that a packet goes to: `node`, of those inside; or the gateway in its place.
    std::uint32_t place_in(const level& l, std::uint32_t node, std::uint32_t destination) const {
        const std::uint32_t place = node / l.nodes_below;
        if (l.gateways_below == 1) return place;
        const row::member& m = m_rows[l.row_number + 1].at(node % l.nodes_below);
        return place * l.gateways_below + m.first_gateway + m_levels[m.level].gateway_for(destination);
    }

    void find(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
              const congestion_view* here, route_set& out) const {
        const router_position& at = m_where[r];
        const level& l = m_levels[at.level];
        const std::uint32_t node = h.destination - at.first_node;
        const way w = node < l.nodes_inside ? on : up;  // modulo 2^32: also for lower nodes
        const gateway* const exit = w == up ? &l.gateways[l.gateway_for(h.destination)] : nullptr;
        if (exit != nullptr && at.router == exit->router) return out.add(exit->port, m_all);
        const routing_function& f = l.function(w);
        route_header inside = h;
        inside.destination = exit != nullptr ? exit->node : place_in(l, node, h.destination);
        inside.phase &= 1;
        begin_if_entering(l, f, at, in, r, inside, h);
        if (const gateway* by = l.came_by(at.router, in)) in = by->node_port;
        const std::uint32_t shift = l.first_vc[w];
        // Whether it came on these VCs matters only inside a network, where it did.
        const std::uint32_t its_vc = in_vc >= h.vc_base + shift ? in_vc - shift : h.vc_base;
        if (here != nullptr && f.looks_at_congestion())
            f.route_seeing(at.router, in, its_vc, inside, level_view(*here, r - at.router, shift), out);
        else
            f.route(at.router, in, its_vc, inside, out);
        h.via = inside.via;
        h.state = inside.state;
        h.phase = static_cast<std::uint8_t>((h.phase & ~1U) | (inside.phase & 1U));
        if (w == up) out.repeats = 0;  // for the gateway may be on the way
        for (std::uint32_t k = 0; k < out.size; ++k) {
            route_candidate& c = out.candidates[k];
            const port_peer to = l.network->peer(router_id(at.router), port_id(c.port));
            c.vcs = to.what == port_peer::kind::router ? c.vcs << shift : m_all;
        }
    }

    std::uint32_t m_vcs = 1;      ///< of a message class
    vc_mask m_all = 0;            ///< of these
    std::vector<level> m_levels;  ///< from the outermost on, each kind of network
    std::vector<row> m_rows;      ///< from the outermost on
    std::vector<router_position> m_where;
};

struct parameters {
    config::value levels;
};

config::schema<parameters> fields() {
    config::schema<parameters> all;
    all.list("levels", &parameters::levels, "list of routing functions", {},
             "that of each level, outermost first, or of each network in a list of unlike ones; left out: "
             "shortest_path in all of them",
             config::resolved_list<routing_registry>);
    return all;
}

routing_function* make(const parameters& p, const config::value& section, const routing_context& context) {
    return new hierarchical(p.levels, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "hierarchical",
    "On networks of networks: to the gateway, across and down, each level by a function of its own.",
    fields(), make};

}  // namespace
}  // namespace sare::variants::hierarchical
