// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/grid_routing.h"

namespace sare::variants::productive {
namespace {

/// Every port that leads nearer, in order of dimensions; both ways round where they are equally long. What
/// keeps a network with it free of deadlock is for its routers to know: those of kind deflection.
class productive final : public grid_routing {
  public:
    productive(const config::value& section, const routing_context& context)
        : grid_routing("productive", context, section, {}) {
        check_vcs(section, context, name(), {1, "packets travel on it"});
    }

    std::uint32_t max_candidates() const override { return std::max(2 * dimensions(), 1U); }
    bool tabular() const override { return true; }
    bool deterministic() const override { return dimensions() == 1 && !rings(); }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment to = attachment_of(h.destination);
        if (r == to.router) return deliver(to.port, out);
        const auto *c = at(r), *t = at(to.router);
        for (std::uint32_t d = 0; d < dimensions(); ++d) {
            if (c[d] == t[d]) continue;
            const grid_dimension& along = dim(d);
            const std::uint32_t round = along.last + 1U, up = t[d] > c[d] ? t[d] - c[d] : t[d] + round - c[d];
            const bool plus = one_way() || (along.ring ? 2 * up <= round : t[d] > c[d]);
            const bool minus = !one_way() && (along.ring ? 2 * up >= round : t[d] < c[d]);
            if (plus) out.add(along.port, m_vcs.all);
            if (minus) out.add(along.port + along.back, m_vcs.all);
        }
    }
};

const routing_registration<productive> registered{
    "productive", "Mesh, torus, ring, hypercube: every port that leads nearer; for routers that deflect."};

}  // namespace
}  // namespace sare::variants::productive
