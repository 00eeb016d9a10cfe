// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_plus_routing.h"

namespace sare::variants::dragonfly_plus_minimal {
namespace {

/// One of the minimal paths, drawn at the source.
class dragonfly_plus_minimal final : public dragonfly_plus_routing {
  public:
    dragonfly_plus_minimal(const config::value& section, const routing_context& context)
        : dragonfly_plus_routing("dragonfly_plus_minimal", context, section, false) {}

    bool deterministic() const override { return tabular_states() <= 1; }
    void begin(route_header& h, rng& random) const override {
        h.state = static_cast<std::uint16_t>(random.below(minimal_paths(h.source, h.destination)));
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        for (std::uint32_t k = 0; k < minimal_paths(plain.source, plain.destination); ++k) {
            out.push_back(plain);
            out.back().state = static_cast<std::uint16_t>(k);
        }
    }
};

const routing_registration<dragonfly_plus_minimal> registered{
    "dragonfly_plus_minimal",
    "Dragonfly+: up to a spine, over the global link to the destination's group, down to the leaf."};

}  // namespace
}  // namespace sare::variants::dragonfly_plus_minimal
