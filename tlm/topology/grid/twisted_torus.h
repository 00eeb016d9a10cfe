// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/coordinate_network.h"

/// Tori whose wrap links also move a packet along other dimensions.
namespace sare {

/// Shape of a torus whose wrap links also move a packet along other dimensions.
struct twisted_shape : coordinate_shape {
    /// Twist, [d][e]: number that crossing the wrap link of dimension d in + direction adds to coordinate e,
    /// modulo dims[e]; twist[d][d] is 0.
    std::vector<std::vector<std::uint32_t>> twist;

    /// True if the order of hops along different dimensions does not matter, so that the network looks the
    /// same from all routers. This is so if no wrap link moves packets along a dimension whose own wrap link
    /// moves them along another one.
    bool commutes() const;
};

/// A twisted torus. A dimension of size 1 has wrap links only if they lead to another router.
class twisted_torus final : public coordinate_network {
  public:
    /// Throws config::error at `section` for sizes that cannot be built.
    twisted_torus(const twisted_shape& shape, const link_parameters& links, const config::value& section);

    const network_shape* shape() const override { return &m_shape; }
    closed_forms known() const override;
    std::vector<std::pair<node_id, std::uint32_t>> node_classes() const override;
    std::unique_ptr<layout> picture() const override {
        return std::make_unique<coordinate_layout>(*this, m_shape);
    }
    std::optional<std::uint32_t> neighbour(std::uint32_t r, std::uint32_t d, bool negative) const override;
    void add_path(router_id from, router_id to, path_cost& sum) const override;

  private:
    twisted_shape m_shape;
};

}  // namespace sare
