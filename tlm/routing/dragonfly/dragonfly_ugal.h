// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/dragonfly/dragonfly_routing.h"

/// UGAL on a dragonfly (Singh 2005; Kim et al., ISCA 2008): each packet compares a minimal path with one
/// through a random group.
namespace sare {

struct ugal_parameters {
    std::int32_t threshold = 0;
    static config::schema<ugal_parameters> fields();
};

/// Decides at the packet's first router: minimal if its queue times its hops is at most that of the path
/// through the other group, and the threshold. header.via: that path's state until then.
class dragonfly_ugal : public dragonfly_routing {
  public:
    bool deterministic() const override { return false; }
    bool looks_at_congestion() const override { return true; }
    bool goes_round_failures() const override { return true; }

    void begin(route_header& h, rng& random) const override {
        h.state = draw_minimal(h, random);
        h.via = draw_detour(h, random);
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        every_minimal(plain, out);
        every_detour(plain, out);
    }
    void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const override {
        std::vector<route_header> all;
        every_minimal(plain, all);
        every_way_round(plain, all);
        for (const route_header& h : all) out.push_back({h, 1.0 / static_cast<double>(all.size())});
    }
    void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                      const congestion_view& here, route_set& out) const override;

  protected:
    dragonfly_ugal(const std::string& name, const ugal_parameters& p, const config::value& section,
                   const routing_context& context)
        : dragonfly_routing(name, context, section, true), m_threshold(p.threshold) {}

    /// Flits on a packet's two paths from router `r`, where it stands, by the global links by which it leaves
    /// the group.
    struct queues {
        std::uint32_t minimal = 0, detour = 0;
    };
    virtual queues look(std::uint32_t r, const global_port& minimal, const global_port& detour,
                        const route_header& h, const congestion_view& here) const = 0;

  private:
    bool prefers_detour(std::uint32_t r, const route_header& h, const congestion_view& here) const;

    std::int32_t m_threshold;
};

}  // namespace sare
