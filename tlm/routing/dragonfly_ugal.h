// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/dragonfly_routing.h"

/// UGAL on a dragonfly (Singh 2005; Kim et al., ISCA 2008): each packet compares a minimal way with one
/// through a random group.
namespace sare {

struct ugal_parameters {
    std::int32_t threshold = 0;
    static config::schema<ugal_parameters> fields();
};

/// Decides at the packet's first router: minimal if its queue times its hops is at most that of the way
/// through the other group, and the threshold. header.via: that way's state until then.
class dragonfly_ugal : public dragonfly_routing {
  public:
    bool deterministic() const override { return false; }
    bool looks_at_congestion() const override { return true; }

    void begin(route_header& h, rng& random) const override {
        h.state = draw_minimal(h, random);
        h.via = draw_detour(h, random);
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        every_minimal(plain, out);
        every_detour(plain, out);
    }
    void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                      const congestion_view& here, route_set& out) const override;

  protected:
    dragonfly_ugal(const std::string& name, const ugal_parameters& p, const config::value& section,
                   const routing_context& context)
        : dragonfly_routing(name, context, section, true), m_threshold(p.threshold) {}

    /// Flits on the way of a state at router `r`, where the packet stands: `link` is the global link by which
    /// it leaves the group.
    virtual std::uint32_t queue(std::uint32_t r, const global_port& link,
                                const congestion_view& here) const = 0;

  private:
    std::int64_t cost(std::uint32_t r, std::uint32_t state, const route_header& h,
                      const congestion_view& here) const;

    std::int32_t m_threshold;
};

}  // namespace sare
