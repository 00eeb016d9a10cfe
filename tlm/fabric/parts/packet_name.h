// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>
#include <utility>

namespace sare {

/// Name by which all processes know a packet: its source node and the cycle in which its first flit was
/// injected.
using packet_name = std::pair<std::uint32_t, cycle_t>;
/// Returns the name of a packet.
inline packet_name name_of(const packet& p) {
    return {p.route.source, p.injected};
}

}  // namespace sare
