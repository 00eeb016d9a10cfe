// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/two_phase.h"

namespace sare {

two_phase::two_phase(const std::string& name, const ring_parameters& p, const config::value& section,
                     const routing_context& context)
    : grid_routing(name, context, section, p) {
    need_dimensions(section, 4);
    const std::uint32_t each = dateline_classes();
    check_vcs(section, context, name,
              {2 * each,
               each == 1 ? "one for each of the two phases"
                         : "two dateline classes for each of the two phases on a network with wrap links"});
    const std::uint32_t half = (context.vcs + 1) / 2;
    m_phase[0] = vc_classes(0, half);
    m_phase[1] = vc_classes(half, context.vcs - half);
}

void two_phase::every_header(const route_header& plain, std::vector<route_header>& out) const {
    const std::uint32_t to = attachment_of(plain.destination).router;
    const auto *s = at(attachment_of(plain.source).router), *t = at(to);
    every_draw(s, t, [&](std::uint32_t negative) {
        add_phases(plain, to, out);
        for (auto h = out.end() - 2; h != out.end(); ++h)
            h->state = static_cast<std::uint16_t>(ways(s, t, negative) << (8 * h->phase));
    });
}

void two_phase::route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h, route_set& out) const {
    if (h.phase == 0 && r == h.via) h.phase = 1;
    const node_attachment to = attachment_of(h.destination);
    const std::uint32_t target = h.phase == 0 ? h.via : to.router;
    if (r == target) return deliver(to.port, out);
    const auto *c = at(r), *t = at(target);
    const std::uint32_t d = first_unlike(c, t);
    hop(d, c[d], t[d], static_cast<std::uint32_t>(h.state) >> (8U * h.phase), m_phase[h.phase], out);
}

}  // namespace sare
