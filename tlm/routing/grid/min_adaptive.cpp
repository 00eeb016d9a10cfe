// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/hyperx/hyperx_routing.h"

#include <algorithm>

namespace sare::variants::min_adaptive {
namespace {

/// Any unfinished dimension next. Each hop leaves one dimension less, and has the class of VCs of their
/// number: classes only follow each other, so no cycle closes.
class min_adaptive final : public hyperx_routing {
  public:
    min_adaptive(const config::value& section, const routing_context& context)
        : hyperx_routing("min_adaptive", context, section), m_all(0) {
        const std::uint32_t hops = std::max(dimensions(), 1U);
        check_vcs(section, context, name(), {hops, "one for each hop, as many as dimensions"});
        m_all = vc_classes(0, context.vcs).all;
        m_classes = equal_classes(context.vcs, hops);
    }

    std::uint32_t max_candidates() const override { return std::max(dimensions(), 1U); }
    bool tabular() const override { return true; }
    bool goes_round_failures() const override { return true; }
    bool deterministic() const override { return dimensions() <= 1; }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment& to = attachment_of(h.destination);
        if (r == to.router) return out.add(to.port, m_all);
        const auto *c = at(r), *t = at(to.router);
        const std::uint32_t vcs = m_classes[dimensions() - count_unlike(c, t)];
        for (std::uint32_t d = 0; d < dimensions(); ++d)
            if (c[d] != t[d]) out.add(port(d, c[d], t[d]), vcs);
    }

  private:
    std::uint32_t m_all;
    std::vector<vc_mask> m_classes;  ///< by finished dimensions
};

const routing_registration<min_adaptive> registered{
    "min_adaptive", "HyperX: any unfinished dimension next, a class of VCs for each hop."};

}  // namespace
}  // namespace sare::variants::min_adaptive
