// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_routing.h"

namespace sare::variants::dragonfly_minimal {
namespace {

/// To the destination's group by a link between the two groups, never through a third one.
class dragonfly_minimal final : public dragonfly_routing {
  public:
    dragonfly_minimal(const config::value& section, const routing_context& context)
        : dragonfly_routing("dragonfly_minimal", context, section, detours::none) {}

    bool deterministic() const override { return copies() <= 1; }
    void begin(route_header& h, rng& random) const override { h.state = draw_minimal(h, random); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        every_minimal(plain, out);
    }
};

const routing_registration<dragonfly_minimal> registered{
    "dragonfly_minimal",
    "Dragonflies: a local hop to the router with the link to the destination's group, that link, a local "
    "hop."};

}  // namespace
}  // namespace sare::variants::dragonfly_minimal
