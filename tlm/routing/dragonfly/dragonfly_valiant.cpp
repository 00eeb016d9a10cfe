// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_routing.h"

namespace sare::variants::dragonfly_valiant {
namespace {

/// Every packet for another group goes through a random third one, drawn at its source: any traffic between
/// groups loads the global links as two uniform ones.
class dragonfly_valiant final : public dragonfly_routing {
  public:
    dragonfly_valiant(const config::value& section, const routing_context& context)
        : dragonfly_routing("dragonfly_valiant", context, section, detours::at_first) {}

    bool deterministic() const override { return false; }
    void begin(route_header& h, rng& random) const override { h.state = draw_detour(h, random); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const std::size_t before = out.size();
        every_detour(plain, out);
        if (out.size() == before) every_minimal(plain, out);  // within a group, or there is no third one
    }
    void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const override {
        std::vector<route_header> all;
        every_way_round(plain, all);
        for (const route_header& h : all) out.push_back({h, 1.0 / static_cast<double>(all.size())});
    }
};

const routing_registration<dragonfly_valiant> registered{
    "dragonfly_valiant", "Dragonflies: minimal to a random third group and from there to the destination."};

}  // namespace
}  // namespace sare::variants::dragonfly_valiant
