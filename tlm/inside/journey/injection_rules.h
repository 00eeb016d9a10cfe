// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/base/ids.h"

#include <cstdint>

namespace sare {

/// Limits of the injection of packets, by which a journey_book tells whether a packet waited at its source
/// for the first buffer or for its NIC. Made by injection_rules_of().
struct injection_rules {
    /// Buffer of a packet's first router, as the NIC counts its places.
    struct first_buffer {
        std::uint32_t depth = 0;  ///< places of each VC; 0: not known, or no limit holds packets back
        /// Most network cycles in which a flit has a place, from its injection on, if it leaves the buffer at
        /// once: until the NIC has its credit back.
        cycle_t round_trip = 0;
        bool whole_packets = false;  ///< true: a packet begins only where all of it has room
        bool empty = false;          ///< true: a packet begins only where the buffer is empty

        /// Returns how many places of a VC must be free for a packet of `flits` flits to begin; at least 1.
        std::uint32_t needed(std::uint32_t flits) const {
            return empty && depth != 0 ? depth : whole_packets ? flits : 1;
        }
    };
    bool queues_in_routers = false;  ///< true: routers have the injection queues (router_terms::owns_nodes)
    /// Returns the first buffer of packets by node and message class. Empty: no buffer is known.
    function<first_buffer(std::uint32_t node, std::uint32_t message_class)> buffer_of;
};

}  // namespace sare
