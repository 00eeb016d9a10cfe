// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/network_run.h"

namespace sare::axi {

/// Returns the AXI nodes that the key `cosim.axi` of experiment `e` names: bridges, NICs, a clock, and the
/// managers and memories at the AXI pins. If there is no such key, the result is empty(). `speed`: way of
/// compiling RTL; `collect`: true: errors are stored for first_divergence(), and do not end the run. Throws
/// config::error for a wrong entry. Builds nothing yet: making the network does, and throws config::error if
/// the nodes do not fit the network. `e` must outlive the result, and the result the network.
std::unique_ptr<cosim::attached_parts> attach(const experiment& e, cosim::rtl_speed speed, bool collect);

}  // namespace sare::axi
