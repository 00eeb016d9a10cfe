// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sare {

/// A network with one more node at one more port of each gateway router. The node stands for everything
/// outside of the network; its number follows the numbers of the nodes of `net`, in the order of `gateways`.
/// shape() is null, since formulas for the network's own nodes do not hold.
class gateway_network final : public topology {
  public:
    /// `gateways`: numbers of the gateway routers, each once. `net` must outlive this object.
    gateway_network(const topology& net, std::vector<std::uint32_t> gateways)
        : m_net(net), m_gateways(std::move(gateways)) {}

    std::string name() const override {
        return m_net.name() + (m_gateways.size() == 1 ? " with a gateway that has no node"
                                                      : " with gateways that have no node");
    }
    std::uint32_t nodes() const override { return m_net.nodes() + size(); }
    std::uint32_t routers() const override { return m_net.routers(); }
    std::uint32_t ports(router_id r) const override { return m_net.ports(r) + (is_gateway(r) ? 1 : 0); }
    port_peer peer(router_id r, port_id p) const override {
        return is_extra(r, p) ? around(r) : m_net.peer(r, p);
    }
    port_peer source(router_id r, port_id p) const override {
        return is_extra(r, p) ? around(r) : m_net.source(r, p);
    }
    link_attributes link(router_id r, port_id p) const override {
        return is_extra(r, p) ? link_attributes{} : m_net.link(r, p);
    }
    link_attributes injection_link(node_id n) const override {
        return is_extra(n) ? link_attributes{} : m_net.injection_link(n);
    }
    router_id router_of(node_id n) const override { return is_extra(n) ? gateway(n) : m_net.router_of(n); }
    port_id port_of(node_id n) const override { return is_extra(n) ? port_at(gateway(n)) : m_net.port_of(n); }
    router_port ejection_of(node_id n) const override {
        return is_extra(n) ? router_port{gateway(n), port_at(gateway(n))} : m_net.ejection_of(n);
    }

  private:
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_gateways.size()); }
    /// Index of a router in m_gateways; size(): it is no gateway.
    std::uint32_t number_of(router_id r) const {
        return static_cast<std::uint32_t>(std::find(m_gateways.begin(), m_gateways.end(), r.value) -
                                          m_gateways.begin());
    }
    bool is_gateway(router_id r) const { return number_of(r) != size(); }  ///< true for a gateway router
    port_peer around(router_id r) const { return {port_peer::kind::node, m_net.nodes() + number_of(r), 0}; }
    router_id gateway(node_id n) const { return router_id(m_gateways[n.value - m_net.nodes()]); }
    port_id port_at(router_id r) const { return port_id(m_net.ports(r)); }
    bool is_extra(router_id r, port_id p) const { return is_gateway(r) && p.value == m_net.ports(r); }
    bool is_extra(node_id n) const { return n.value >= m_net.nodes(); }  ///< true for an added node

    const topology& m_net;                  ///< network without the added nodes
    std::vector<std::uint32_t> m_gateways;  ///< gateway routers, by added node
};

}  // namespace sare
