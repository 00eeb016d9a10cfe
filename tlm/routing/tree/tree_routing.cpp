// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/tree/tree_routing.h"

namespace sare {

tree_routing::tree_routing(std::string name, const routing_context& context, const config::value& section,
                           bool keep_vc)
    : m_name(std::move(name)), m_keep_vc(keep_vc) {
    const topology& net = *context.network;
    const auto* shape = dynamic_cast<const tree_shape*>(net.shape());
    if (shape == nullptr)
        throw config::error(place(section, "function"),
                            "'function' is " + m_name +
                                ", which needs a kary_ntree, thin_tree, tree or xgft, not a " + net.name());
    check_vcs(section, context, m_name, {1, "packets travel on it"});
    m_shape = *shape;
    m_all = vc_classes(0, context.vcs).all;
    std::uint64_t apart = 1;  // nodes on one down port
    for (std::uint32_t i = 0, alike = 1; i < m_shape.levels(); alike *= m_shape.up[i], ++i) {
        const auto below = static_cast<std::uint32_t>(apart * m_shape.down[i]);
        std::uint32_t shift = 64;
        while (m_shape.down[i] >> (64 - shift) != 0) --shift;
        m_levels.push_back({below, shift, ((std::uint64_t{1} << shift) + apart - 1) / apart});
        for (std::uint32_t first = 0; first < net.nodes(); first += below)
            m_switches.insert(m_switches.end(), alike, {i, m_shape.down[i], first});
        apart = below;
    }
    find_parts();
}

/// A level has its switches subtree by subtree.
void tree_routing::find_parts() {
    const std::uint32_t top = m_shape.levels() - 1;
    m_parts.count = m_shape.down[top];
    m_parts.nodes = m_levels[top].below / m_parts.count;
    for (std::uint32_t i = 0, alike = 1; i < top; alike *= m_shape.up[i], ++i) {
        const auto first = static_cast<std::uint32_t>(m_parts.routers.size());
        const std::uint32_t each = m_parts.nodes / m_levels[i].below * alike;
        for (std::uint32_t n = 0; n < each * m_parts.count; ++n) m_parts.routers.push_back(first + n % each);
    }
    m_parts.first_outside = static_cast<std::uint32_t>(m_parts.routers.size());
}

}  // namespace sare
