// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/hyperx/hyperx_routing.h"
#include "tlm/routing/through_random_router.h"

namespace sare::variants::hyperx_valiant {
namespace {

/// Dimension order to a random router, then to the destination, each phase on its own half of the VCs.
class hyperx_valiant final : public through_random_router<hyperx_routing> {
  public:
    hyperx_valiant(const config::value& section, const routing_context& context)
        : through_random_router("hyperx_valiant", context, section) {
        check_vcs(section, context, name(), {2, "one for each of the two phases"});
        m_vcs = vc_classes(0, context.vcs);
    }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        if (h.phase == 0 && r == h.via) h.phase = 1;
        const node_attachment& to = attachment_of(h.destination);
        if (h.phase == 1 && r == to.router) return out.add(to.port, m_vcs.all);
        if (h.phase == 0)
            out.add(in_order(at(r), at(h.via)), m_vcs.low);
        else
            out.add(in_order(at(r), at(to.router)), m_vcs.high);
    }

  private:
    vc_classes m_vcs;
};

const routing_registration<hyperx_valiant> registered{
    "hyperx_valiant",
    "HyperX: dimension order to a random router and on to the destination, half of the VCs for each phase."};

}  // namespace
}  // namespace sare::variants::hyperx_valiant
