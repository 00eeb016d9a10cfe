// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/grid/grid_routing.h"

namespace sare {

/// Base class of functions that go by dimension order to an intermediate router, header.via, and then to the
/// destination, each phase on its own half of the VCs. Derived classes differ in the router that begin()
/// draws. header.state has grid_routing::ways() of phase 0 in the low byte, of phase 1 in the high byte.
class two_phase : public grid_routing {
  public:
    std::uint32_t max_candidates() const override { return escapes() ? 2 : 1; }
    bool treats_dimensions_apart() const override { return true; }
    bool deterministic() const override { return false; }
    bool needs_escape() const override { return escapes(); }

    /// Appends two headers, for the two phases: of a packet that ends phase 0 at the destination's router,
    /// and of a packet that begins phase 1 at the source's router. Over all pairs of nodes these have all
    /// routes to and from any intermediate router.
    void every_header(const route_header& plain, std::vector<route_header>& out) const final;
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const final;

  protected:
    /// `p`: rules for rings. Throws config::error for a network that is no grid, and for too few VCs.
    two_phase(const std::string& name, const ring_parameters& p, const config::value& section,
              const routing_context& context);

  private:
    vc_classes m_phase[2];  ///< VCs of each phase
};

}  // namespace sare
