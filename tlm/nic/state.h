// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/router_api/link_ring.h"

#include <cstdint>

namespace sare {

/// Source queue of one message class at a NIC, and the packet of that class that is being injected. Classes
/// take turns flit by flit, on VCs of their own, so that a reply never waits behind a request.
struct class_queue {
    static constexpr std::uint32_t none = 0xffffffff;  ///< value for no message, packet or level

    /// Slots, in the pool, of the first and last message; none: the queue is empty.
    std::uint32_t first = none, last = none;
    std::uint32_t queued = 0;  ///< number of messages in the queue, including one that is being injected
    /// Number of messages at which the queue is put into nics::room() (nics::call_when_queued()); none: no
    /// call is wanted.
    std::uint32_t call_level = none;
    std::uint32_t packet = none;   ///< slot, in the pool, of the packet being injected; none: no packet is
    std::uint32_t flits_left = 0;  ///< flits of that packet that are still to be injected
    std::uint16_t sequence = 0;    ///< number of the next flit within that packet, from 0
    /// VC of the packet being injected or, if there is none, of the packet injected last.
    std::uint8_t vc = 0;
    std::uint8_t first_vc = 0, last_vc = 0;  ///< lowest and highest of the VCs that only this class uses
    /// Key of column 0 of the class in the keyed route_table, and mask for columns: nics::route_key(); both
    /// 0: heads carry no keys.
    std::uint32_t first_key = 0, key_mask = 0;
    route_header header;  ///< header for the packets of the class, without the destination
};

/// State of a NIC. Members are ordered by use, so that few cache lines are touched: first the members for
/// every arrival, then those for flits that arrive, then those for flits that leave.
struct alignas(64) nic_state {
    /// Words of a plane (link_ring.h): first word with the sets of VCs with arrivals; word of the flit that
    /// has arrived.
    std::uint32_t inbox = 0, flit_at = 0;
    /// Credits in flits, by VC: free places in the router's input buffer.
    std::uint16_t* vc_credits = nullptr;
    /// Flit that must arrive next, by VC: packet slot << 16 | place in the packet; 0: a head.
    std::uint64_t* expected = nullptr;
    std::uint64_t consumed_flits = 0, consumed_packets = 0;  ///< numbers consumed since the start
    std::uint32_t node = 0;                                  ///< number of the node in the network
    std::uint32_t queued = 0;  ///< number of messages of all classes, waiting or being injected
    std::uint16_t depth = 0;   ///< most flits of one VC that the router's input buffer holds
    std::uint16_t pool = 0;    ///< number of these places that the VCs of that buffer share
    /// Credits that a head must find: 1; `depth` if the VC's buffer must be empty; 0: as many as the packet
    /// has flits.
    std::uint16_t head_credits = 1;
    std::uint16_t single_flit_credits = 1;  ///< credits that a packet of one flit must find, 1 or more
    std::uint16_t max_packet = 64;          ///< most flits of a packet
    bool pads = false;                      ///< true: packets are padded to max_packet flits
    /// True: the VCs of the router's buffer share places or pause, so that more than credits are counted.
    bool counts_more = false;
    std::uint8_t next_queue = 0;  ///< message class that is asked first for the next flit

    wire credits;                ///< wire by which credits go back to the router's ejection port
    wire_extras credits_extras;  ///< further properties of `credits`

    wire flits;                     ///< wire by which flits go to the router's injection port
    wire_extras flits_extras;       ///< further properties of `flits`
    class_queue* queues = nullptr;  ///< queue of each message class
    /// Number of routers on the route of a packet, by column of the route table; null: routers count hops.
    const std::uint16_t* hops_to = nullptr;
    /// First cycle in which the link takes a flit; workload::never: the NIC is taken over.
    cycle_t link_free = 0;
    std::uint64_t injected_flits = 0, injected_packets = 0;  ///< numbers injected since the start
    /// Flits in injection queues that a router owns (injection_port); messages with packets in such a queue
    /// of which no head has left the queue yet.
    std::uint64_t held_flits = 0, held_messages = 0;
    /// Number of flits that have arrived of packets whose tails have not, in a network with bit errors. Such
    /// flits count as consumed only when the whole packet is known to be good.
    std::uint64_t coming_flits = 0;
    rng random;  ///< random stream of routing decisions at the source
};

}  // namespace sare
