// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/registry.h"
#include "tlm/topology/layout/layout.h"
#include "tlm/topology/place_names.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Topologies: directed multigraphs of routers with numbered ports, plus nodes attached to router ports
/// (Dally & Towles, ch. 3). Only this folder and the routing functions made for a kind of network know which
/// kind it is.
namespace sare {

/// The place that a router port is linked to.
struct port_peer {
    enum class kind : std::uint8_t { none, router, node };
    kind what = kind::none;
    std::uint32_t id = 0;    ///< router or node
    std::uint32_t port = 0;  ///< port of the router; 0 for a node
};

/// Attributes of one direction of a link.
struct link_attributes {
    std::uint32_t latency = 1;          ///< cycles, >= 1
    std::uint32_t cycles_per_flit = 1;  ///< cycles from one flit to the next, >= 1; above 1 on narrow links
    /// @name Latency and bandwidth that do not depend on the clock
    /// @{
    static constexpr std::uint64_t in_cycles = ~std::uint64_t{0};
    std::uint64_t picoseconds = in_cycles;  ///< latency in ps; in_cycles: `latency` holds
    std::uint64_t decibits_per_second = 0;  ///< bandwidth in tenths of a bit/s; 0: `cycles_per_flit` holds
    /// @}
    std::uint32_t clock = 1;  ///< network cycles in a cycle of `latency` and `cycles_per_flit`
    /// @name Sleep: the link falls asleep after `idle` cycles without a flit; the next flit then waits `wake`
    /// cycles
    /// @{
    std::uint32_t idle = 0;  ///< 0: the link never falls asleep by itself
    std::uint32_t wake = 0;  ///< 0: the link cannot sleep
    /// @}
    double bit_error_rate = 0;     ///< probability that a bit is wrong behind the link, in [0, 1)
    std::uint32_t flit_phits = 1;  ///< phits of a flit, of which cycles_per_flit was computed
    /// @name Whether `latency` follows from `picoseconds`, and `cycles_per_flit` from the bandwidth, where
    /// flits are simulated
    /// @{
    bool latency_follows = false, rate_follows = false;
    /// @}

    /// Sets a latency in cycles, which holds in every model.
    void set_latency(std::uint32_t cycles) {
        latency = cycles;
        picoseconds = in_cycles;
        latency_follows = false;
    }
    /// Sets the cycles from one flit to the next, which hold in every model.
    void set_cycles_per_flit(std::uint32_t cycles) {
        cycles_per_flit = cycles;
        decibits_per_second = 0;
        rate_follows = false;
    }
};

/// Cost of a path: sums of the latencies of its links, in picoseconds for links with such a latency, in
/// cycles for others, and the slowest link of each kind.
struct path_cost {
    std::uint32_t links = 0;                    ///< number of links
    std::uint32_t cycles_per_flit = 0;          ///< most of all links without a bandwidth; 0: there are none
    std::uint64_t cycles = 0, picoseconds = 0;  ///< sums of latencies
    std::uint64_t decibits_per_second =
        ~std::uint64_t{0};  ///< least bandwidth of all links with one; ~0: there are none

    void add(const link_attributes& a, std::uint32_t count = 1) {
        if (count == 0) return;
        links += count;
        if (a.picoseconds == link_attributes::in_cycles)
            cycles += std::uint64_t{a.latency} * a.clock * count;
        else
            picoseconds += a.picoseconds * count;
        if (a.decibits_per_second == 0)
            cycles_per_flit = std::max(cycles_per_flit, a.cycles_per_flit * a.clock);
        else
            decibits_per_second = std::min(decibits_per_second, a.decibits_per_second);
    }
    /// Adds the cost of a further path. `clock`: cycles of this path in a cycle of `more`.
    void add(const path_cost& more, std::uint32_t clock = 1) {
        links += more.links;
        cycles_per_flit = std::max(cycles_per_flit, more.cycles_per_flit * clock);
        cycles += more.cycles * clock;
        picoseconds += more.picoseconds;
        decibits_per_second = std::min(decibits_per_second, more.decibits_per_second);
    }
};

struct router_port {
    router_id router;
    port_id port;
};

/// Base of data that a kind of network gives to the routing functions made for it.
struct network_shape {
    virtual ~network_shape() = default;
};

/// Routers with coordinates: router r is c0 + dims[0] * (c1 + dims[1] * ...), and its nodes are r *
/// concentration and the following. Links lead along *axes*, which on grids are the dimensions: port 2a leads
/// to the + neighbour along axis a, port 2a + 1 to the - neighbour (unidirectional: port a to the +
/// neighbour). The last `concentration` ports have the nodes.
struct coordinate_shape : network_shape {
    std::vector<std::uint32_t> dims;  ///< sizes, dimension 0 varies fastest
    std::uint32_t concentration = 1;  ///< nodes per router
    bool unidirectional = false;      ///< only + links
    std::uint32_t more_axes = 0;      ///< number of axes beyond the dimensions
    bool minus_last = false;          ///< port a leads to +, port axes() + a to -

    std::uint32_t axes() const { return static_cast<std::uint32_t>(dims.size()) + more_axes; }
    /// Number of ports of a router that lead to routers.
    std::uint32_t router_ports() const { return axes() * (unidirectional ? 1 : 2); }
    /// Port along an axis, in the - direction if `negative`, which is ignored if links are unidirectional.
    std::uint32_t port(std::uint32_t axis, bool negative) const {
        if (unidirectional) return axis;
        return minus_last ? axis + (negative ? axes() : 0) : 2 * axis + (negative ? 1 : 0);
    }
    /// Axis of a port below router_ports().
    std::uint32_t axis(std::uint32_t port) const {
        return unidirectional ? port : minus_last ? port % axes() : port / 2;
    }
};

/// Meshes, tori and rings.
struct grid_shape : coordinate_shape {
    std::vector<bool> wrap;  ///< per dimension: closed to a ring
};

/// Keys of the section 'router' that a network sets differently for some of its routers.
struct router_setting {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> at;  ///< first and last number of ranges of routers
    config::value changes;                                    ///< the keys
};

/// Figures of a topology by formulas; none where no formula is known.
struct closed_forms {
    std::optional<std::uint32_t> diameter;   ///< largest number of links between routers of two nodes
    std::optional<double> mean_distance;     ///< mean number, over all ordered pairs of nodes, self included
    std::optional<std::uint64_t> bisection;  ///< channels (one direction each) cut by the best halving
};

class path_search;

/// A network as a graph, which does not change once it is made. Numbers are not checked.
class topology {
  public:
    /// Network that a composite network is made of, and a router's number in it.
    struct part {
        const topology* network;
        std::uint32_t level;  ///< number of the level; 0: the outermost
        router_id router;     ///< number of the router in `network`
    };

    topology();
    virtual ~topology();
    topology(const topology&) = delete;
    topology& operator=(const topology&) = delete;

    virtual std::string name() const = 0;  ///< name that it is registered by
    virtual std::uint32_t nodes() const = 0;
    virtual std::uint32_t routers() const = 0;
    virtual std::uint32_t ports(router_id r) const = 0;  ///< 1 to 64
    /// Clock period of a router in network cycles, 1 or more.
    virtual std::uint32_t clock(router_id r) const {
        (void)r;
        return 1;
    }
    /// Part that a router is in; this network itself, unless it is composite.
    virtual part part_of(router_id r) const { return {this, 0, r}; }
    /// Settings of routers that differ from the section 'router'. The section 'routers' is applied after
    /// them.
    virtual std::vector<router_setting> router_settings() const { return {}; }
    /// Place where a flit that leaves by (r, p) arrives; kind none for an unplugged port.
    virtual port_peer peer(router_id r, port_id p) const = 0;
    /// Place where a flit that arrives by (r, p) came from; equal to peer() if links come in pairs.
    virtual port_peer source(router_id r, port_id p) const { return peer(r, p); }
    virtual link_attributes link(router_id r, port_id p) const = 0;  ///< outgoing link of (r, p)
    virtual link_attributes injection_link(node_id n) const = 0;     ///< link from node n to its router
    virtual router_id router_of(node_id n) const = 0;                ///< router that node n sends into
    virtual port_id port_of(node_id n) const = 0;                    ///< input port of that router
    /// Router and output port from which node n gets its packets. These differ from router_of() and port_of()
    /// only in networks of one-way stages, whose nodes send into the first stage and receive from the last
    /// one.
    virtual router_port ejection_of(node_id n) const { return {router_of(n), port_of(n)}; }
    /// Data for routing functions made for this kind of network; null: there are none.
    virtual const network_shape* shape() const { return nullptr; }
    const grid_shape* grid() const { return dynamic_cast<const grid_shape*>(shape()); }
    const coordinate_shape* coordinates() const { return dynamic_cast<const coordinate_shape*>(shape()); }
    virtual closed_forms known() const { return {}; }
    /// Classes of nodes that see the same network, as one node of each class with the size of the class (for
    /// exact mean distances by one search a class); empty: not known.
    virtual std::vector<std::pair<node_id, std::uint32_t>> node_classes() const { return {}; }
    /// Adds to `sum` the cost of a shortest path between two routers: a path with the fewest links; among
    /// these the one of least latency, then of most bandwidth. In a dragonfly it has at most one global link,
    /// as in minimal routing. Uses a formula if there is one, else a search from `from` whose result is kept,
    /// so it is not thread-safe. Throws std::logic_error if there is no path.
    virtual void add_path(router_id from, router_id to, path_cost& sum) const;
    /// Number of links on the path of add_path().
    std::uint32_t distance(router_id from, router_id to) const {
        path_cost sum;
        add_path(from, to, sum);
        return sum.links;
    }

    /// Layout for pictures, valid as long as the topology is; null: a picture must be made from the links.
    virtual std::unique_ptr<layout> picture() const { return nullptr; }

    /// Names of routers, nodes and links; set once, by the maker of the topology.
    const place_names& names() const { return m_names; }
    void set_names(place_names names) { m_names = std::move(names); }

  private:
    place_names m_names;
    mutable std::unique_ptr<path_search> m_search;  ///< made by the first add_path() without a formula
};

/// Returns the cost of a shortest path from node to node, links of the nodes included.
path_cost path_between(const topology& net, node_id from, node_id to);

using topology_registry = config::registry<topology>;
extern template class config::registry<topology>;  // in topology.cpp, for all files that register one

}  // namespace sare
