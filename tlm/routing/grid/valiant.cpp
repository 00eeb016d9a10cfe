// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/two_phase.h"

namespace sare::variants::valiant {
namespace {

/// The router between is any one (Valiant and Brebner, 1981).
class valiant final : public two_phase {
  public:
    valiant(const ring_parameters& p, const config::value& section, const routing_context& context)
        : two_phase("valiant", p, section, context) {}

    void begin(route_header& h, rng& random) const override {
        h.phase = 0;
        h.via = random.below(routers());
        if (!rings()) return;
        const auto *s = at(attachment_of(h.source).router), *m = at(h.via),
                   *t = at(attachment_of(h.destination).router);
        const std::uint32_t first = ways(s, m, draw(random));
        h.state = static_cast<std::uint16_t>(first | ways(m, t, draw(random)) << 8);
    }
    void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const override {
        const auto *s = at(attachment_of(plain.source).router),
                   *t = at(attachment_of(plain.destination).router);
        for (std::uint32_t via = 0; via < routers(); ++via) {
            const std::size_t first = out.size();
            every_draw(s, at(via), [&](std::uint32_t to) {
                every_draw(at(via), t, [&](std::uint32_t from) {
                    out.push_back({plain, 0});
                    out.back().header.via = via;
                    out.back().header.state =
                        static_cast<std::uint16_t>(ways(s, at(via), to) | ways(at(via), t, from) << 8);
                });
            });
            for (std::size_t i = first; i < out.size(); ++i)
                out[i].share = 1.0 / (routers() * static_cast<double>(out.size() - first));
        }
    }
};

const routing_registration<valiant, ring_parameters> registered{
    "valiant",
    "Dimension order to a random router and from there to the destination, half of the VCs for each phase.",
    ring_fields()};

}  // namespace
}  // namespace sare::variants::valiant
