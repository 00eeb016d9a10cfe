// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class network_view;
class workload;

/// Describes, on one line, a cycle of input VCs in a deadlocked network: each with the packet at its front,
/// which waits for the next VC (Dally & Towles, section 14.1). If `traffic` is an endpoint_workload, a cycle
/// may also lead through nodes; null: it does not. Returns "" if there is no such cycle among the routers of
/// this process. The network must have a map.
std::string describe_wait_for_cycle(const network_view& net, const workload* traffic = nullptr);

}  // namespace sare
