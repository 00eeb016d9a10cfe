// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/view.h"
#include "tlm/topology/topology.h"

#include <string>

namespace sare {

class network_view;

/// What a port is called: "+x" and so on where routers have up to four axes, "+4" for further ones, "n3"
/// where it leads to node 3; else "p" and its number. "none" for a port that there is not.
std::string port_name(const topology& map, std::uint32_t router, std::uint32_t port);

/// What the packet at the front of an input VC is at: "idle", "route", "bids" for an output VC, or "active":
/// it has one. (The global states of Dally & Towles, section 16.1)
std::string state_of_front(const network_view& net, std::uint32_t router, std::uint32_t port,
                           std::uint32_t vc);
/// Which input VC has an output VC of the router: "+x vc 1"; "node": an injection queue; "-": none.
std::string owner_text(const network_view& net, std::uint32_t router, const out_vc& out);

/// A router as it is after the current cycle, drawn as docs/inside.md has it: a line for each VC of each
/// port, with what is in the input VC, what that waits for, and what has the output VC. Several lines, each
/// with its end. Of one in RTL or of another kind of block, whose state is not here, all is empty. Says so
/// where the network is not elaborated or has no such router.
std::string describe_router(const network_view& net, std::uint32_t router);

}  // namespace sare
