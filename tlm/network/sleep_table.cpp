// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/sleep_table.h"

#include "tlm/fabric/fabric.h"

#include <sstream>

namespace sare {

std::string sleep_table(const fabric& net) {
    using kind = link_end::kind;
    const topology& map = *net.map();
    const cycle_t cycles = net.now() + 1;
    std::ostringstream rows;
    const auto add = [&](const link_end& from, const port_peer& to, const char* what) {
        const link_sleep* link = net.sleeper_of(from);
        if (link == nullptr) return;
        const std::uint64_t asleep = link->cycles_asleep(cycles);
        rows << from.id << ',' << from.port << ',' << to.id << ',' << to.port << ',' << what << ',' << asleep
             << ',' << static_cast<double>(asleep) / static_cast<double>(cycles) << ',' << link->wakings()
             << '\n';
    };
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) {
            const port_peer to = map.peer(router_id(r), port_id(p));
            if (to.what != port_peer::kind::none)
                add({kind::router, r, p}, to, to.what == port_peer::kind::node ? "ejection" : "router");
        }
    for (std::uint32_t n = 0; n < net.nodes(); ++n)
        add({kind::nic, n, 0},
            {port_peer::kind::router, map.router_of(node_id(n)).value, map.port_of(node_id(n)).value},
            "injection");
    const std::string text = rows.str();
    return text.empty() ? "" : "from,from_port,to,to_port,kind,asleep,share,wakings\n" + text;
}

}  // namespace sare
