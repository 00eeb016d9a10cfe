// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/coordinate_network.h"

/// Grids: mesh, torus and ring are one class; the dimensions that are closed to rings differ.
namespace sare {

/// A mesh, torus or ring. A closed dimension of size 2 has two parallel links; a closed dimension of size 1
/// has none, and its ports lead nowhere, like ports at the border of a mesh.
class cartesian final : public coordinate_network {
  public:
    /// `name`: name by which the kind is registered. Throws config::error at `section` for sizes that cannot
    /// be built.
    cartesian(std::string name, const grid_shape& shape, const link_parameters& links,
              const config::value& section);

    const network_shape* shape() const override { return &m_shape; }
    closed_forms known() const override;
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override;
    std::unique_ptr<layout> picture() const override;
    std::optional<std::uint32_t> neighbour(std::uint32_t r, std::uint32_t d, bool negative) const override;
    void add_path(router_id from, router_id to, path_cost& sum) const override;

  private:
    std::optional<std::uint64_t> bisection() const;

    grid_shape m_shape;
};

}  // namespace sare
