// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/picture.h"

#include "tlm/topology/properties.h"

#include <cmath>

namespace sare {

void report_size(const topology& map, run_result& out) {
    const topology_properties size = size_of(map);
    out.topology = map.name();
    out.names = map.names();
    out.nodes = size.nodes;
    out.routers = size.routers;
    out.links = size.links;
    out.channels = size.channels;
    if (const auto* grid = map.coordinates()) out.dims = grid->dims;
}

void report_positions(const topology& map, run_result& out) {
    out.picture = map.picture();
    out.router_places.reserve(map.routers());
    for (std::uint32_t r = 0; r < map.routers(); ++r) out.router_places.push_back({r});
}

run_result picture_of(const topology& map) {
    run_result out;
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) {
            const port_peer to = map.peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::none) continue;
            out.link_loads.add_output(r, p, to);
        }
    report_size(map, out);
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        out.link_loads.add_injection(n, map.router_of(node_id(n)).value, map.port_of(node_id(n)).value, 0);
    report_positions(map, out);
    read_figures({out, map, nullptr, std::nan("")}, out);
    out.keep_figures();
    return out;
}

}  // namespace sare
