// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/registry.h"
#include "tlm/topology/layout.h"

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

/// Known figures of a topology; absent where no formula is known.
struct closed_forms {
    std::optional<std::uint32_t> diameter;  ///< largest number of links between routers of two nodes
    std::optional<double> mean_distance;    ///< the same, mean over all ordered pairs of nodes, self included
    std::optional<std::uint64_t> bisection;  ///< channels (one direction each) cut by the best halving
};

class topology {
  public:
    virtual ~topology() = default;

    virtual std::string name() const = 0;
    virtual std::uint32_t nodes() const = 0;
    virtual std::uint32_t routers() const = 0;
    virtual std::uint32_t ports(router_id r) const = 0;  ///< 1 to 64
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
    /// How to draw the network, valid as long as the topology is; nullptr where its wiring alone must say.
    virtual std::unique_ptr<layout> picture() const { return nullptr; }
};

using topology_registry = config::registry<topology>;

}  // namespace sare
