// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/clock_ratio.h"
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
/// (Dally & Towles, ch. 3). Only this folder and the routing functions for a kind of network depend on the
/// kind.
namespace sare {

/// Other end of the link at a router port: a router, a node, or nothing.
struct port_peer {
    enum class kind : std::uint8_t { none, router, node };
    kind what = kind::none;
    std::uint32_t id = 0;    ///< number of the router or node
    std::uint32_t port = 0;  ///< port of router `id`; 0 for a node
};

/// Attributes of one direction of a link. Cycles are cycles of `clock`; the bounds are in link_parameters.h.
struct link_attributes {
    std::uint32_t latency = 1;  ///< cycles from the beginning of the link to its end, 1 or more
    /// Cycles from one flit to the next, 1 or more; above 1 on narrow links.
    std::uint32_t cycles_per_flit = 1;
    /// @name Latency and bandwidth that do not depend on the clock
    /// @{
    /// Value of `picoseconds` for a latency in cycles.
    static constexpr std::uint64_t in_cycles = ~std::uint64_t{0};
    std::uint64_t picoseconds = in_cycles;  ///< latency in ps; in_cycles: the latency is `latency` cycles
    /// Bandwidth in tenths of a bit/s; 0: it follows from `cycles_per_flit`.
    std::uint64_t decibits_per_second = 0;
    /// @}
    clock_ratio clock = {};  ///< clock whose cycles the attributes count; its period is in network cycles
    /// Number of flip-flops in a row through which the reader sees flits, and the writer sees credits, if
    /// their clocks differ; 0: none.
    std::uint32_t synchroniser = 0, credit_synchroniser = 0;
    /// @name Sleep: the link falls asleep after `idle` cycles without a flit; the next flit then waits `wake`
    /// cycles
    /// @{
    /// Cycles without a flit until the link falls asleep; 0: only when it is told to.
    std::uint32_t idle = 0;
    std::uint32_t wake = 0;  ///< cycles from waking until a flit can go; 0: the link cannot sleep
    /// @}
    /// Probability that a bit gets wrong on the link, in [0, most_bit_error_rate].
    double bit_error_rate = 0;
    std::uint32_t flit_phits = 1;  ///< phits of a flit, for links whose width is given
    /// True if simulations of flits must compute `latency` from `picoseconds`, and `cycles_per_flit` from
    /// `decibits_per_second` (cycle_rule in changed_links.h).
    bool latency_follows = false, rate_follows = false;

    /// Sets the latency in cycles, for simulations of flits and the contention-free model alike.
    void set_latency(std::uint32_t cycles) {
        latency = cycles;
        picoseconds = in_cycles;
        latency_follows = false;
    }
    /// Sets the cycles from one flit to the next, for simulations of flits and the contention-free model
    /// alike.
    void set_cycles_per_flit(std::uint32_t cycles) {
        cycles_per_flit = cycles;
        decibits_per_second = 0;
        rate_follows = false;
    }
};

/// Cost of a path: sum of the latencies of its links, in picoseconds for links with a latency in ps and in
/// network cycles for all other links; and the slowest link.
struct path_cost {
    std::uint32_t links = 0;  ///< number of links
    /// Most network cycles from one flit to the next, over the links without a bandwidth; 0: there are no
    /// such links.
    std::uint32_t cycles_per_flit = 0;
    std::uint64_t cycles = 0, picoseconds = 0;  ///< sums of latencies: network cycles; ps
    /// Least bandwidth of the links with one, in tenths of a bit/s; ~0: no link has one.
    std::uint64_t decibits_per_second = ~std::uint64_t{0};

    /// Adds `count` links with the attributes `a` to the path.
    void add(const link_attributes& a, std::uint32_t count = 1) {
        if (count == 0) return;
        links += count;
        if (a.picoseconds == link_attributes::in_cycles)
            cycles += std::uint64_t{a.clock.cycles_of(a.latency)} * count;
        else
            picoseconds += a.picoseconds * count;
        if (a.decibits_per_second == 0)
            cycles_per_flit = std::max(cycles_per_flit, a.clock.cycles_of(a.cycles_per_flit));
        else
            decibits_per_second = std::min(decibits_per_second, a.decibits_per_second);
    }
    /// Adds another path to the end of this one. `clock`: network cycles in a cycle of `more`.
    void add(const path_cost& more, std::uint32_t clock = 1) {
        links += more.links;
        cycles_per_flit = std::max(cycles_per_flit, more.cycles_per_flit * clock);
        cycles += more.cycles * clock;
        picoseconds += more.picoseconds;
        decibits_per_second = std::min(decibits_per_second, more.decibits_per_second);
    }
};

/// A port of a router.
struct router_port {
    router_id router;
    port_id port;
};

/// Base class of the data that a kind of network gives to the routing functions made for it.
struct network_shape {
    virtual ~network_shape() = default;
};

/// Routers with coordinates: router c0 + dims[0] * (c1 + dims[1] * ...) has the coordinates c0, c1, ..., and
/// router r has the nodes from r * concentration on. Links lead along *axes*, which on grids are the
/// dimensions: port 2a leads to the neighbour in + direction along axis a, port 2a + 1 to the neighbour in -
/// direction. (Unidirectional: port a in + direction.) The last `concentration` ports lead to the nodes.
struct coordinate_shape : network_shape {
    std::vector<std::uint32_t> dims;  ///< number of routers along each dimension; dimension 0 varies fastest
    std::uint32_t concentration = 1;  ///< nodes at each router
    bool unidirectional = false;      ///< true: there are only links in + direction
    std::uint32_t more_axes = 0;      ///< number of axes that are no dimensions
    bool minus_last = false;          ///< true: port a leads in + direction, port axes() + a in - direction

    /// Number of axes.
    std::uint32_t axes() const { return static_cast<std::uint32_t>(dims.size()) + more_axes; }
    /// Number of ports of a router that lead to routers.
    std::uint32_t router_ports() const { return axes() * (unidirectional ? 1 : 2); }
    /// Returns the port along an axis, in - direction if `negative`, which counts only if links lead both
    /// ways.
    std::uint32_t port(std::uint32_t axis, bool negative) const {
        if (unidirectional) return axis;
        return minus_last ? axis + (negative ? axes() : 0) : 2 * axis + (negative ? 1 : 0);
    }
    /// Returns the axis of a port, which must be below router_ports(); unchecked.
    std::uint32_t axis(std::uint32_t port) const {
        return unidirectional ? port : minus_last ? port % axes() : port / 2;
    }
};

/// Shape of meshes, tori and rings.
struct grid_shape : coordinate_shape {
    std::vector<bool> wrap;  ///< true: the dimension is closed to a ring; by dimension
};

/// Keys of the section 'router' that a topology sets for some of its routers.
struct router_setting {
    /// Routers, as ranges of numbers: first and last number of each range, both included.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> at;
    config::value changes;  ///< keys with their values, a map
};

/// Figures of a topology that are known by formulas; empty where no formula is known.
struct closed_forms {
    /// Largest number of links on a shortest path between the routers of two nodes.
    std::optional<std::uint32_t> diameter;
    /// Mean number of links on a shortest path between the routers of two nodes, over all ordered pairs of
    /// nodes, a node with itself included.
    std::optional<double> mean_distance;
    /// Least number of channels, each direction counted as one, that a division of the nodes into halves
    /// cuts.
    std::optional<std::uint64_t> bisection;
};

class path_search;
struct clock_region;

/// A network as a graph of routers and nodes, which does not change once it is made. Numbers in arguments are
/// not checked.
class topology {
  public:
    /// A network that a composite network is made of, and a router's number in it.
    struct part {
        const topology* network;  ///< network that has the router, not null
        std::uint32_t level;      ///< level of `network`: 0 is the outermost; see levels_of()
        router_id router;         ///< number of the router in `network`
    };

    topology();
    virtual ~topology();
    topology(const topology&) = delete;
    topology& operator=(const topology&) = delete;

    virtual std::string name() const = 0;  ///< name by which the kind is registered
    /// Number of nodes.
    virtual std::uint32_t nodes() const = 0;
    /// Number of nodes that loads are shared out among, which have the lowest numbers: all nodes but
    /// combiners (tlm/combining/combiner_network.h).
    virtual std::uint32_t terminals() const { return nodes(); }
    /// Number of routers.
    virtual std::uint32_t routers() const = 0;
    virtual std::uint32_t ports(router_id r) const = 0;  ///< number of ports of a router, 1 to most_ports
    /// Returns the clock of a router, its period in network cycles: the clock of its region, or of the
    /// network.
    virtual clock_ratio clock(router_id r) const;
    /// Returns the clock of the NIC of node n: the clock of the NIC's region, or of the network.
    clock_ratio clock(node_id n) const;
    /// Returns the region (clock domain) to which a router belongs; null: none.
    virtual const clock_region* region(router_id) const { return nullptr; }
    /// Returns the region to which the NIC of a node belongs; null: none.
    virtual const clock_region* region(node_id) const { return nullptr; }
    /// Returns the network that contains a router: this network itself, unless it is made of other networks.
    virtual part part_of(router_id r) const { return {this, 0, r}; }
    /// Returns the settings of routers that the topology makes; entries of the section 'routers' come after
    /// them and prevail.
    virtual std::vector<router_setting> router_settings() const { return {}; }
    /// Returns the other end of the link that leaves router r by port p; kind none: no link leaves by it.
    virtual port_peer peer(router_id r, port_id p) const = 0;
    /// Returns the other end of the link that enters router r by port p; equal to peer() in networks whose
    /// links all lead both ways.
    virtual port_peer source(router_id r, port_id p) const { return peer(r, p); }
    /// Attributes of the link that leaves router r by port p; without meaning where peer() is kind none.
    virtual link_attributes link(router_id r, port_id p) const = 0;
    /// Attributes of the link from node n to its router.
    virtual link_attributes injection_link(node_id n) const = 0;
    virtual router_id router_of(node_id n) const = 0;  ///< router into which node n sends
    virtual port_id port_of(node_id n) const = 0;      ///< input port of that router into which node n sends
    /// Returns the router and output port from which node n receives. They differ from router_of() and
    /// port_of() only in networks of one-way stages, whose nodes send into the first stage and receive from
    /// the last one.
    virtual router_port ejection_of(node_id n) const { return {router_of(n), port_of(n)}; }
    /// Returns the data for routing functions made for this kind of network; null: there are none.
    virtual const network_shape* shape() const { return nullptr; }
    /// Returns shape() if it is a grid_shape, else null.
    const grid_shape* grid() const { return dynamic_cast<const grid_shape*>(shape()); }
    /// Returns shape() if it is a coordinate_shape, else null.
    const coordinate_shape* coordinates() const { return dynamic_cast<const coordinate_shape*>(shape()); }
    /// Returns diameter, mean distance and bisection as far as formulas are known.
    virtual closed_forms known() const { return {}; }
    /// Returns classes of nodes from which the network looks the same, as pairs of one node of the class and
    /// the number of its nodes. One search for each class then gives exact mean distances. Empty: not known.
    virtual std::vector<std::pair<node_id, std::uint32_t>> node_classes() const { return {}; }
    /// Adds to `sum` the cost of a shortest path between two routers: of the paths with the fewest links the
    /// one of least latency, and of these the one of most bandwidth. In a dragonfly the path has at most one
    /// global link, as in minimal routing. Uses a formula if there is one, else a search from `from` whose
    /// result is kept, so that two threads must not call at once. Adds nothing if `from` is `to`. Throws
    /// std::logic_error if there is no path, or config::error if the routers are in different planes.
    virtual void add_path(router_id from, router_id to, path_cost& sum) const;
    /// Returns the number of links on the path of add_path(), and throws as add_path() does.
    std::uint32_t distance(router_id from, router_id to) const {
        path_cost sum;
        add_path(from, to, sum);
        return sum.links;
    }

    /// Returns the layout for pictures, valid as long as this object is; null: there is none, and a picture
    /// must be made from the links.
    virtual std::unique_ptr<layout> picture() const { return nullptr; }

    /// Returns the names of routers, nodes and links.
    const place_names& names() const { return m_names; }
    /// Sets the names, in place of all earlier ones; for the maker of the topology.
    void set_names(place_names names) { m_names = std::move(names); }

  private:
    place_names m_names;
    mutable std::unique_ptr<path_search> m_search;  ///< made by the first add_path() without a formula
};

/// Returns the cost of a shortest path from one node to another, the links of both nodes included. Throws
/// std::out_of_range for an unknown node, and as topology::add_path() does if there is no path.
path_cost path_between(const topology& net, node_id from, node_id to);

/// Topologies by name, for the key 'topology' of the section 'network'.
using topology_registry = config::registry<topology>;
extern template class config::registry<topology>;  // in topology.cpp, for all files that register one

}  // namespace sare
