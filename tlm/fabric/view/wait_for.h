// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace sare {

class network_view;
class topology;
class workload;

/// Returns the name of the channel that ends in an input VC, as the check for deadlock prints it. Examples:
/// "r3.p0.vc1" for VC 1 of the link from port 0 of router 3, "n7.vc1" for VC 1 of the link from node 7.
std::string channel_into(const topology& map, std::uint32_t router, std::uint32_t port, std::uint32_t vc);

/// Describes, on one line, a cycle of channels in a deadlocked network: each with the packet at its front,
/// which waits for the next channel (Dally & Towles, section 14.1). If `traffic` is an endpoint_workload, a
/// cycle may also lead through nodes; null: it does not. Returns "" if there is no such cycle among the
/// routers of this process. The network must have a map.
std::string describe_wait_for_cycle(const network_view& net, const workload* traffic = nullptr);

}  // namespace sare
