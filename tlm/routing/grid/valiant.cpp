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
}  // namespace sare::variants::valiant
