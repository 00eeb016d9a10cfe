// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/coordinate_network.h"

/// Circulants and the triangular torus: each router is linked to the routers at a few fixed steps, so that
/// all routers see the same network and the order of hops does not matter (Cayley graphs of commutative
/// groups).
namespace sare {

struct step_shape : coordinate_shape {
    /// Distance that the + link of an axis moves a packet along each dimension, modulo its size,
    /// [axis][dimension].
    std::vector<std::vector<std::uint32_t>> steps;
    /// True if a step that leads back when taken twice is one link, on the + port; false: two parallel links,
    /// as on a torus of size 2.
    bool one_link_back = false;
};

/// A network of fixed steps. A step of 0 has no links.
class step_network final : public coordinate_network {
  public:
    /// Throws config::error at `section` for sizes that cannot be built.
    step_network(std::string name, const step_shape& shape, const closed_forms& known,
                 const link_parameters& links, const config::value& section);

    const network_shape* shape() const override { return &m_shape; }
    closed_forms known() const override { return m_known; }
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override {
        return {{node_id(0), nodes()}};
    }
    /// Picture: a circle for one dimension, a skewed grid for two.
    std::unique_ptr<layout> picture() const override;
    port_peer peer(router_id r, port_id p) const override;
    std::optional<std::uint32_t> neighbour(std::uint32_t r, std::uint32_t axis, bool negative) const override;
    void add_path(router_id from, router_id to, path_cost& sum) const override;

  private:
    /// True if the + link of an axis also leads back, so that there is no - link.
    bool one_link(std::uint32_t axis) const;

    step_shape m_shape;
    closed_forms m_known;
};

}  // namespace sare
