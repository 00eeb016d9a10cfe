// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/builder/hop_count.h"

#include "tlm/fabric/network_state.h"

#include <algorithm>

namespace sare {

std::vector<std::uint16_t> count_hops(const network_state& net) {
    const std::uint32_t most = *std::max_element(net.table.ports.begin(), net.table.ports.end());
    std::vector<std::uint32_t> next(std::size_t{net.routers()} * most, route_table::none);
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.table.ports[r]; ++p) {
            const port_peer to = net.map()->peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::router) next[std::size_t{r} * most + p] = to.id * most + to.port;
        }
    return net.routes().count_hops(next, most, net.table.foreign);
}

/// Asks the map for the routers of nodes, since links to foreign blocks do not tell them.
void fill_hops(network_state& net) {
    net.hops.hops = count_hops(net);
    net.hops.columns = net.routes().columns();
    net.hops.from_state_to_state = net.routes().states() == 1 ? 0 : net.nodes();
    for (std::uint32_t n = 0; n < net.nodes(); ++n)
        net.hops.place_of_node.push_back(
            net.routes().place(net.map()->router_of(node_id(n)).value, net.map()->port_of(node_id(n)).value));
    net.nics.for_each([&net](nics& its) { its.set_keys(net.routes(), net.hops); });
}

}  // namespace sare
