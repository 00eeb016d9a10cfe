// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/grid/grid_routing.h"

/// Dimension order to a router between, then to the destination, each phase on its own half of the VCs.
/// Functions differ in the router they draw, header.via. header.state: the ways of phase 0 in the low byte,
/// those of phase 1 in the high one.
namespace sare {

class two_phase : public grid_routing {
  public:
    std::uint32_t max_candidates() const override { return escapes() ? 2 : 1; }
    bool treats_dimensions_apart() const override { return true; }
    bool deterministic() const override { return false; }
    bool needs_escape() const override { return escapes(); }

    /// The two phases apart: a packet that ends phase 0 at the destination's router, and one that starts
    /// phase 1 at the source's. Over all pairs these are all the ways to and from any intermediate router.
    void every_header(const route_header& plain, std::vector<route_header>& out) const final;
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const final;

  protected:
    two_phase(const std::string& name, const ring_parameters& p, const config::value& section,
              const routing_context& context);

  private:
    vc_classes m_phase[2];
};

}  // namespace sare
