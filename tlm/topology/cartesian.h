// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

#include <optional>

/// Grids: the mesh, the torus and the ring are one class that differs in which dimensions are closed.
namespace sare {

/// Router r has coordinates r = c0 + dims[0] * (c1 + dims[1] * ...); its nodes are r * concentration and the
/// following. Ports as grid_shape says. A closed dimension of size 2 has two parallel links, one of size 1
/// none: its ports are unplugged, like those at the border of a mesh.
class cartesian final : public topology {
  public:
    /// Throws config::error, placed by `section`, for sizes that cannot be built.
    cartesian(std::string name, grid_shape shape, const link_parameters& links, const config::value& section);

    std::string name() const override { return m_name; }
    std::uint32_t nodes() const override { return m_routers * m_shape.concentration; }
    std::uint32_t routers() const override { return m_routers; }
    std::uint32_t ports(router_id) const override { return m_shape.router_ports() + m_shape.concentration; }
    port_peer peer(router_id r, port_id p) const override;
    port_peer source(router_id r, port_id p) const override;
    link_attributes link(router_id, port_id p) const override {
        return p.value < m_shape.router_ports() ? m_links.link() : m_links.node_link();
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(n.value / m_shape.concentration); }
    port_id port_of(node_id n) const override {
        return port_id(m_shape.router_ports() + n.value % m_shape.concentration);
    }
    const network_shape* shape() const override { return &m_shape; }
    closed_forms known() const override;
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override;

  private:
    /// The router one step along dimension d, if there is a link.
    std::optional<std::uint32_t> neighbour(std::uint32_t r, std::uint32_t d, bool negative) const;
    port_peer node_at(std::uint32_t r, std::uint32_t p) const;
    std::optional<std::uint64_t> bisection() const;

    std::string m_name;
    grid_shape m_shape;
    link_parameters m_links;
    std::uint32_t m_routers = 1;
    std::vector<std::uint32_t> m_stride;  ///< routers per step of a dimension
};

/// Parameters that mesh and torus share.
struct grid_parameters : link_parameters {
    grid_parameters();  // not inline: GCC 12 takes an inline one's clean-up for a use before initialisation
    std::vector<std::uint32_t> dims;
    std::uint32_t concentration = 1;
};
config::schema<grid_parameters> grid_fields();

}  // namespace sare
