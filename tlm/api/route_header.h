// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// What routing knows of a packet: routing_function::begin() fills it at the source, and the header carries
/// it.
struct route_header {
    std::uint32_t source = 0;       ///< node
    std::uint32_t destination = 0;  ///< node
    std::uint32_t via = 0;          ///< intermediate router of two-phase functions
    std::uint16_t state = 0;        ///< of the routing function (directions, wrap bits, order, ...)
    std::uint8_t phase = 0;         ///< of two-phase functions; may be advanced by route()
    std::uint8_t vc_base = 0;       ///< first VC of the packet's message class
};

}  // namespace sare
