// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/router_api/link_ring.h"

#include <cstdint>

namespace sare {

/// The source queue of one message class at a NIC, and the packet of that class that is being injected.
/// Classes take turns flit by flit, on VCs of their own, so that a reply never waits behind a request.
struct class_queue {
    static constexpr std::uint32_t none = 0xffffffff;

    std::uint32_t first = none, last = none;  ///< slots of the first and last message in the queue
    std::uint32_t queued = 0;  ///< number of messages in the queue, the one being injected included
    /// Number of messages at which the queue is put into nics::room(); none: it is not.
    std::uint32_t call_level = none;
    std::uint32_t packet = none;   ///< slot of the packet being injected; none: there is none
    std::uint32_t flits_left = 0;  ///< flits of that packet that are still to be injected
    std::uint16_t sequence = 0;    ///< number of the next flit within that packet, from 0
    std::uint8_t vc = 0;           ///< VC of the packet being injected; without one, of the packet before
    std::uint8_t first_vc = 0, last_vc = 0;  ///< lowest and highest VC that the class has for itself
    /// Numbers from which nics::route_key() makes the key of a head; both 0: heads carry no keys.
    std::uint32_t first_key = 0, key_mask = 0;
    route_header header;  ///< header of the packets of the class, but for the destination
};

/// State of a NIC. Members are ordered by use, so that a case touches few cache lines: first those for every
/// arrival, then those for flits that arrive, then those for flits that leave.
struct alignas(64) nic_state {
    /// Words of a plane (link_ring.h): sets of VCs with arrivals; flit that has arrived.
    std::uint32_t inbox = 0, flit_at = 0;
    std::uint16_t* vc_credits = nullptr;  ///< credits in flits: free places in the router's buffer, by VC
    /// Flit that must come next, by VC: packet slot << 16 | number within the packet; 0: a head.
    std::uint64_t* expected = nullptr;
    std::uint64_t consumed_flits = 0, consumed_packets = 0;  ///< counters since the start
    std::uint32_t node = 0;                                  ///< node in the whole network
    std::uint32_t queued = 0;  ///< number of messages of all classes, waiting or being injected
    std::uint16_t depth = 0;   ///< most flits of one VC that the router's buffer holds
    std::uint16_t pool = 0;    ///< number of these places that the VCs of that buffer share
    /// Credits that a head needs: 1; `depth` if the VC's buffer must be empty; 0: one for each flit of the
    /// packet.
    std::uint16_t head_credits = 1;
    std::uint16_t single_flit_credits = 1;  ///< credits that a packet of one flit needs
    std::uint16_t max_packet = 64;          ///< most flits of a packet
    bool pads = false;                      ///< true: packets are padded to max_packet flits
    /// True: the VCs of the router's buffer share places or pause, so that more than credits are counted.
    bool counts_more = false;
    std::uint8_t next_queue = 0;  ///< class that is asked first for the next flit

    wire credits;                ///< wire back to the router's ejection port
    wire_extras credits_extras;  ///< rest of the wire's properties

    wire flits;                     ///< wire to the router's injection port
    wire_extras flits_extras;       ///< rest of the wire's properties
    class_queue* queues = nullptr;  ///< queue of each message class
    /// Routers on the route by column of the route table; null: routers count hops.
    const std::uint16_t* hops_to = nullptr;
    cycle_t link_free = 0;  ///< first cycle in which the link takes a flit; never: the NIC is taken over
    std::uint64_t injected_flits = 0, injected_packets = 0;  ///< counters since the start
    /// Flits in injection queues that a router owns (injection_port); and messages that have packets in such
    /// a queue and of which no head has left yet.
    std::uint64_t held_flits = 0, held_messages = 0;
    /// In a network with bit errors, flits that have come of packets whose tails have not: they count as
    /// consumed only when the whole packet is known to be good.
    std::uint64_t coming_flits = 0;
    rng random;  ///< random stream of routing decisions at the source
};

}  // namespace sare
