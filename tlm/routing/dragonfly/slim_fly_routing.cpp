// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/dragonfly/slim_fly_routing.h"

#include "tlm/topology/adjacency.h"
#include "tlm/topology/dragonfly/slim_fly.h"
#include "tlm/topology/link_parameters.h"

namespace sare {

slim_fly_routing::slim_fly_routing(std::string name, const routing_context& context,
                                   const config::value& section)
    : m_name(std::move(name)), m_routers(context.network->routers()) {
    const topology& net = *context.network;
    if (dynamic_cast<const slim_fly_shape*>(net.shape()) == nullptr)
        throw config::error(place(section, "function"),
                            "'function' is " + m_name + ", which needs a slim_fly, not a " + net.name());
    m_nodes = node_attachments(net);
    m_steps.assign(std::size_t{m_routers} * m_routers, 0x7f);
    const adjacency links(net, adjacency::direction::forward);
    for (std::uint32_t r = 0; r < m_routers; ++r) {
        std::uint8_t* const row = &m_steps[std::size_t{r} * m_routers];
        for (std::uint32_t i = links.first[r]; i < links.first[r + 1]; ++i)
            row[links.to[i]] = links.port[i] | 0x80;
        for (std::uint32_t i = links.first[r]; i < links.first[r + 1]; ++i)
            for (std::uint32_t m = links.to[i], j = links.first[m]; j < links.first[m + 1]; ++j)
                if (row[links.to[j]] == 0x7f) row[links.to[j]] = links.port[i];
    }
}

}  // namespace sare
