// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/equal_parts.h"

namespace sare {
namespace {

/// The end of a link when all parts are seen as part 0.
port_peer image_of(const equal_parts& parts, port_peer end) {
    if (end.what == port_peer::kind::node) end.id %= parts.nodes;
    if (end.what != port_peer::kind::router) return end;
    const router_port seen = parts.image(end.id, end.port);
    return {end.what, seen.router.value, seen.port.value};
}

}  // namespace

bool equal_parts::fit(const topology& net) const {
    if (nodes * count != net.nodes() || routers.size() != first_outside) return false;
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const router_port seen = image(r, p);
            if (net.ports(seen.router) != net.ports(router_id(r))) return false;
            const port_peer to = image_of(*this, net.peer(router_id(r), port_id(p))),
                            expected = image_of(*this, net.peer(seen.router, seen.port));
            if (to.what != expected.what || to.id != expected.id || to.port != expected.port) return false;
        }
    return true;
}

}  // namespace sare
