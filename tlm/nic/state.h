// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/router_api/link_ring.h"

#include <cstdint>

namespace sare {

/// The source queue of one message class at a NIC, and its packet that is being injected. Classes take turns
/// flit by flit, on their own VCs, so that a reply never waits behind a request.
struct class_queue {
    static constexpr std::uint32_t none = 0xffffffff;

    std::uint32_t first = none, last = none;    ///< slots of the first and last message in the queue
    std::uint32_t queued = 0;                   ///< number of messages waiting or being injected
    std::uint32_t call_level = none;            ///< see traffic_port::call_when_queued(); none: no call
    std::uint32_t packet = none;                ///< slot of the packet being injected; none: there is none
    std::uint32_t flits_left = 0;               ///< flits of that packet to be injected
    std::uint16_t sequence = 0;                 ///< place in the packet of its next flit, from 0
    std::uint8_t vc = 0;                        ///< VC of the packet, or of the packet before
    std::uint8_t first_vc = 0, last_vc = 0;     ///< VCs that the class has for itself
    std::uint32_t first_key = 0, key_mask = 0;  ///< see nics::route_key()
    route_header header;                        ///< header of its packets, without destination
};

/// State of a NIC. Members stand in cache lines in the order of their use: first those of every arrival, then
/// those of flits that arrive, then those of flits that leave.
struct alignas(64) nic_state {
    std::uint32_t inbox = 0, flit_at = 0;  ///< words of a plane: nic_table::incoming, the flit that has come
    std::uint16_t* vc_credits = nullptr;   ///< free places in the router's buffer in flits, by VC
    std::uint64_t* expected = nullptr;  ///< flit that must come next: packet << 16 | place; 0: a head; by VC
    std::uint64_t consumed_flits = 0, consumed_packets = 0;  ///< counts since the start
    std::uint32_t node = 0;                                  ///< node in the whole network
    std::uint32_t queued = 0;  ///< number of messages of all classes, waiting or being injected
    std::uint16_t depth = 0;   ///< flits that one VC of the router's buffer holds
    std::uint16_t pool = 0;    ///< places among them that the VCs of that buffer share
    std::uint16_t head_credits =
        1;  ///< credits that a head needs: 1; depth if the VC must be empty; 0: as its packet has flits
    std::uint16_t single_flit_credits = 1;  ///< credits that a packet of one flit needs
    std::uint16_t max_packet = 64;          ///< flits of a packet at most
    bool pads = false;                      ///< packets are padded to max_packet flits
    std::uint8_t next_queue = 0;            ///< class whose turn it is

    wire credits;  ///< wire back to the router's ejection port
    wire_extras credits_extras;

    wire flits;  ///< wire to the router's injection port
    wire_extras flits_extras;
    class_queue* queues = nullptr;           ///< queue of each message class
    const std::uint16_t* hops_to = nullptr;  ///< hops by column of the route table; null: routers count
    cycle_t link_free = 0;  ///< first cycle in which the link takes a flit; never: taken over
    std::uint64_t injected_flits = 0, injected_packets = 0;  ///< counts since the start
    /// Flits in injection queues that a router owns (injection_port), and messages of which such queues have
    /// packets and nothing has left.
    std::uint64_t held_flits = 0, held_messages = 0;
    /// Flits that have come of packets whose tails have not, in a network with bit errors: they are counted
    /// as consumed when the packet is known to be good.
    std::uint64_t coming_flits = 0;
    rng random;  ///< random stream of routing decisions at the source
};

}  // namespace sare
