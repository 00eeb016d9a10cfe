// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>
#include <utility>

namespace sare {

/// What all processes that run a network know a packet by: its source and the cycle of its injection.
using packet_name = std::pair<std::uint32_t, cycle_t>;
inline packet_name name_of(const packet& p) {
    return {p.route.source, p.injected};
}

}  // namespace sare
