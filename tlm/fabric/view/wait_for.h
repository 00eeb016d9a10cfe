// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class network_view;

/// Who waits for whom in a network that stands still: one cycle of input VCs, each with the packet at its
/// front, what it holds and what it waits for, on one line; "" if there is none, of several processes if
/// there is none among the routers of this one. (Dally & Towles, section 14.1)
std::string describe_wait_for_cycle(const network_view& net);

}  // namespace sare
