// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/routing_support.h"
#include "tlm/topology/grid/express_mesh.h"
#include "tlm/topology/link_parameters.h"

namespace sare::variants::express_dor {
namespace {

/// The lowest unfinished dimension first; in it an express link wherever one leads nearer and not beyond the
/// destination. Packets move in one direction of a dimension and never return to a lower one, so no cycle
/// closes on any VCs.
class express_dor final : public routing_function {
  public:
    express_dor(const config::value& section, const routing_context& context) {
        const topology& net = *context.network;
        const auto* shape = dynamic_cast<const express_shape*>(net.shape());
        if (shape == nullptr)
            throw config::error(
                place(section, "function"),
                "'function' is express_dor, which needs an express_mesh, not a " + net.name());
        m_shape = *shape;
        check_vcs(section, context, name(), {1, "packets travel on it"});
        m_all = vc_classes(0, context.vcs).all;
    }

    std::string name() const override { return "express_dor"; }
    bool tabular() const override { return true; }
    bool knows_routers_only() const override { return true; }
    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const auto count = static_cast<std::uint32_t>(m_shape.dims.size());
        std::uint32_t here = r, end = h.destination / m_shape.concentration;
        for (std::uint32_t d = 0; d < count; ++d) {
            const std::uint32_t k = m_shape.dims[d], c = here % k, t = end % k;
            here /= k;
            end /= k;
            if (c == t) continue;
            const bool negative = t < c;
            const bool far = (negative ? c - t : t - c) >= m_shape.express[d];
            const bool express = far && m_shape.leads_on(d, c, negative);
            return out.add(m_shape.port(express ? count + d : d, negative), m_all);
        }
        out.add(m_shape.router_ports() + h.destination % m_shape.concentration, m_all);
    }

  private:
    express_shape m_shape;
    vc_mask m_all = 0;
};

const routing_registration<express_dor> registered{
    "express_dor", "Meshes with express links: dimension order, by an express link where one leads nearer."};

}  // namespace
}  // namespace sare::variants::express_dor
