// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing.h"
#include "tlm/topology/region/wrapped_topology.h"

namespace sare {

/// A plain network with a combiner at each router. A combiner is attached to additional ports of its router,
/// each of which is a node: port k of the combiner of router r is node plain_nodes() + r * ports_each + k.
/// The node is named combinerR, or combinerR/K if combiners have several ports.
class combiner_network final : public wrapped_topology {
  public:
    /// Adds combiners of `ports_each` ports, 1 or more, to `map`. Throws config::error at `section` if a link
    /// or a node of `map` leads one way only.
    combiner_network(std::unique_ptr<topology> map, std::uint32_t ports_each,
                     const config::location& section);

    const topology& plain() const { return wrapped(); }            ///< the network without combiners
    std::uint32_t plain_nodes() const { return plain().nodes(); }  ///< number of nodes that are no combiners
    /// Returns the node that is port `port`, taken modulo the ports of a combiner, of the combiner of
    /// `router`, which is not checked.
    std::uint32_t combiner(std::uint32_t router, std::uint32_t port) const {
        return plain_nodes() + router * m_each + port % m_each;
    }
    /// True if a node is a port of a combiner.
    bool is_combiner(std::uint32_t node) const { return node >= plain_nodes(); }

    std::uint32_t nodes() const override { return plain_nodes() + routers() * m_each; }
    std::uint32_t terminals() const override { return plain_nodes(); }
    std::uint32_t ports(router_id r) const override { return plain().ports(r) + m_each; }
    using wrapped_topology::region;
    const clock_region* region(node_id n) const override {
        return is_combiner(n.value) ? region(router_of(n)) : plain().region(n);
    }
    port_peer peer(router_id r, port_id p) const override {
        return is_own(r, p) ? own(r, p) : plain().peer(r, p);
    }
    port_peer source(router_id r, port_id p) const override {
        return is_own(r, p) ? own(r, p) : plain().source(r, p);
    }
    link_attributes link(router_id r, port_id p) const override {
        return is_own(r, p) ? own_link(r) : plain().link(r, p);
    }
    link_attributes injection_link(node_id n) const override {
        return is_combiner(n.value) ? own_link(router_of(n)) : plain().injection_link(n);
    }
    router_id router_of(node_id n) const override {
        return is_combiner(n.value) ? router_id((n.value - plain_nodes()) / m_each) : plain().router_of(n);
    }
    port_id port_of(node_id n) const override {
        return is_combiner(n.value)
                   ? port_id(plain().ports(router_of(n)) + (n.value - plain_nodes()) % m_each)
                   : plain().port_of(n);
    }
    router_port ejection_of(node_id n) const override { return {router_of(n), port_of(n)}; }
    /// Empty, as formulas and classes of nodes are about networks without combiners.
    closed_forms known() const override { return {}; }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override { return {}; }

  private:
    bool is_own(router_id r, port_id p) const { return p.value >= plain().ports(r); }
    port_peer own(router_id r, port_id p) const {
        return {port_peer::kind::node, combiner(r.value, p.value - plain().ports(r)), 0};
    }
    link_attributes own_link(router_id r) const {
        link_attributes a;
        a.clock = clock(r);
        return a;
    }

    std::uint32_t m_each;  ///< ports of each combiner
};

/// Returns `map` as a network with combiners; null: it has none.
inline const combiner_network* combiners_of(const topology& map) {
    return dynamic_cast<const combiner_network*>(&map);
}
/// Returns the network without combiners: combiner_network::plain(), or `map` itself if it has none.
inline const topology& without_combiners(const topology& map) {
    const combiner_network* const its = combiners_of(map);
    return its == nullptr ? map : its->plain();
}

/// Returns a routing function for the network with combiners: packets to its other nodes go by `inner`, a
/// function on map.plain(), not null. Packets to a combiner come from the same router or from a neighbour, so
/// that they cross at most one link between routers and are in no cycle of channels. `map` must outlive the
/// result; `vcs`: VCs of a message class.
std::unique_ptr<routing_function> route_to_combiners(std::unique_ptr<routing_function> inner,
                                                     const combiner_network& map, std::uint32_t vcs);

}  // namespace sare
