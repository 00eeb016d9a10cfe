// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/composite/hierarchical.h"
#include "tlm/topology/layout/layouts.h"

#include <memory>
#include <vector>

namespace sare {

/// The picture of the outer network, spread out, with that of the inner one beside the router of the first
/// node that it is in place of.
class nested_layout final : public layout {
  public:
    /// What `shape` points to outlives it. Both pictures are there.
    nested_layout(const hierarchy_shape& shape, std::unique_ptr<layout> outer, std::unique_ptr<layout> inner);
    spot of(router_id r) const override;
    std::optional<double> stub(router_id r, port_id p) const override;

  private:
    /// The outer router of the first gateway.
    std::uint32_t beside_of(std::uint32_t copy) const;

    const hierarchy_shape& m_shape;
    std::unique_ptr<layout> m_outer, m_inner;
    point m_centre, m_size;       ///< of the inner picture
    double m_spread = 1;          ///< of the outer one
    std::vector<double> m_place;  ///< of each copy: x from that router
};

}  // namespace sare
