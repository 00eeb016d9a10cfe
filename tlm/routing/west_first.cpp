// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid_routing.h"

namespace sare {
namespace {

/// The turn model of Glass and Ni (1992), minimal: all hops in the - direction of dimension 0 come first,
/// then any minimal direction.
class west_first final : public grid_routing {
  public:
    west_first(const config::value& section, const routing_context& context)
        : grid_routing("west_first", context, section, {}) {
        need_two_dimensions(section, true);
        check_vcs(section, context, "west_first", {1, "packets travel on it"});
    }

    std::uint32_t max_candidates() const override { return 2; }
    bool tabular() const override { return true; }
    bool deterministic() const override { return false; }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_place to = place_of(h.destination);
        if (r == to.router) return deliver(to.port, out);
        const auto *c = at(r), *t = at(to.router);
        if (t[0] < c[0]) return out.add(1, m_vcs.all);
        if (t[0] > c[0]) out.add(0, m_vcs.all);
        if (t[1] != c[1]) out.add(t[1] > c[1] ? 2 : 3, m_vcs.all);
    }
};

routing_function* make(const config::no_parameters&, const config::value& section,
                       const routing_context& context) {
    return new west_first(section, context);
}

const config::registration<routing_function, const routing_context&> registered{
    "west_first",
    "Turn model on a mesh of two dimensions: - hops in dimension 0 first, then minimal adaptive.",
    config::schema<config::no_parameters>{}, make};

}  // namespace
}  // namespace sare
