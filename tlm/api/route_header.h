// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Routing fields of a packet's header: routing_function::begin() fills them at the source, and route()
/// reads, and may change, them at each router.
struct route_header {
    std::uint32_t source = 0;       ///< source node
    std::uint32_t destination = 0;  ///< destination node
    std::uint32_t via = 0;          ///< target of the first phase: a router, a group, or as the function says
    std::uint16_t state = 0;        ///< routing function's own bits (directions, wrap bits, order, ...)
    std::uint8_t phase = 0;         ///< phase of a two-phase function, from 0; route() may advance it
    std::uint8_t vc_base = 0;       ///< number of the first VC of the packet's message class
};

}  // namespace sare
