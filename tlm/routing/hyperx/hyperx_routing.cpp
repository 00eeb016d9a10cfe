// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/hyperx/hyperx_routing.h"

#include "tlm/topology/link_parameters.h"

namespace sare {

hyperx_routing::hyperx_routing(std::string name, const routing_context& context, const config::value& section)
    : m_name(std::move(name)), m_routers(context.network->routers()) {
    const topology& net = *context.network;
    const auto* shape = dynamic_cast<const hyperx_shape*>(net.shape());
    if (shape == nullptr)
        throw config::error(place(section, "function"),
                            "'function' is " + m_name + ", which needs a hyperx, not a " + net.name());
    for (const std::uint32_t k : shape->dims) {
        if (k == 1) continue;
        m_dimension_of.insert(m_dimension_of.end(), k - 1, static_cast<std::uint16_t>(m_dims.size()));
        m_dims.push_back({k, m_links});
        m_links += k - 1;
    }
    for (std::uint32_t r = 0; r < m_routers; ++r)
        for (std::uint32_t d = 0, rest = r; d < dimensions(); rest /= m_dims[d].size, ++d)
            m_coordinates.push_back(static_cast<std::uint16_t>(rest % m_dims[d].size));
    m_nodes = node_attachments(net);
}

}  // namespace sare
