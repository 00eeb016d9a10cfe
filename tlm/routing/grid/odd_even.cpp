// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/grid_routing.h"

namespace sare::variants::odd_even {
namespace {

/// The odd-even turn model, minimal (G.-M. Chiu, "The Odd-Even Turn Model for Adaptive Routing", 2000, figure
/// 2): no turn from east to north or south in an even column, none from north or south to west in an odd one.
/// header.state: the source's column.
class odd_even final : public grid_routing {
  public:
    odd_even(const config::value& section, const routing_context& context)
        : grid_routing("odd_even", context, section, {}) {
        need_two_dimensions(section);
        need_mesh(section);
        check_vcs(section, context, "odd_even", {1, "packets travel on it"});
    }

    std::uint32_t max_candidates() const override { return 2; }
    bool goes_round_failures() const override { return true; }
    bool treats_dimensions_apart() const override { return true; }
    bool deterministic() const override { return false; }
    std::uint32_t tabular_states() const override { return dim(0).last + 1U; }

    void begin(route_header& h, rng&) const override { h.state = at(attachment_of(h.source).router)[0]; }

    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        out.push_back(plain);
        out.back().state = at(attachment_of(plain.source).router)[0];
    }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment to = attachment_of(h.destination);
        if (r == to.router) return deliver(to.port, out);
        const auto *c = at(r), *t = at(to.router);
        const bool odd = c[0] & 1;
        const std::uint32_t along_column = t[1] > c[1] ? 2 : 3;
        if (t[0] == c[0]) return out.add(along_column, m_vcs.all);
        if (t[0] > c[0]) {
            if (t[1] == c[1]) return out.add(0, m_vcs.all);
            if ((t[0] & 1) != 0 || t[0] != c[0] + 1) out.add(0, m_vcs.all);
            if (odd || c[0] == h.state) out.add(along_column, m_vcs.all);
            return;
        }
        out.add(1, m_vcs.all);
        if (!odd && t[1] != c[1]) out.add(along_column, m_vcs.all);
    }
};

const routing_registration<odd_even> registered{
    "odd_even",
    "Odd-even turn model on a mesh of two dimensions: minimal adaptive, turns limited by column parity."};

}  // namespace
}  // namespace sare::variants::odd_even
