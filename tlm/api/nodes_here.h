// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// False where other processes have nodes, too.
inline bool has_all_nodes(const traffic_port& port) {
    std::uint32_t node = 0;
    while (node < port.nodes() && port.is_here(node)) ++node;
    return node == port.nodes();
}

}  // namespace sare
