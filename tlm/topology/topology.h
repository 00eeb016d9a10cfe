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

/// What is linked to what. A topology is a directed multigraph of routers with numbered ports, plus nodes
/// attached to router ports (Dally & Towles, ch. 3). Nothing outside this folder and the routing functions
/// made for it knows which topology it is.
namespace sare {

/// What a router port is wired to.
struct port_peer {
    enum class kind : std::uint8_t { none, router, node };
    kind what = kind::none;
    std::uint32_t id = 0;    ///< router or node
    std::uint32_t port = 0;  ///< port of that router; 0 for a node
};

/// Properties of the outgoing link of a port.
struct link_attributes {
    std::uint32_t latency = 1;          ///< cycles, >= 1
    std::uint32_t cycles_per_flit = 1;  ///< serialisation of a narrow link, >= 1
    /// @name Where the link has a time and a bandwidth of its own
    /// @{
    static constexpr std::uint64_t in_cycles = ~std::uint64_t{0};
    std::uint64_t picoseconds = in_cycles;  ///< latency; in_cycles: the one above
    std::uint64_t decibits_per_second = 0;  ///< tenths of a bit/s; 0: a flit in the cycles above
    /// @}
    std::uint32_t clock = 1;  ///< cycles of the network that each of those above takes
    /// @name It sleeps when it has carried nothing for `idle` cycles; a flit for it waits `wake` cycles then
    /// @{
    std::uint32_t idle = 0;  ///< 0: it never sleeps by itself
    std::uint32_t wake = 0;  ///< 0: it cannot sleep
    /// @}
    double bit_error_rate = 0;     ///< of each bit that crosses it, in [0, 1)
    std::uint32_t flit_phits = 1;  ///< phits of a flit, from which cycles_per_flit was made
    /// @name The cycles above follow from the picoseconds, or from the bits/s, where flits are simulated
    /// @{
    bool latency_follows = false, rate_follows = false;
    /// @}

    /// Gives the link a latency in cycles, in every model.
    void set_latency(std::uint32_t cycles) {
        latency = cycles;
        picoseconds = in_cycles;
        latency_follows = false;
    }
    void set_cycles_per_flit(std::uint32_t cycles) {
        cycles_per_flit = cycles;
        decibits_per_second = 0;
        rate_follows = false;
    }
};

/// The cost of a path: sums of the latencies of its links, in picoseconds for links that have such a latency,
/// in cycles for the others; and the slowest link of each kind.
struct path_cost {
    std::uint32_t links = 0;
    std::uint32_t cycles_per_flit = 0;  ///< the most of links without a bandwidth; 0: there is none
    std::uint64_t cycles = 0, picoseconds = 0;
    std::uint64_t decibits_per_second =
        ~std::uint64_t{0};  ///< the least of links with one; ~0: there is none

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
    /// `clock`: cycles of this path that a cycle of the other takes.
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

/// What the routing functions made for a kind of network ask of it: one of those below, or a type of one's
/// own.
struct network_shape {
    virtual ~network_shape() = default;
};

/// Routers with coordinates, and nodes by their router: router r is c0 + dims[0] * (c1 + dims[1] * ...); its
/// nodes are r * concentration and the following. Links lead along *axes*, on grids the dimensions: port 2a
/// goes to the + neighbour of axis a, port 2a+1 to the - neighbour (unidirectional: port a goes +); nodes
/// follow on the last `concentration` ports.
struct coordinate_shape : network_shape {
    std::vector<std::uint32_t> dims;  ///< sizes, dimension 0 varies fastest
    std::uint32_t concentration = 1;  ///< nodes per router
    bool unidirectional = false;      ///< only + links
    std::uint32_t more_axes = 0;      ///< than dimensions
    bool minus_last = false;          ///< port a goes +, port axes + a goes -

    std::uint32_t axes() const { return static_cast<std::uint32_t>(dims.size()) + more_axes; }
    std::uint32_t router_ports() const { return axes() * (unidirectional ? 1 : 2); }
    /// The port along an axis; `negative` only where links lead both ways.
    std::uint32_t port(std::uint32_t axis, bool negative) const {
        if (unidirectional) return axis;
        return minus_last ? axis + (negative ? axes() : 0) : 2 * axis + (negative ? 1 : 0);
    }
    /// The axis of one of the router_ports().
    std::uint32_t axis(std::uint32_t port) const {
        return unidirectional ? port : minus_last ? port % axes() : port / 2;
    }
};

/// Meshes, tori and rings.
struct grid_shape : coordinate_shape {
    std::vector<bool> wrap;  ///< per dimension: closed to a ring
};

/// What a network says of its own routers: keys of the section 'router' that are different for some.
struct router_setting {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> at;  ///< first and last of each run of routers
    config::value changes;
};

/// Known figures of a topology; absent where no formula is known.
struct closed_forms {
    std::optional<std::uint32_t> diameter;  ///< largest number of links between routers of two nodes
    std::optional<double> mean_distance;    ///< the same, mean over all ordered pairs of nodes, self included
    std::optional<std::uint64_t> bisection;  ///< channels (one direction each) cut by the best halving
};

class path_search;

class topology {
  public:
    /// One of the networks that a network is made of, and a router's number there.
    struct part {
        const topology* network;
        std::uint32_t level;  ///< 0: the outermost
        router_id router;
    };

    topology();
    virtual ~topology();
    topology(const topology&) = delete;
    topology& operator=(const topology&) = delete;

    virtual std::string name() const = 0;
    virtual std::uint32_t nodes() const = 0;
    virtual std::uint32_t routers() const = 0;
    virtual std::uint32_t ports(router_id r) const = 0;  ///< 1 to 64
    /// Cycles of the network that one of the router's takes, 1 or more.
    virtual std::uint32_t clock(router_id r) const {
        (void)r;
        return 1;
    }
    /// The network that a router is in; this one, unless it is made of others.
    virtual part part_of(router_id r) const { return {this, 0, r}; }
    /// Of routers that differ from the section 'router'; the section 'routers' comes after them.
    virtual std::vector<router_setting> router_settings() const { return {}; }
    /// Where a flit that leaves by (r, p) arrives; kind none for an unplugged port.
    virtual port_peer peer(router_id r, port_id p) const = 0;
    /// Where a flit that arrives by (r, p) came from; the same as peer() where links come in pairs.
    virtual port_peer source(router_id r, port_id p) const { return peer(r, p); }
    virtual link_attributes link(router_id r, port_id p) const = 0;  ///< of the outgoing link of (r, p)
    virtual link_attributes injection_link(node_id n) const = 0;  ///< of the link from node n to its router
    virtual router_id router_of(node_id n) const = 0;
    virtual port_id port_of(node_id n) const = 0;  ///< the port of router_of(n) that node n is on
    /// Where node n takes its packets from: elsewhere than where it sends them only in networks of one-way
    /// stages, whose nodes send into the first stage and are served by the last.
    virtual router_port ejection_of(node_id n) const { return {router_of(n), port_of(n)}; }
    /// nullptr where there is nothing to say of it.
    virtual const network_shape* shape() const { return nullptr; }
    const grid_shape* grid() const { return dynamic_cast<const grid_shape*>(shape()); }
    const coordinate_shape* coordinates() const { return dynamic_cast<const coordinate_shape*>(shape()); }
    virtual closed_forms known() const { return {}; }
    /// Classes of nodes that see the same network: one representative each with its count (for exact mean
    /// distances by one search a class); empty where nothing is known.
    virtual std::vector<std::pair<node_id, std::uint32_t>> node_classes() const { return {}; }
    /// Adds the cost of a shortest path between two routers: the fewest links; of several such paths the one
    /// of least latency, then of most bandwidth. In a dragonfly it has one global link at most, as minimal
    /// routing does. Computed by a formula where there is one, else by a search from `from`, whose result is
    /// kept: not thread-safe. Throws std::logic_error if there is no path.
    virtual void add_path(router_id from, router_id to, path_cost& sum) const;
    /// Links on that path.
    std::uint32_t distance(router_id from, router_id to) const {
        path_cost sum;
        add_path(from, to, sum);
        return sum.links;
    }

    /// How to draw the network, valid as long as the topology is; nullptr where its wiring alone must say.
    virtual std::unique_ptr<layout> picture() const { return nullptr; }

    /// What its routers, nodes and links are called: set once, by who makes it.
    const place_names& names() const { return m_names; }
    void set_names(place_names names) { m_names = std::move(names); }

  private:
    place_names m_names;
    mutable std::unique_ptr<path_search> m_search;  ///< made by the first add_path() without a formula
};

/// The cost of the path from node to node, with the links of the nodes.
path_cost path_between(const topology& net, node_id from, node_id to);

using topology_registry = config::registry<topology>;
extern template class config::registry<topology>;  // in topology.cpp, for all files that register one

}  // namespace sare
