// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/hyperx/hyperx_routing.h"

namespace sare::variants::hyperx_minimal {
namespace {

/// The lowest unfinished dimension first: no packet returns to a lower one, so no cycle closes on any VCs.
class hyperx_minimal final : public hyperx_routing {
  public:
    hyperx_minimal(const config::value& section, const routing_context& context)
        : hyperx_routing("hyperx_minimal", context, section), m_all(0) {
        check_vcs(section, context, name(), {1, "packets travel on it"});
        m_all = vc_classes(0, context.vcs).all;
    }

    bool tabular() const override { return true; }
    bool knows_routers_only() const override { return true; }
    bool finishes_dimensions_in_order() const override { return true; }
    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment& to = attachment_of(h.destination);
        out.add(r == to.router ? to.port : in_order(at(r), at(to.router)), m_all);
    }

  private:
    std::uint32_t m_all;
};

const routing_registration<hyperx_minimal> registered{"hyperx_minimal",
                                                      "HyperX: dimension order, one hop for each dimension."};

}  // namespace
}  // namespace sare::variants::hyperx_minimal
