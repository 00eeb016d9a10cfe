// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/topology.h"

/// A ring of `n` routers in which routers that lie opposite each other are linked, too. Port 0 leads to the
/// next router, port 1 to the previous one, port 2 to the opposite one, and port 3 to the router's node.
struct moebius_shape : sare::network_shape {
    std::uint32_t n = 8;  ///< number of routers, an even number
};
