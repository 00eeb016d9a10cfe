// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid_routing.h"

namespace sare {
namespace {

/// Dimension order to a random router, then to the destination (Valiant and Brebner, 1981), each phase on its
/// own half of the VCs. header.state: the ways of phase 0 in the low byte, those of phase 1 in the high one.
class valiant final : public grid_routing {
  public:
    valiant(const ring_parameters& p, const config::value& section, const routing_context& context)
        : grid_routing("valiant", context, section, p) {
        need_dimensions(section, 4);
        const std::uint32_t each = dateline_classes();
        check_vcs(
            section, context, "valiant",
            {2 * each, each == 1 ? "one for each of the two phases"
                                 : "two dateline classes for each of the two phases on a network with wrap "
                                   "links"});
        const std::uint32_t half = (context.vcs + 1) / 2;
        m_phase[0] = vc_classes(0, half);
        m_phase[1] = vc_classes(half, context.vcs - half);
    }

    std::uint32_t max_candidates() const override { return escapes() ? 2 : 1; }
    bool deterministic() const override { return false; }
    bool needs_escape() const override { return escapes(); }

    void begin(route_header& h, rng& random) const override {
        h.phase = 0;
        h.via = random.below(routers());
        if (!rings()) return;
        const auto *s = at(place_of(h.source).router), *m = at(h.via),
                   *t = at(place_of(h.destination).router);
        const std::uint32_t first = ways(s, m, draw(random));
        h.state = static_cast<std::uint16_t>(first | ways(m, t, draw(random)) << 8);
    }

    /// The two phases apart: a packet that ends phase 0 at the destination's router, and one that starts
    /// phase 1 at the source's. Over all pairs these are all the ways to and from any intermediate router.
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const std::uint32_t to = place_of(plain.destination).router;
        const auto *s = at(place_of(plain.source).router), *t = at(to);
        every_draw(s, t, [&](std::uint32_t negative) {
            for (const std::uint32_t phase : {0U, 1U}) {
                out.push_back(plain);
                out.back().via = to;
                out.back().phase = static_cast<std::uint8_t>(phase);
                out.back().state = static_cast<std::uint16_t>(ways(s, t, negative) << (8 * phase));
            }
        });
    }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        if (h.phase == 0 && r == h.via) h.phase = 1;
        const node_place to = place_of(h.destination);
        const std::uint32_t target = h.phase == 0 ? h.via : to.router;
        if (r == target) return deliver(to.port, out);
        const auto *c = at(r), *t = at(target);
        const std::uint32_t d = first_unlike(c, t);
        hop(d, c[d], t[d], static_cast<std::uint32_t>(h.state) >> (8U * h.phase), m_phase[h.phase], out);
    }

  private:
    vc_classes m_phase[2];
};

routing_function* make(const ring_parameters& p, const config::value& section,
                       const routing_context& context) {
    return new valiant(p, section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "valiant",
    "Dimension order to a random router and from there to the destination, half of the VCs for each phase.",
    ring_fields(), make};

}  // namespace
}  // namespace sare
