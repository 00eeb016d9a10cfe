// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/dragonfly/dragonfly_routing.h"

namespace sare {

/// Parameter of UGAL.
struct ugal_parameters {
    /// Product of flits and hops, from -65535 to 65535, by which a minimal path may be worse than the detour
    /// and still be taken.
    std::int32_t threshold = 0;
    static config::schema<ugal_parameters> fields();
};

/// Base class of UGAL on a dragonfly (Singh 2005; Kim et al., ISCA 2008): each packet compares a minimal path
/// with a path through a random group. The minimal path is taken if its queue times its hops is at most the
/// queue of the detour times the detour's hops plus the threshold. Until the decision header.via is the state
/// of the detour.
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
                   const routing_context& context, detours allowed = detours::at_first)
        : dragonfly_routing(name, context, section, allowed), m_threshold(p.threshold) {}

    /// True if a packet on a minimal path, which has come to router `r` by port `in`, may still turn to the
    /// detour. By default, true only at the packet's first router.
    virtual bool may_turn(std::uint32_t r, std::uint32_t in, const route_header& h) const {
        (void)r;
        (void)h;
        return in >= shape().first_node_port();
    }

    /// Queues of the two paths, in flits.
    struct queues {
        std::uint32_t minimal = 0, detour = 0;
    };
    /// Returns the queues of the two paths of a packet as far as router `r`, in the source's group, knows
    /// them. `minimal`, `detour`: global link over which each path leaves the group. Called only if the
    /// destination is in another group. The default returns the queues of the paths' first hops. If both
    /// begin with the same local hop, it returns the flits behind it on the VCs of each path (UGAL-L_VCH of
    /// Kim et al.).
    virtual queues look(std::uint32_t r, const global_port& minimal, const global_port& detour,
                        const route_header& h, const congestion_view& here) const;

  private:
    bool prefers_detour(std::uint32_t r, const route_header& h, const congestion_view& here) const;
    std::uint32_t first_port(std::uint32_t r, const global_port& link) const {
        const std::uint32_t x = at(r).x;
        return x == link.x ? link.port : dragonfly_shape::local_port(x, link.x);
    }

    std::int32_t m_threshold;
};

}  // namespace sare
