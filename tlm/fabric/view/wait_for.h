// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class network_view;

/// Describes, on one line, a cycle of input VCs in a deadlocked network, each with the packet at its front
/// and waiting for the next. "" if there is none among the routers of this process. (Dally & Towles, section
/// 14.1)
std::string describe_wait_for_cycle(const network_view& net);

}  // namespace sare
