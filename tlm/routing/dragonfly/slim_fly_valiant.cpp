// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/slim_fly_routing.h"
#include "tlm/routing/through_random_router.h"

namespace sare::variants::slim_fly_valiant {
namespace {

/// Minimal to a random router, then to the destination: up to four hops, a quarter of the VCs for each.
class slim_fly_valiant final : public through_random_router<slim_fly_routing> {
  public:
    slim_fly_valiant(const config::value& section, const routing_context& context)
        : through_random_router("slim_fly_valiant", context, section), m_all(0) {
        check_vcs(section, context, name(), {4, "one for each of two hops of the two phases"});
        m_all = vc_classes(0, context.vcs).all;
        m_classes = equal_classes(context.vcs, 4);
    }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        if (h.phase == 0 && r == h.via) h.phase = 1;
        const node_attachment& to = attachment_of(h.destination);
        if (h.phase == 1 && r == to.router) return out.add(to.port, m_all);
        const step s = next(r, h.phase == 0 ? h.via : to.router);
        out.add(s.port, m_classes[2U * h.phase + (s.last ? 1 : 0)]);
    }

  private:
    std::uint32_t m_all;
    std::vector<vc_mask> m_classes;  ///< by phase and hop
};

const routing_registration<slim_fly_valiant> registered{
    "slim_fly_valiant",
    "Slim Fly: minimal to a random router and from there to the destination, a class of VCs for each hop."};

}  // namespace
}  // namespace sare::variants::slim_fly_valiant
