// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/base/router_arbiter.h"
#include "tlm/router_api/view.h"
#include "tlm/topology/topology.h"

#include <string>

namespace sare {

class network_view;

/// Returns the name of a port: "n3" if it leads to node 3; "+x", "-x", ... "-w" if routers have coordinates
/// on up to four axes, or "+0", "-0", ... on more axes; else "p" and the port's number. "none" for a router
/// or port that does not exist.
std::string port_name(const topology& map, std::uint32_t router, std::uint32_t port);

/// Returns the name of the node or router at the other end of a port's link: "node 3"; "r6 -x", a router and
/// its port; "" if no link is there. Router and port must exist (not checked).
std::string peer_name(const topology& map, std::uint32_t router, std::uint32_t port);

/// Returns the state of the packet at the front of an input VC: "idle" (no packet), "route", "bids" (for an
/// output VC) or "active" (it has one), the global states of Dally & Towles, section 16.1. The numbers are
/// not checked.
std::string state_of_front(const network_view& net, std::uint32_t router, std::uint32_t port,
                           std::uint32_t vc);
/// Returns the name of the input VC that owns output VC `out` of a router: "+x vc 1"; "node" for an injection
/// queue within the router (router_terms::owns_nodes); "-" for no owner.
std::string owner_text(const network_view& net, std::uint32_t router, const out_vc& out);

/// Returns the name of arbiter `a`, one of arbiters_of(net, router): "VA input +x vc 0", "SA output -y",
/// "link n3", "engine", "VA wavefront"; then ", speculative" if it serves speculative requests only.
std::string arbiter_name(const network_view& net, std::uint32_t router, const router_arbiter& a);

/// Returns the name of requester `n` of an arbiter: "vc 2" (of the arbiter's port, or of the output port that
/// is asked for), "+x vc 2", "queue 0" (an injection queue), "+x", "diagonal 3" (of a wavefront allocator);
/// "?" for router_arbiter::unknown.
std::string requester_name(const network_view& net, std::uint32_t router, const router_arbiter& a,
                           std::uint32_t n);

/// Returns a drawing of a router after the current cycle (docs/inside.md), of several lines: one for each VC
/// of each port, with the content of the input VC, what it waits for, and the owner of the output VC. Routers
/// in RTL do not show their state and look empty. If the network is not elaborated or has no such router, the
/// text is a line that says so.
std::string describe_router(const network_view& net, std::uint32_t router);

}  // namespace sare
