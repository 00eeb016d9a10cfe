// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/graph/bit_rows.h"
#include "tlm/routing/parallel_links.h"
#include "tlm/routing/routing_support.h"
#include "tlm/topology/adjacency.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::variants::shortest_path {
namespace {

/// Bounds the tables: pairs of a router and a router with nodes.
constexpr std::uint64_t most_pairs = std::uint64_t{1} << 24;

/// Which link may wait for which: a graph without cycles that paths are added to. A link has the number of
/// the router and port that it leaves by.
class layer {
  public:
    layer(std::size_t links, std::uint32_t ports)
        : m_next(links, ports), m_refused(links, ports), m_seen(links, 0) {}

    /// Adds the dependencies of a path, unless they would close a cycle.
    /// @param path its links; `ports` says for each by which port it leaves its router, `first` where the
    /// links of the router begin that each link leads to.
    bool add(const std::vector<std::uint32_t>& path, const std::vector<port_number>& ports,
             const std::vector<std::uint32_t>& first) {
        std::size_t done = 0;
        std::vector<std::uint32_t> added;
        for (; done + 1 < path.size(); ++done) {
            const std::uint32_t from = path[done], to = path[done + 1];
            if (m_next.test(from, ports[to])) continue;
            if (m_refused.test(from, ports[to]) || reaches(to, from, first)) {
                if (added.empty()) m_refused.set(from, ports[to]);  // for ever: dependencies only grow
                for (const auto i : added) m_next.clear(path[i], ports[path[i + 1]]);
                return false;
            }
            m_next.set(from, ports[to]);
            added.push_back(static_cast<std::uint32_t>(done));
        }
        return true;
    }

  private:
    bool reaches(std::uint32_t from, std::uint32_t target, const std::vector<std::uint32_t>& first) {
        ++m_search;
        m_open.assign(1, from);
        while (!m_open.empty()) {
            const std::uint32_t link = m_open.back();
            m_open.pop_back();
            if (link == target) return true;
            if (m_seen[link] == m_search) continue;
            m_seen[link] = m_search;
            m_next.for_each(link, [&](std::uint32_t port) { m_open.push_back(first[link] + port); });
        }
        return false;
    }

    bit_rows m_next;     ///< ports by which packets on a link go on, by link
    bit_rows m_refused;  ///< ports that are known to close a cycle, by link
    std::vector<std::uint32_t> m_seen;
    std::vector<std::uint32_t> m_open;
    std::uint32_t m_search = 0;
};

/// Shortest paths on any network, free of deadlock by layers (LASH; Skeie, Lysne and Theiss, 2002): each path
/// goes to the first layer in which it closes no cycle, and each layer has VCs of its own.
/// Layers know of parallel links only the lowest: packets that are spread over them depend on each other no
/// more than if all took that.
/// header.state: the layer.
class shortest_path final : public routing_function {
  public:
    shortest_path(const config::value& section, const routing_context& context)
        : m_attachments(node_attachments(*context.network)), m_parallel(*context.network) {
        const topology& net = *context.network;
        number_targets(net);
        if (std::uint64_t{net.routers()} * m_targets.size() > most_pairs)
            throw config::error(
                place(section, "function"),
                fmt::format("'function' is shortest_path, which would hold {} x {} next ports; at most {}",
                            net.routers(), m_targets.size(), most_pairs));
        check_vcs(section, context, "shortest_path", {1, "packets travel on it"});
        number_links(net);
        find_ports(net);
        sort_into_layers(section, context);
    }

    std::string name() const override { return "shortest_path"; }
    /// Where links are parallel it looks at the input port, which is tabulated for one layer only.
    std::uint32_t tabular_states() const override {
        return m_parallel.any() ? 0 : static_cast<std::uint32_t>(m_vcs.size());
    }
    bool tabular_by_input() const override { return m_parallel.any() && m_vcs.size() == 1; }
    bool knows_routers_only() const override { return !m_parallel.any(); }

    void begin(route_header& h, rng&) const override { h.state = layer_of(h); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        out.push_back(plain);
        out.back().state = layer_of(plain);
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment to = m_attachments[h.destination];
        if (r == to.router) return out.add(to.port, m_all);
        out.add(m_parallel.for_packet(r, in, m_ports[pair(r, m_target[to.router])], h.destination),
                m_vcs[h.state]);
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr port_number no_port = 0xffff;

    std::size_t pair(std::uint32_t r, std::uint32_t target) const { return r * m_targets.size() + target; }
    std::uint16_t layer_of(const route_header& h) const {
        return m_layer[pair(m_source[h.source], m_target[m_attachments[h.destination].router])];
    }

    void number_targets(const topology& net) {
        for (std::uint32_t n = 0; n < net.nodes(); ++n) m_source.push_back(net.router_of(node_id(n)).value);
        m_target.assign(net.routers(), none);
        for (const auto& at : m_attachments) {
            if (m_target[at.router] != none) continue;
            m_target[at.router] = static_cast<std::uint32_t>(m_targets.size());
            m_targets.push_back(at.router);
        }
    }

    void number_links(const topology& net) {
        for (std::uint32_t r = 0; r < net.routers(); ++r) {
            m_first.push_back(static_cast<std::uint32_t>(m_to.size()));
            for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
                const auto to = net.peer(router_id(r), port_id(p));
                m_to.push_back(to.what == port_peer::kind::router ? to.id : none);
                m_port.push_back(static_cast<port_number>(p));
                m_most_ports = std::max(m_most_ports, p + 1);
            }
        }
        for (const auto to : m_to) m_onward.push_back(to == none ? none : m_first[to]);
    }

    /// Of equally short paths that to the router of the lowest port.
    void find_ports(const topology& net) {
        const adjacency in(net, adjacency::direction::backward), out(net, adjacency::direction::forward);
        m_ports.assign(std::size_t{net.routers()} * m_targets.size(), no_port);
        parallel_links::dealer deal(m_parallel);
        std::vector<std::uint32_t> distance, queue;
        for (std::uint32_t t = 0; t < m_targets.size(); ++t) {
            breadth_first(in, m_targets[t], distance, queue);
            for (const std::uint32_t r : queue)
                if (distance[r] != 0) m_ports[pair(r, t)] = deal.next(r, port_nearer(out, distance, r));
        }
    }

    void sort_into_layers(const config::value& section, const routing_context& context) {
        std::vector<layer> layers;
        std::vector<std::uint32_t> path;
        m_layer.assign(m_ports.size(), 0);
        std::vector<bool> seen(m_target.size(), false);
        for (const std::uint32_t s : m_source) {
            if (seen[s]) continue;
            seen[s] = true;
            for (std::uint32_t t = 0; t < m_targets.size(); ++t) {
                path.clear();
                if (s != m_targets[t] && m_ports[pair(s, t)] == no_port)
                    throw config::error(
                        place(section, "function"),
                        fmt::format(
                            "'function' is shortest_path, and no path leads from router {} to router {}", s,
                            m_targets[t]));
                for (std::uint32_t r = s; r != m_targets[t]; r = m_to[path.back()])
                    path.push_back(m_first[r] + m_parallel.lowest(r, m_ports[pair(r, t)]));
                std::size_t i = 0;
                while (i < layers.size() && !layers[i].add(path, m_port, m_onward)) ++i;
                if (i == most_vcs)
                    throw config::error(
                        place(section, "function"),
                        fmt::format("'function' is shortest_path, whose paths here need more than {} layers, "
                                    "and each needs a VC of its own; there are at most {}",
                                    most_vcs, most_vcs));
                if (i == layers.size()) {
                    layers.emplace_back(m_to.size(), m_most_ports);
                    layers.back().add(path, m_port, m_onward);
                }
                m_layer[pair(s, t)] = static_cast<std::uint8_t>(i);
            }
        }
        // Routers that no packet to a target reaches are asked for tables, too.
        std::replace(m_ports.begin(), m_ports.end(), no_port, port_number{0});
        const auto count = static_cast<std::uint32_t>(layers.size());
        check_vcs(section, context, "shortest_path",
                  {count, "one for each layer of paths that close no cycle"});
        m_all = vc_classes(0, context.vcs).all;
        m_vcs.assign(count, 0);
        for (std::uint32_t v = 0; v < context.vcs; ++v) m_vcs[v % count] |= vc_mask{1} << v;
    }

    std::vector<node_attachment> m_attachments;
    parallel_links m_parallel;
    std::vector<std::uint32_t> m_source;   ///< of each node: the router it sends to
    std::vector<std::uint32_t> m_targets;  ///< the routers with nodes
    std::vector<std::uint32_t> m_target;   ///< of each router: its place among them
    std::vector<std::uint32_t> m_first;    ///< of each router: the number of its first link
    std::vector<std::uint32_t> m_to;       ///< of each link: the router it leads to
    std::uint32_t m_most_ports = 0;        ///< most ports of a router
    std::vector<std::uint32_t> m_onward;   ///< and the first link of that
    std::vector<port_number> m_port;       ///< and the port it leaves by
    std::vector<port_number> m_ports;      ///< of each pair: the next port, to the first node
    std::vector<std::uint8_t> m_layer;     ///< of each pair: the layer of the path from there
    std::vector<vc_mask> m_vcs;            ///< of each layer
    vc_mask m_all = 0;
};

const routing_registration<shortest_path> registered{
    "shortest_path",
    "Shortest paths on any network, divided into layers that close no cycle, each with VCs of its own."};

}  // namespace
}  // namespace sare::variants::shortest_path
