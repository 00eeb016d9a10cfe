// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

namespace sare {

/// A network with one more node, the last, at a further port of a router, the gateway: what is around the
/// network, as seen from inside. Of what kind the network is it does not say, for formulas about its nodes do
/// not hold for that one.
class gateway_network final : public topology {
  public:
    /// `net` outlives it.
    gateway_network(const topology& net, router_id gateway)
        : m_net(net), m_gateway(gateway), m_port(net.ports(gateway)) {}

    std::string name() const override { return m_net.name() + " with a gateway that has no node"; }
    std::uint32_t nodes() const override { return m_net.nodes() + 1; }
    std::uint32_t routers() const override { return m_net.routers(); }
    std::uint32_t ports(router_id r) const override { return m_net.ports(r) + (is_gateway(r) ? 1 : 0); }
    port_peer peer(router_id r, port_id p) const override {
        return is_extra(r, p) ? around() : m_net.peer(r, p);
    }
    port_peer source(router_id r, port_id p) const override {
        return is_extra(r, p) ? around() : m_net.source(r, p);
    }
    link_attributes link(router_id r, port_id p) const override {
        return is_extra(r, p) ? link_attributes{} : m_net.link(r, p);
    }
    link_attributes injection_link(node_id n) const override {
        return is_extra(n) ? link_attributes{} : m_net.injection_link(n);
    }
    router_id router_of(node_id n) const override { return is_extra(n) ? m_gateway : m_net.router_of(n); }
    port_id port_of(node_id n) const override { return is_extra(n) ? port_id(m_port) : m_net.port_of(n); }
    router_port ejection_of(node_id n) const override {
        return is_extra(n) ? router_port{m_gateway, port_id(m_port)} : m_net.ejection_of(n);
    }

  private:
    port_peer around() const { return {port_peer::kind::node, m_net.nodes(), 0}; }
    bool is_gateway(router_id r) const { return r.value == m_gateway.value; }
    bool is_extra(router_id r, port_id p) const { return is_gateway(r) && p.value == m_port; }
    bool is_extra(node_id n) const { return n.value == m_net.nodes(); }

    const topology& m_net;
    router_id m_gateway;
    std::uint32_t m_port;
};

}  // namespace sare
