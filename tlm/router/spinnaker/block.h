// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/spinnaker/params.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/plain_inbox.h"

#include <cstdint>

namespace sare {

/// What a packet's header says of its way (route_header::phase): the control bits of SpiNNaker's packets.
enum class emergency_leg : std::uint8_t { none, first, second };

/// The packets that have come by a port, in a ring of places.
struct spinnaker_input {
    std::uint16_t first = 0;    ///< place
    std::uint16_t packets = 0;  ///< the last one may not be whole
    std::uint16_t flits = 0;    ///< in the buffer
    std::uint16_t owed = 0;     ///< credits to be given back, one a cycle
};

struct spinnaker_output {
    std::uint32_t packet = 0;   ///< whose flits are leaving
    std::uint16_t left = 0;     ///< of these
    std::uint16_t credits = 0;  ///< places that are free beyond
    std::uint32_t flits = 0;    ///< sent, modulo 2^32
    cycle_t free_at = 0;        ///< the link's next flit
};

/// A router: its input buffers are merged into one engine, which has one packet in hand.
struct spinnaker_block {
    static constexpr std::uint32_t no_packet = 0xffffffff;

    std::uint32_t id = 0;
    plain_inbox inbox;
    // Sets of ports.
    std::uint64_t whole = 0;    ///< inputs whose first packet is whole
    std::uint64_t owing = 0;    ///< inputs that owe credits
    std::uint64_t sending = 0;  ///< outputs in the middle of a packet
    std::uint64_t dead = 0;     ///< links that carry nothing any more
    // The engine.
    std::uint64_t pending = 0;                ///< outputs that still want a copy
    cycle_t from = 0;                         ///< the first cycle in which copies may leave
    std::uint32_t packet = no_packet;         ///< in hand
    std::uint8_t input = 0;                   ///< where that is, or the last one was
    emergency_leg leg = emergency_leg::none;  ///< the packet came by
    bool may_detour = false;

    spinnaker_input* inputs = nullptr;
    spinnaker_output* outputs = nullptr;
    std::uint32_t* slots = nullptr;  ///< packets: [port * places + place]
    const port_wires* wires = nullptr;
    const port_extras* extras = nullptr;
    const std::uint32_t* nodes = nullptr;  ///< by port
};

}  // namespace sare
