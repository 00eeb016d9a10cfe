// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/slim_fly_routing.h"

namespace sare::variants::slim_fly_minimal {
namespace {

/// The hop that arrives has the upper half of the VCs, the one before it the lower half.
class slim_fly_minimal final : public slim_fly_routing {
  public:
    slim_fly_minimal(const config::value& section, const routing_context& context)
        : slim_fly_routing("slim_fly_minimal", context, section) {
        check_vcs(section, context, name(), {2, "one for each of two hops"});
        m_vcs = vc_classes(0, context.vcs);
    }

    bool tabular() const override { return true; }
    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment& to = attachment_of(h.destination);
        if (r == to.router) return out.add(to.port, m_vcs.all);
        const step s = next(r, to.router);
        out.add(s.port, s.last ? m_vcs.high : m_vcs.low);
    }

  private:
    vc_classes m_vcs;
};

const routing_registration<slim_fly_minimal> registered{"slim_fly_minimal",
                                                        "Slim Fly: one hop or two, a class of VCs for each."};

}  // namespace
}  // namespace sare::variants::slim_fly_minimal
