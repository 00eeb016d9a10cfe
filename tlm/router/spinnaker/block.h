// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/spinnaker/params.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/plain_inbox.h"

#include <cstdint>

namespace sare {

/// Leg of an emergency route (a detour over two links) that a packet is on: the value of route_header::phase,
/// and the control bits in the header of SpiNNaker's packets.
enum class emergency_leg : std::uint8_t { none, first, second };

/// Input buffer of a port: packets in a ring of places.
struct spinnaker_input {
    std::uint16_t first = 0;    ///< place of the first packet
    std::uint16_t packets = 0;  ///< number of packets in the buffer, of which the last may not be whole
    std::uint16_t flits = 0;    ///< flits in the buffer
    std::uint16_t owed = 0;     ///< credits that are still to be sent, one a cycle
};

/// An output port.
struct spinnaker_output {
    std::uint32_t packet = 0;   ///< slot of the packet whose flits are leaving
    std::uint16_t left = 0;     ///< flits of that packet that have not left; 0: none is leaving
    std::uint16_t credits = 0;  ///< free places in the buffer behind the link, in flits
    std::uint32_t flits = 0;    ///< flits sent, modulo 2^32
    cycle_t free_at = 0;        ///< first cycle in which the link takes a flit
};

/// State of a router. Its input buffers are merged into one engine, which works on one packet at a time.
struct spinnaker_block {
    static constexpr std::uint32_t no_packet = 0xffffffff;  ///< no packet in the engine

    std::uint32_t id = 0;  ///< number of the router in the network
    plain_inbox inbox;
    // Sets of ports.
    std::uint64_t whole = 0;    ///< inputs whose first packet has come as a whole
    std::uint64_t owing = 0;    ///< inputs that owe credits
    std::uint64_t sending = 0;  ///< outputs by which a packet is leaving
    std::uint64_t dead = 0;     ///< ports whose links carry nothing any more
    // The engine.
    std::uint64_t pending = 0;                ///< outputs for which a copy is still to be sent
    cycle_t from = 0;                         ///< first cycle in which copies may leave
    std::uint32_t packet = no_packet;         ///< slot of the packet in the engine; no_packet: none
    std::uint8_t input = 0;                   ///< input port of that packet, or of the last one
    emergency_leg leg = emergency_leg::none;  ///< leg of an emergency route on which that packet came
    bool may_detour = false;                  ///< true: copies of that packet may take emergency routes

    spinnaker_input* inputs = nullptr;
    spinnaker_output* outputs = nullptr;
    std::uint32_t* slots = nullptr;  ///< packets in input buffers: [port * places + place]
    const port_wires* wires = nullptr;
    const port_extras* extras = nullptr;
    const std::uint32_t* nodes = nullptr;  ///< node at each port
};

}  // namespace sare
