// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/grid/grid_routing.h"

/// Base of functions that go by dimension order to an intermediate router, header.via, then to the
/// destination, each phase on its own half of the VCs. Functions differ in the router that they draw.
/// header.state has grid_routing::ways() of phase 0 in the low byte, of phase 1 in the high byte.
namespace sare {

class two_phase : public grid_routing {
  public:
    std::uint32_t max_candidates() const override { return escapes() ? 2 : 1; }
    bool treats_dimensions_apart() const override { return true; }
    bool deterministic() const override { return false; }
    bool needs_escape() const override { return escapes(); }

    /// Appends the headers of the two phases separately: packets that end phase 0 at the destination's
    /// router, and packets that start phase 1 at the source's router. All pairs of nodes together show all
    /// routes to and from any intermediate router.
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
