// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace sare {

/// An end of a link: a block and its port.
struct link_end {
    /// Kind of block: router, network interface, or foreign block (one that is not part of Sare, such as
    /// RTL).
    enum class kind : std::uint8_t { router, nic, foreign };
    kind what;           ///< kind of the block
    std::uint32_t id;    ///< number of the router, of the NIC's node, or of the foreign block
    std::uint32_t port;  ///< port of the router; 0 for a NIC or a foreign block

    /// True if `a` comes before `b`, in the order of kind, number and port.
    friend bool operator<(const link_end& a, const link_end& b) {
        return std::tie(a.what, a.id, a.port) < std::tie(b.what, b.id, b.port);
    }
};

/// Returns the block at an end as text: "router 3", "node 5".
inline std::string block_text(const link_end& e) {
    if (e.what == link_end::kind::foreign) return "a block that is not Sare's";
    return (e.what == link_end::kind::nic ? "node " : "router ") + std::to_string(e.id);
}
/// Returns the block at an end with its port: "router 3 port 1", "node 5".
inline std::string text(const link_end& e) {
    return block_text(e) + (e.what == link_end::kind::router ? " port " + std::to_string(e.port) : "");
}

/// Returns `p` as the end of a link; nothing if `p` is no router or node (kind none).
inline std::optional<link_end> end_of(const port_peer& p) {
    if (p.what == port_peer::kind::none) return std::nullopt;
    if (p.what == port_peer::kind::node) return link_end{link_end::kind::nic, p.id, 0};
    return link_end{link_end::kind::router, p.id, p.port};
}

/// Calls f(from, to), two link_ends, for each direction of each link of a map: first for links from routers,
/// by router and port, then for links from nodes, by node.
template <class F>
void for_each_link(const topology& map, const F& f) {
    using kind = link_end::kind;
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p)
            if (const auto to = end_of(map.peer(router_id(r), port_id(p))))
                f(link_end{kind::router, r, p}, *to);
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        f(link_end{kind::nic, n, 0},
          link_end{kind::router, map.router_of(node_id(n)).value, map.port_of(node_id(n)).value});
}

/// One direction of a link: flits go from `from` to `to`, credits back.
struct connection {
    link_end from, to;     ///< end that sends flits; end that receives them
    link_attributes link;  ///< latency, width and other attributes
    /// Router or NIC whose place the foreign block `to` has taken, and as which the sender treats it; empty
    /// for any other `to`.
    std::optional<link_end> in_place_of;
    /// `wake`: most cycles that a flit may wait until link and reader are awake. `sleeps`: 1 if the link can
    /// sleep or a router at one of its ends can go off; else 0. Both are set when the network is finished.
    std::uint32_t wake = 0, sleeps = 0;

    /// Returns the end to which the sender sends, as it sees it: `in_place_of` if set, else `to`.
    link_end receiver() const { return in_place_of ? *in_place_of : to; }
};

}  // namespace sare
