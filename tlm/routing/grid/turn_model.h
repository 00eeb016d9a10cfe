// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/grid/grid_routing.h"

namespace sare {

/// Turn model of a mesh with two groups of directions (Glass and Ni, 1992): a packet makes its minimal hops
/// in directions of the first group first, in any order, then those of the second group, and never turns back
/// into the first.
class turn_model final : public grid_routing {
  public:
    /// `first`: mask of the first group of directions: bit 2d for the + direction of dimension d, bit 2d + 1
    /// for the - direction. Throws config::error for a network that is no mesh.
    turn_model(const std::string& name, std::uint64_t first, const config::value& section,
               const routing_context& context);

    std::uint32_t max_candidates() const override { return dimensions(); }
    bool tabular() const override { return true; }
    bool treats_dimensions_apart() const override { return true; }
    bool deterministic() const override { return dimensions() == 1; }
    bool goes_round_failures() const override { return true; }

    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override;

  private:
    void add_hops(const std::uint16_t* c, const std::uint16_t* t, std::uint64_t directions,
                  route_set& out) const;

    std::uint64_t m_first;  ///< mask `first` of the constructor
};

/// Mask of the - directions of all dimensions, for `first` of turn_model().
constexpr std::uint64_t all_negative = 0xaaaaaaaaaaaaaaaaULL;

}  // namespace sare
