// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Routing fields of a packet's header. At the source routing_function::begin() fills them; at each router
/// route() reads them and may change them.
struct route_header {
    std::uint32_t source = 0;       ///< source node
    std::uint32_t destination = 0;  ///< destination node
    /// Number of the target of the first phase; the routing function defines whether it is a router, a group
    /// of routers or unused.
    std::uint32_t via = 0;
    std::uint16_t state = 0;  ///< bits that the routing function defines, such as directions or rings crossed
    std::uint8_t phase = 0;   ///< phase, from 0, of a routing function that has several; route() may raise it
    std::uint8_t vc_base = 0;  ///< number of the first VC of the packet's message class
    bool marked = false;       ///< true: a router has found a long queue (tlm/routing/marking.h)
};

}  // namespace sare
