// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/counted_network.h"

#include "tlm/api/packet_changes.h"

namespace sare {

std::uint64_t counted_network::flits_inside() const {
    return flits_injected() + changes().copied.flits - flits_consumed() - changes().dropped.flits;
}

std::uint64_t counted_network::packets_inside() const {
    return packets_injected() + changes().copied.packets - packets_consumed() - changes().dropped.packets;
}

}  // namespace sare
