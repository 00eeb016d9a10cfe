// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/grid_routing.h"

namespace sare::variants::dor {
namespace {

/// The lowest unfinished dimension first, the shorter way round. header.state: the ways from the source.
class dor final : public grid_routing {
  public:
    dor(const ring_parameters& p, const config::value& section, const routing_context& context)
        : grid_routing("dor", context, section, p) {
        need_dimensions(section, 8);
        const bool one = dateline_classes() == 1;
        check_vcs(section, context, "dor",
                  {dateline_classes(), one ? "packets travel on it"
                                           : std::string("one for each of the two classes of dateline ") +
                                                 name_of(p.dateline) + " on a network with wrap links"});
    }

    std::uint32_t max_candidates() const override { return escapes() ? 2 : 1; }
    bool tabular() const override { return !rings(); }
    std::uint32_t tabular_states() const override { return rings() ? 1U << (2 * dimensions()) : 1; }
    bool treats_dimensions_apart() const override { return true; }
    bool deterministic() const override { return !random_ties(); }
    bool needs_escape() const override { return escapes(); }
    bool finishes_dimensions_in_order() const override { return true; }

    void begin(route_header& h, rng& random) const override {
        if (!rings()) return;
        h.state = static_cast<std::uint16_t>(
            ways(at(attachment_of(h.source).router), at(attachment_of(h.destination).router), draw(random)));
    }

    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const auto *s = at(attachment_of(plain.source).router),
                   *t = at(attachment_of(plain.destination).router);
        every_draw(s, t, [&](std::uint32_t negative) {
            out.push_back(plain);
            out.back().state = static_cast<std::uint16_t>(ways(s, t, negative));
        });
    }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment to = attachment_of(h.destination);
        if (r == to.router) return deliver(to.port, out);
        const auto *c = at(r), *t = at(to.router);
        const std::uint32_t d = first_unlike(c, t);
        hop(d, c[d], t[d], h.state, m_vcs, out);
    }
};

const routing_registration<dor, ring_parameters> registered{
    "dor",
    "Dimension order (e-cube) on mesh, torus and ring: lowest unfinished dimension first, shorter way round.",
    ring_fields()};

}  // namespace
}  // namespace sare::variants::dor
