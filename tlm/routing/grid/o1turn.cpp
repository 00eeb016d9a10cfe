// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/grid_routing.h"

namespace sare::variants::o1turn {
namespace {

/// Dimension order XY or YX, drawn for each packet, each on its own half of the VCs (Seo et al., 2005).
/// header.state: the ways from the source (bits 0-3), bit 4 for YX.
class o1turn final : public grid_routing {
  public:
    o1turn(const ring_parameters& p, const config::value& section, const routing_context& context)
        : grid_routing("o1turn", context, section, p) {
        need_two_dimensions(section);
        const std::uint32_t each = dateline_classes();
        check_vcs(
            section, context, "o1turn",
            {2 * each,
             each == 1
                 ? "one for each of the orders XY and YX"
                 : "two dateline classes for each of the orders XY and YX on a network with wrap links"});
        const std::uint32_t half = (context.vcs + 1) / 2;
        m_order[0] = vc_classes(0, half);
        m_order[1] = vc_classes(half, context.vcs - half);
    }

    std::uint32_t max_candidates() const override { return escapes() ? 2 : 1; }
    std::uint32_t tabular_states() const override { return 32; }
    bool treats_dimensions_apart() const override { return true; }
    bool deterministic() const override { return false; }
    bool needs_escape() const override { return escapes(); }

    void begin(route_header& h, rng& random) const override {
        const std::uint32_t order = random.next() >> 31;
        const std::uint32_t w = rings() ? ways(at(attachment_of(h.source).router),
                                               at(attachment_of(h.destination).router), draw(random))
                                        : 0;
        h.state = static_cast<std::uint16_t>(w | order << 4);
    }

    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const auto *s = at(attachment_of(plain.source).router),
                   *t = at(attachment_of(plain.destination).router);
        every_draw(s, t, [&](std::uint32_t negative) {
            for (const std::uint32_t order : {0U, 1U}) {
                out.push_back(plain);
                out.back().state = static_cast<std::uint16_t>(ways(s, t, negative) | order << 4);
            }
        });
    }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment to = attachment_of(h.destination);
        if (r == to.router) return deliver(to.port, out);
        const auto *c = at(r), *t = at(to.router);
        const std::uint32_t order = h.state >> 4 & 1U;
        const std::uint32_t d = c[order] != t[order] ? order : 1 - order;
        hop(d, c[d], t[d], h.state, m_order[order], out);
    }

  private:
    vc_classes m_order[2];
};

const routing_registration<o1turn, ring_parameters> registered{
    "o1turn", "XY or YX order on a grid of two dimensions, drawn for each packet, half of the VCs for each.",
    ring_fields()};

}  // namespace
}  // namespace sare::variants::o1turn
