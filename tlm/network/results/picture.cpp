// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/picture.h"

#include "tlm/topology/properties.h"

#include <cmath>

namespace sare {
namespace {

/// A link that leaves a router; `kind` is "router" or "ejection".
link_result idle_link(std::uint32_t r, std::uint32_t p, const port_peer& to) {
    return {r, p, to.id, to.port, to.what == port_peer::kind::node ? "ejection" : "router", 0, {}};
}

}  // namespace

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
    const auto picture = map.picture();
    for (std::uint32_t r = 0; r < map.routers(); ++r) {
        router_result router{r, std::nullopt};
        if (picture) {
            router.at = picture->of(router_id(r));
            for (auto g = static_cast<std::uint32_t>(out.place_groups.size()); g <= router.at->group; ++g)
                out.place_groups.push_back(picture->group_name(g));
        }
        out.router_places.push_back(router);
    }
    if (!picture) return;
    for (link_result& link : out.link_loads)
        if (link.kind == "router")
            link.stub = picture->stub(router_id(link.from), port_id(link.from_port)).value_or(std::nan(""));
}

run_result picture_of(const topology& map) {
    run_result out;
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) {
            const port_peer to = map.peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::none) continue;
            out.link_loads.push_back(idle_link(r, p, to));
        }
    report_size(map, out);
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        out.link_loads.push_back(
            {n, 0, map.router_of(node_id(n)).value, map.port_of(node_id(n)).value, "injection", 0, {}});
    report_positions(map, out);
    read_figures({out, map, nullptr, std::nan("")}, out);
    return out;
}

}  // namespace sare
