// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/layout/layouts.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

#include <optional>

/// Base of networks whose routers have coordinates: numbers, ports and bounds.
namespace sare {

/// Base class of networks whose routers have coordinates, with the numbers and ports of coordinate_shape.
/// Ports without a neighbour lead nowhere.
class coordinate_network : public topology {
  public:
    std::string name() const override { return m_name; }
    std::uint32_t nodes() const override { return m_routers * m_layout.concentration; }
    std::uint32_t routers() const override { return m_routers; }
    std::uint32_t ports(router_id) const override { return m_layout.router_ports() + m_layout.concentration; }
    port_peer peer(router_id r, port_id p) const override;
    port_peer source(router_id r, port_id p) const override;
    link_attributes link(router_id, port_id p) const override {
        return p.value < m_layout.router_ports() ? m_links.link() : m_links.node_link();
    }
    link_attributes injection_link(node_id) const override { return m_links.node_link(); }
    router_id router_of(node_id n) const override { return router_id(n.value / m_layout.concentration); }
    port_id port_of(node_id n) const override {
        return port_id(m_layout.router_ports() + n.value % m_layout.concentration);
    }
    /// Returns the router one step along an axis from router `r`, in - direction if `negative`; nothing if no
    /// link leads there.
    virtual std::optional<std::uint32_t> neighbour(std::uint32_t r, std::uint32_t axis,
                                                   bool negative) const = 0;

  protected:
    /// `name`: name by which the kind is registered. Throws config::error at `section` for sizes that cannot
    /// be built.
    coordinate_network(std::string name, const coordinate_shape& layout, const link_parameters& links,
                       const config::value& section);
    /// Attributes of every link between routers.
    link_attributes links_between() const { return m_links.link(); }
    /// Difference between the numbers of two routers one step apart along dimension `d`, not by a wrap link.
    std::uint32_t stride(std::uint32_t d) const { return m_stride[d]; }

  private:
    port_peer node_at(std::uint32_t r, std::uint32_t p) const;

    std::string m_name;
    coordinate_shape m_layout;
    link_parameters m_links;
    std::uint32_t m_routers = 1;          ///< number of routers
    std::vector<std::uint32_t> m_stride;  ///< see stride()
};

/// Layout of routers with coordinates, as planes of dimensions 0 and 1 side by side. Links to the next place
/// in a plane are drawn whole; links around an edge or to another plane are drawn as stubs.
class coordinate_layout final : public plane_layout {
  public:
    /// `along`: for each axis the dimensions along which a step moves; `skew`: see plane_layout. `net` and
    /// `shape` must outlive this object.
    coordinate_layout(const coordinate_network& net, const coordinate_shape& shape,
                      std::vector<std::vector<std::uint32_t>> along, double skew = 0);
    /// Makes the layout of a network whose axes are its dimensions.
    coordinate_layout(const coordinate_network& net, const coordinate_shape& shape);
    std::optional<double> stub(router_id r, port_id p) const override;

  private:
    const coordinate_network& m_net;
    const coordinate_shape& m_shape;
    std::vector<std::vector<std::uint32_t>> m_along;  ///< dimensions along which each axis moves
};

/// Parameters that mesh, torus and twisted torus share.
struct grid_parameters : link_parameters {
    grid_parameters();  // not inline: GCC 12 takes an inline one's clean-up for a use before initialisation
    std::vector<std::uint32_t> dims;  ///< number of routers along each dimension; dimension 0 varies fastest
    std::uint32_t concentration = 1;  ///< nodes at each router
};
/// Returns the schema of grid_parameters.
config::schema<grid_parameters> grid_fields();

}  // namespace sare
