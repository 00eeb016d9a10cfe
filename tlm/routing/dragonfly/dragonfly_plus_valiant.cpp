// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_plus_routing.h"

#include <algorithm>

namespace sare::variants::dragonfly_plus_valiant {
namespace {

/// Every packet for another group goes through a random third one, drawn at its source.
class dragonfly_plus_valiant final : public dragonfly_plus_routing {
  public:
    dragonfly_plus_valiant(const config::value& section, const routing_context& context)
        : dragonfly_plus_routing("dragonfly_plus_valiant", context, section, true) {}

    bool deterministic() const override { return false; }
    void begin(route_header& h, rng& random) const override {
        const std::uint32_t from = group_of(h.source), to = group_of(h.destination);
        if (from == to || group_count() < 3) {
            h.state = static_cast<std::uint16_t>(random.below(minimal_paths(h.source, h.destination)));
            return;
        }
        std::uint32_t via = random.below(group_count() - 2);  // of the groups but these two
        via += via >= std::min(from, to) ? 1 : 0;
        via += via >= std::max(from, to) ? 1 : 0;
        h.state = detour(via, random.below(copies()));
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const std::uint32_t from = group_of(plain.source), to = group_of(plain.destination);
        const auto add = [&](std::uint32_t state) {
            out.push_back(plain);
            out.back().state = static_cast<std::uint16_t>(state);
        };
        if (from == to || group_count() < 3) {
            for (std::uint32_t k = 0; k < minimal_paths(plain.source, plain.destination); ++k) add(k);
            return;
        }
        for (std::uint32_t via = 0; via < group_count(); ++via)
            for (std::uint32_t copy = 0; via != from && via != to && copy < copies(); ++copy)
                add(detour(via, copy));
    }
};

const routing_registration<dragonfly_plus_valiant> registered{
    "dragonfly_plus_valiant",
    "Dragonfly+: minimal to a random third group and from there to the destination."};

}  // namespace
}  // namespace sare::variants::dragonfly_plus_valiant
