// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/spinnaker/params.h"
#include "tlm/router_api/link_ring.h"
#include "tlm/router_api/plain_inbox.h"

#include <cstdint>

namespace sare {

/// Leg of an emergency route (a detour round a blocked link over two others) that a packet is on; none: on no
/// detour. route_header::phase has this value, like the control bits in the header of SpiNNaker's packets.
enum class emergency_leg : std::uint8_t { none, first, second };

/// Input buffer of a port: a ring of packets, in spinnaker_block::slots.
struct spinnaker_input {
    /// Index of the first packet's slot, within the port's part of spinnaker_block::slots.
    std::uint16_t first = 0;
    std::uint16_t packets = 0;  ///< number of packets in the buffer; the last may not be whole yet
    std::uint16_t flits = 0;    ///< flits in the buffer
    std::uint16_t owed = 0;     ///< credits that are still to be sent, one a cycle
};

/// State of an output port.
struct spinnaker_output {
    std::uint32_t packet = 0;  ///< slot of the packet whose flits are leaving
    std::uint16_t left = 0;    ///< flits of that packet that have not left; 0: none is leaving
    /// Free places in the buffer behind the link, in flits, as far as the router knows.
    std::uint16_t credits = 0;
    std::uint32_t flits = 0;  ///< flits sent, modulo 2^32
    cycle_t free_at = 0;      ///< first cycle in which the link takes a flit
};

/// State of a router. Its input buffers are merged into one engine, which works on one packet at a time.
struct spinnaker_block {
    static constexpr std::uint32_t no_packet = 0xffffffff;  ///< no packet in the engine

    std::uint32_t id = 0;  ///< number of the router in the network
    plain_inbox inbox;
    // Sets of ports, as masks: bit p for port p.
    std::uint64_t whole = 0;    ///< inputs whose first packet has come as a whole
    std::uint64_t owing = 0;    ///< inputs with spinnaker_input::owed above 0
    std::uint64_t sending = 0;  ///< outputs by which the rest of a packet of several flits is leaving
    std::uint64_t dead = 0;     ///< ports whose links have failed and carry nothing any more
    // The engine.
    std::uint64_t pending = 0;  ///< mask of the outputs for which a copy of the packet is still to be sent
    cycle_t from = 0;           ///< first cycle in which copies of the packet may leave
    std::uint32_t packet = no_packet;         ///< slot of the packet in the engine; no_packet: none
    std::uint8_t input = 0;                   ///< input port of that packet, or of the last one
    emergency_leg leg = emergency_leg::none;  ///< leg of an emergency route on which that packet came
    bool may_detour = false;                  ///< true: copies of that packet may take emergency routes

    /// State of each input port, and of each output port; the bank owns all arrays.
    spinnaker_input* inputs = nullptr;
    spinnaker_output* outputs = nullptr;
    /// Slots of the packets in input buffers: [port * (spinnaker_params::buffer + 1) + place].
    std::uint32_t* slots = nullptr;
    const port_wires* wires = nullptr;    ///< wires of each port
    const port_extras* extras = nullptr;  ///< further properties of these wires
    /// Number of the node at each port of this router, by port; without meaning for a port that leads to a
    /// router.
    const std::uint32_t* nodes = nullptr;
};

}  // namespace sare
