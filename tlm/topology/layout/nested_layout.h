// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/composite/hierarchical.h"
#include "tlm/topology/layout/layouts.h"

#include <memory>
#include <vector>

namespace sare {

/// Layout of a network of networks: the outer network, spread out, with each copy of the inner network beside
/// the outer router to which the first gateway of the copy is linked.
class nested_layout final : public layout {
  public:
    /// `outer`, `inner`: layouts of the two networks, not null. `shape` and its networks must outlive this
    /// object.
    nested_layout(const hierarchy_shape& shape, std::unique_ptr<layout> outer, std::unique_ptr<layout> inner);
    spot of(router_id r) const override;
    std::optional<double> stub(router_id r, port_id p) const override;

  private:
    /// Returns the outer router to which the first gateway of a copy is linked.
    std::uint32_t beside_of(std::uint32_t copy) const;

    const hierarchy_shape& m_shape;
    std::unique_ptr<layout> m_outer, m_inner;
    point m_centre, m_size;       ///< centre of the inner picture; its width and height
    double m_spread = 1;          ///< factor by which the outer picture is spread
    std::vector<double> m_place;  ///< shift in x of each copy from its outer router, by copy
};

}  // namespace sare
