// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/tree/tree_routing.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::variants::tree_adaptive {
namespace {

/// Every shortest path: all up ports until the destination lies below.
class tree_adaptive final : public tree_routing {
  public:
    tree_adaptive(const tree_parameters& p, const config::value& section, const routing_context& context)
        : tree_routing("tree_adaptive", context, section, p.keep_vc) {
        for (std::uint32_t i = 0; i + 1 < shape().levels(); ++i)
            m_most_up = std::max(m_most_up, shape().up[i]);
        if (m_most_up > route_set::capacity)
            throw config::error(place(section, "function"),
                                fmt::format("'function' is tree_adaptive, which chooses among at most {} up "
                                            "ports; the network has {}",
                                            route_set::capacity, m_most_up));
    }

    std::uint32_t max_candidates() const override { return m_most_up; }
    bool tabular_by_input() const override { return !keeps_vc(); }
    bool deterministic() const override { return max_candidates() == 1; }
    bool goes_round_failures() const override { return true; }
    bool knows_routers_only() const override { return true; }

    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        const switch_position& here = at(r);
        const vc_mask mask = vcs(here, in, in_vc, h);
        if (above(here, h.destination)) return go_down(here, mask, h, out);
        for (std::uint32_t up = 0; up < shape().up[here.level]; ++up) out.add(here.down + up, mask);
    }

  private:
    std::uint32_t m_most_up = 1;
};

config::schema<tree_parameters> fields() {
    config::schema<tree_parameters> all;
    all.flag("keep_vc", &tree_parameters::keep_vc,
             "packets stay on the VC that they took at their first router");
    return all;
}

const routing_registration<tree_adaptive, tree_parameters> registered{
    "tree_adaptive",
    "Fat and thin trees: up by any port until the destination lies below, then down by its digits.",
    fields()};

}  // namespace
}  // namespace sare::variants::tree_adaptive
