// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/graph/bit_rows.h"
#include "tlm/routing/parallel_links.h"
#include "tlm/routing/routing_support.h"
#include "tlm/topology/adjacency.h"

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace sare {

/// Base class of routing functions on legal paths of a spanning tree: first up, then down (Schroeder et al.,
/// "Autonet", 1991). A link goes up if the router at its end is nearer to the root than the one at its
/// beginning or, if both are equally near, has a lower number. If a network is in pieces, each piece has a
/// root of its own, and no path leads from one to another.
class up_down_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }

  protected:
    /// `root`: router at the root of its piece. -1: of the largest piece, a router of least eccentricity; in
    /// networks of more than 4,096 routers, a router with the most links. In all other pieces the root is the
    /// router with the lowest number. `name`: value of name(); `section`: section of the function, for places
    /// of errors. Throws config::error for an unknown root, and for links in one direction only.
    up_down_routing(std::string name, std::int32_t root, const config::value& section,
                    const routing_context& context);

    /// Place of a node: its router, and the output port that leads to the node.
    struct target_index {
        /// Router of the node; number of that router among the routers with nodes, from 0.
        std::uint32_t router = 0, target = 0;
        port_number port = 0;  ///< output port to the node
    };
    /// Returns the place of a node.
    const target_index& target_of(std::uint32_t node) const { return m_nodes[node]; }
    /// Number of routers with nodes.
    std::uint32_t targets() const { return static_cast<std::uint32_t>(m_target_routers.size()); }
    /// Returns the router that has number `target`, from 0, among the routers with nodes, ascending.
    std::uint32_t target_router(std::uint32_t target) const { return m_target_routers[target]; }
    /// True if a link from router `from` to router `to` goes up.
    bool up(std::uint32_t from, std::uint32_t to) const {
        return std::make_pair(m_level[to], to) < std::make_pair(m_level[from], from);
    }
    /// Returns the rule for the choice among parallel links of the network.
    const parallel_links& parallel() const { return m_parallel; }
    /// True if a packet that has come into a router by `port` came over a link that goes down, so that all
    /// further links must go down.
    bool came_down(std::uint32_t router, std::uint32_t port) const {
        return port < m_most_ports && m_down_inputs.test(router, port);
    }
    /// Most ports of a router of the network.
    std::uint32_t most_ports_here() const { return m_most_ports; }
    /// Throws config::error if `bytes`, the size of a table, is more than 2^29. `function`, `routers`: for
    /// the error text; `less`: its end, a clause on functions that need less.
    static void check_bytes(std::uint64_t bytes, const std::string& function, std::uint32_t routers,
                            const config::value& section, const std::string& less);
    /// Calls f(router, target, down, ports) for every router and target (a number below targets()) with the
    /// output ports on shortest legal paths; no call if there are none. `down`: 1 for packets that have come
    /// down a link, 0 for packets that may still go up.
    template <class F>
    void for_each_path(const topology& net, const F& f) const {
        const adjacency in(net, adjacency::direction::backward), out(net, adjacency::direction::forward);
        std::vector<std::uint32_t> distance, queue;
        std::vector<port_number> ports;
        for (std::uint32_t t = 0; t < targets(); ++t) {
            distances_to(target_router(t), in, distance, queue);
            for (std::uint32_t r = 0; r < net.routers(); ++r)
                for (const std::uint32_t down : {0U, 1U}) {
                    find_ports(r, down, out, distance, ports);
                    if (!ports.empty()) f(r, t, down, ports);
                }
        }
    }

    /// Calls f(router, target, down, port) with one of the ports that for_each_path() finds: element `target`
    /// modulo their number. If other links are parallel to the link at that port, the ports of these links
    /// are taken in turn.
    template <class F>
    void for_one_path_each(const topology& net, const F& f) const {
        parallel_links::dealer up_or_down(m_parallel), down_only(m_parallel);
        for_each_path(net, [&](std::uint32_t r, std::uint32_t t, std::uint32_t down,
                               const std::vector<port_number>& best) {
            f(r, t, down, (down != 0 ? down_only : up_or_down).next(r, best[t % best.size()]));
        });
    }

  private:
    void find_levels(std::int32_t root, const adjacency& out, const config::value& section);
    void number_nodes(const topology& net);
    void mark_downward_inputs(const topology& net);
    void distances_to(std::uint32_t target, const adjacency& in, std::vector<std::uint32_t>& distance,
                      std::vector<std::uint32_t>& queue) const;
    void find_ports(std::uint32_t r, std::uint32_t down, const adjacency& out,
                    const std::vector<std::uint32_t>& distance, std::vector<port_number>& ports) const;

    std::string m_name;
    parallel_links m_parallel;
    std::vector<std::uint32_t> m_target_routers;  ///< routers with nodes, ascending
    std::vector<std::uint32_t> m_level;           ///< number of links from the root to each router
    std::vector<target_index> m_nodes;            ///< target_of() of each node
    std::uint32_t m_most_ports = 0;               ///< most_ports_here()
    bit_rows m_down_inputs;                       ///< ports whose incoming link goes down, by router
};

}  // namespace sare
