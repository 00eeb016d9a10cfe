// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

/// A ring of n routers in which opposite ones are linked, too. Port 0 leads to the next router, 1 to the one
/// before, 2 across; the node is on port 3.
struct moebius_shape : sare::network_shape {
    std::uint32_t n = 8;
};
