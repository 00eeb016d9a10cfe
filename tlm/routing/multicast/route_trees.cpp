// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/multicast/route_trees.h"

#include "tlm/routing/multicast/hamiltonian.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sare {
namespace {

/// A step of a route: from a router by an output port, on some of its VCs.
struct route_step {
    std::uint32_t router, port;
    vc_mask vcs;
};

/// Follows the route from one node to another; the first one where packets draw among several, as in a ring
/// with two ways of equal length.
class route_follower {
  public:
    route_follower(const topology& net, const routing_function& along, const config::value& section)
        : m_net(net), m_along(along), m_section(section) {}

    /// Returns the steps of the route; the last one leads to `to`.
    const std::vector<route_step>& follow(std::uint32_t from, std::uint32_t to) {
        m_steps.clear();
        std::vector<route_header> headers;
        route_header plain;
        plain.source = from;
        plain.destination = to;
        m_along.every_header(plain, headers);
        std::uint32_t r = m_net.router_of(node_id(from)).value, in = m_net.port_of(node_id(from)).value,
                      vc = 0;
        for (std::uint32_t left = headers.empty() ? 0 : 4 * m_net.routers(); left != 0; --left) {
            route_set out;
            m_along.route(r, in, vc, headers.front(), out);
            if (out.size != 1) refuse(from, to, out.size == 0 ? "has no route" : "has several routes");
            const route_candidate& c = out.candidates[0];
            m_steps.push_back({r, c.port, c.vcs});
            const port_peer next = m_net.peer(router_id(r), port_id(c.port));
            if (next.what == port_peer::kind::node && next.id == to) return m_steps;
            if (next.what != port_peer::kind::router) break;
            r = next.id;
            in = next.port;
            vc = static_cast<std::uint32_t>(__builtin_ctzll(c.vcs));
        }
        refuse(from, to, "has no route");
    }

    /// Throws config::error for a pair of nodes.
    [[noreturn]] void refuse(std::uint32_t from, std::uint32_t to, const std::string& why) const {
        throw config::error(place(m_section, "along"),
                            fmt::format("trees are merged of routes of '{}', and from node {} to node {} it "
                                        "{}; take a function with one route, such as dor or up_down",
                                        m_along.name(), from, to, why));
    }

  private:
    const topology& m_net;
    const routing_function& m_along;
    const config::value& m_section;
    std::vector<route_step> m_steps;
};

/// The tree of one source: VCs by output port, by router.
class route_tree {
  public:
    /// Adds the route to node `to`, whose steps are `steps`. Returns false if it has no VC in common with
    /// another one.
    bool add(const std::vector<route_step>& steps) {
        std::size_t last = steps.size() - 1;
        while (last != 0 && m_ports.count(steps[last].router) == 0) --last;
        for (std::size_t k = 0; k < last; ++k) {
            auto& ports = m_ports[steps[k].router];
            const auto shared = ports.find(steps[k].port);
            if (shared != ports.end() && (shared->second &= steps[k].vcs) == 0) return false;
        }
        for (std::size_t k = last; k < steps.size(); ++k)
            m_ports[steps[k].router].emplace(steps[k].port, steps[k].vcs);
        return true;
    }
    const std::map<std::uint32_t, std::map<std::uint32_t, vc_mask>>& ports() const { return m_ports; }

  private:
    std::map<std::uint32_t, std::map<std::uint32_t, vc_mask>> m_ports;
};

/// Orders the pairs of nodes whose routes make up a tree.
class tree_legs {
  public:
    using pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

    tree_legs(const topology& net, tree_form form) : m_net(net) {
        if (form == tree_form::dual_path) m_places = hamiltonian_places(*net.grid());
    }
    /// Returns the nodes between which the routes of the tree from node `source` lead.
    pairs of(std::uint32_t source, std::vector<std::uint32_t> targets) const {
        pairs all;
        if (m_places.empty()) {
            for (const std::uint32_t to : targets) all.emplace_back(source, to);
            return all;
        }
        const auto place = [this](std::uint32_t n) { return m_places[m_net.router_of(node_id(n)).value]; };
        std::stable_sort(targets.begin(), targets.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
        const auto behind = std::find_if(targets.begin(), targets.end(),
                                         [&](std::uint32_t n) { return place(n) >= place(source); });
        std::uint32_t from = source;
        for (auto to = behind; to != targets.end(); from = *to++) all.emplace_back(from, *to);
        from = source;
        for (auto to = behind; to != targets.begin(); from = *to) all.emplace_back(from, *--to);
        return all;
    }

  private:
    const topology& m_net;
    std::vector<std::uint32_t> m_places;  ///< empty: the form is merged
};

/// Puts the tree of node `source` into the table.
void add_tree(multicast_table& table, const route_tree& tree, std::uint32_t source,
              const config::value& section) {
    for (const auto& [router, ports] : tree.ports()) {
        std::uint64_t mask = 0;
        std::vector<vc_mask> vcs;
        for (const auto& [port, its] : ports) {
            mask |= std::uint64_t{1} << port;
            vcs.push_back(its);
        }
        if (vcs.size() > route_set::capacity)
            throw config::error(place(section, "set"),
                                fmt::format("packets of node {} leave router {} by {} ports; {} are the most",
                                            source, router, vcs.size(), route_set::capacity));
        table.add(router, source, mask, vcs);
    }
}

}  // namespace

multicast_table merge_routes(const topology& net, const routing_function& along, tree_form form,
                             const std::vector<std::vector<std::uint32_t>>& targets,
                             const config::value& section) {
    multicast_table table(net, place(section, "function"));
    route_follower routes(net, along, section);
    const tree_legs legs(net, form);
    for (std::uint32_t s = 0; s < targets.size(); ++s) {
        if (targets[s].empty()) continue;
        route_tree tree;
        std::uint64_t links = 0;
        for (const std::uint32_t to : targets[s]) links += routes.follow(s, to).size() - 1;
        for (const auto& [from, to] : legs.of(s, targets[s]))
            if (!tree.add(routes.follow(from, to)))
                routes.refuse(from, to, "takes other VCs of a link than to another target");
        add_tree(table, tree, s, section);
        table.set_unicast_links(s, links);
    }
    table.finish([](std::uint32_t, std::uint32_t) {});
    return table;
}

}  // namespace sare
