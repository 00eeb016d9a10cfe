// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/router_api/link_ring.h"

#include <cstdint>

namespace sare {

/// The queue of one message class at a NIC, and the packet of it that is being injected. Classes take turns
/// flit by flit, on their own VCs, so that a reply never waits behind a request.
struct class_queue {
    static constexpr std::uint32_t none = 0xffffffff;

    std::uint32_t first = none, last = none;    ///< source queue: slots of the message pool
    std::uint32_t queued = 0;                   ///< messages waiting or being injected
    std::uint32_t call_level = none;            ///< see traffic_port::call_when_queued(); none: no call
    std::uint32_t packet = none;                ///< being injected
    std::uint32_t flits_left = 0;               ///< of it
    std::uint16_t sequence = 0;                 ///< its next flit
    std::uint8_t vc = 0;                        ///< its virtual channel, or that of the packet before
    std::uint8_t first_vc = 0, last_vc = 0;     ///< those of the class
    std::uint32_t first_key = 0, key_mask = 0;  ///< see nics::route_key()
    route_header header;                        ///< of its packets, but for the destination
};

/// A network interface: source queues, injection, ejection. In the order of use, by lines of the cache: what
/// comes first, then what flits that come need, then what those need that go.
struct alignas(64) nic_state {
    std::uint32_t inbox = 0, flit_at = 0;  ///< words in a plane: sets; the flit that comes
    std::uint16_t* vc_credits = nullptr;   ///< by VC
    std::uint64_t* expected = nullptr;     ///< by VC: packet and flit that must come next, see consume()
    std::uint64_t consumed_flits = 0, consumed_packets = 0;
    std::uint32_t node = 0;
    std::uint32_t queued = 0;  ///< messages of all classes, waiting or being injected
    std::uint16_t depth = 0;   ///< of the router's buffer
    std::uint16_t head_credits =
        1;  ///< credits for a head: the depth where a VC must have drained; 0: its packet's
    std::uint16_t single_flit_credits = 1;  ///< credits for a packet of one flit
    std::uint16_t max_packet = 64;          ///< flits
    bool pads = false;                      ///< packets all have the length max_packet
    std::uint8_t next_queue = 0;

    wire credits;  ///< back to the router's ejection port
    wire_extras credits_extras;

    wire flits;  ///< to the router
    wire_extras flits_extras;
    class_queue* queues = nullptr;           ///< by class
    const std::uint16_t* hops_to = nullptr;  ///< by column, where routers do not count hops
    cycle_t link_free = 0;                   ///< when a narrow link can take the next flit
    std::uint64_t injected_flits = 0, injected_packets = 0;
    /// In injection queues that routers own (injection_port): flits of packets that were taken and have not
    /// left, and the messages of which nothing has left.
    std::uint64_t held_flits = 0, held_messages = 0;
    /// Where links have bit errors, of packets whose tail has not come: only then are they known to be good.
    std::uint64_t coming_flits = 0;
    rng random;  ///< for routing decisions at the source
};

}  // namespace sare
