// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/dragonfly_plus_routing.h"

#include <algorithm>

namespace sare {

dragonfly_plus_routing::dragonfly_plus_routing(std::string name, const routing_context& context,
                                               const config::value& section, bool detours)
    : m_name(std::move(name)) {
    const topology& net = *context.network;
    const auto* shape = dynamic_cast<const dragonfly_plus_shape*>(net.shape());
    if (shape == nullptr)
        throw config::error(
            place(section, "function"),
            "'function' is " + m_name + ", which needs a dragonfly_plus, not a " + net.name());
    check_vcs(section, context, m_name,
              detours ? vc_need{2, "one up to the group between, one from there on"}
                      : vc_need{1, "packets travel on it"});
    m_shape = *shape;
    m_spines = shape->spines;
    m_copies = m_spines.links_of_pair();
    m_minimal = std::max(m_spines.a, m_copies);
    m_states = m_minimal + (detours ? m_spines.g * m_copies : 0);
    m_vcs = vc_classes(0, context.vcs);
    if (!detours) m_vcs.low = m_vcs.high = m_vcs.all;
}

void dragonfly_plus_routing::route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
                                   route_set& out) const {
    const std::uint32_t end = m_shape.leaf_of(h.destination), each = m_shape.routers();
    if (r == end) return out.add(m_spines.a + h.destination % m_shape.p, m_vcs.all);
    const std::uint32_t group = r / each, x = r % each, last = end / each;
    if (group == last) {
        if (x < m_shape.leaves) return out.add(h.state, m_vcs.all);
        return out.add(end % each, m_vcs.high);
    }
    const bool minimal = h.state < m_minimal;
    const std::uint32_t copy = minimal ? h.state : (h.state - m_minimal) % m_copies;
    const std::uint32_t via = minimal ? last : (h.state - m_minimal) / m_copies;
    const bool before = group != via;
    const std::uint32_t link = m_spines.global_link(group, before ? via : last, copy);
    const vc_mask vcs = before && !minimal ? m_vcs.low : m_vcs.high;
    const std::uint32_t spine = link / m_spines.h;
    if (x < m_shape.leaves) return out.add(spine, vcs);
    if (x == m_shape.leaves + spine) return out.add(m_shape.leaves + link % m_spines.h, vcs);
    out.add(end % each, m_vcs.low);  // of the group between, to the leaf with the destination's number
}

}  // namespace sare
