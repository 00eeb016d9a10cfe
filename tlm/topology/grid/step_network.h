// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/coordinate_network.h"

/// Circulants and the triangular torus: each router is linked to the routers at a few fixed steps. All
/// routers see the same network, and the order of hops does not matter (Cayley graphs of commutative groups).
namespace sare {

/// Shape of a network of fixed steps: each router is linked to the routers that are a step of each axis away.
struct step_shape : coordinate_shape {
    /// Step of each axis, [axis][dimension]: number that the + link of the axis adds to the coordinate,
    /// modulo the size of the dimension.
    std::vector<std::vector<std::uint32_t>> steps;
    /// True if an axis whose step, taken twice, leads back has one link, on the + port; false: it has two
    /// parallel links, as a torus dimension of size 2.
    bool one_link_back = false;
};

/// A network of fixed steps. An axis whose step is 0 in all dimensions has no links.
class step_network final : public coordinate_network {
  public:
    /// `known`: closed forms of this network. Throws config::error at `section` for sizes that cannot be
    /// built.
    step_network(std::string name, const step_shape& shape, const closed_forms& known,
                 const link_parameters& links, const config::value& section);

    const network_shape* shape() const override { return &m_shape; }
    closed_forms known() const override { return m_known; }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), nodes()}};
    }
    /// Returns a circle for one dimension, and a skewed grid for two.
    std::unique_ptr<layout> picture() const override;
    port_peer peer(router_id r, port_id p) const override;
    std::optional<std::uint32_t> neighbour(std::uint32_t r, std::uint32_t axis, bool negative) const override;
    void add_path(router_id from, router_id to, path_cost& sum) const override;

  private:
    /// True if an axis has one link for both directions, on the + port, and no - link.
    bool one_link(std::uint32_t axis) const;

    step_shape m_shape;
    closed_forms m_known;
};

}  // namespace sare
