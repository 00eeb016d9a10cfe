// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

namespace sare {

/// Parameters of a network interface.
struct nic_params {
    std::uint32_t delay = 1;
    std::uint32_t credit_delay = 1;
    std::uint32_t ejection_depth = 0;
    std::uint32_t max_packet_flits = 64;
    bool pad = false;
    std::uint32_t flit_bytes = 16;
    std::uint32_t header_bytes = 0;

    static config::schema<nic_params> fields();
};

/// Flits of a message of so many bytes, with the headers of the packets that it is cut into.
/// Throws config::error where they are 2^32 or more.
std::uint32_t flits_for(const nic_params& nic, std::uint64_t bytes);

/// Places for flits of one VC at a NIC, as the router before it counts them: `depth` unless the NIC says
/// otherwise, and room for a whole packet of up to `max_packet` flits where the router sends only what fits.
std::uint32_t ejection_places(std::uint32_t depth, bool whole_packets, const nic_params& nic,
                              std::uint32_t max_packet);

}  // namespace sare
