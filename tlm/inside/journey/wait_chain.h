// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/journey/journey.h"

#include <tuple>
#include <utility>
#include <vector>

namespace sare {

/// A packet in a chain in which each packet waits for the next one, and the reason why it waits itself.
struct wait_link {
    std::uint64_t packet = 0;  ///< traced_packet::number
    std::uint32_t router = 0;  ///< router in which the packet is
    bool waits = false;        ///< false: the packet is being sent, and `reason` has no meaning
    stall_reason reason = stall_reason::behind;    ///< reason of its stall
    port_number out_port = packet_event::no_port;  ///< output port that it has in the stall; no_port: none
    bool operator==(const wait_link& o) const {
        return std::tie(packet, router, waits, reason, out_port) ==
               std::tie(o.packet, o.router, o.waits, o.reason, o.out_port);
    }
};

/// Root of a chain of waits: the cause at which it ends.
struct wait_root {
    /// Kinds of causes.
    enum class kind : std::uint8_t {
        consumer,    ///< a node takes no more flits
        sleep,       ///< the link at the output port is asleep
        clock,       ///< the router has no edge: its clock is slow, or stands still
        contest,     ///< another packet got the output VC or the switch in the cycle
        busy_link,   ///< an earlier flit is still on a narrow link
        sending,     ///< the packet that blocks is being sent: its flits take the time
        round_trip,  ///< a place in the next buffer, of which the credit or the flit is on the link
        circle,      ///< packets wait for each other in a circle
        nic,         ///< a limit of the NIC of its node
        nobody,      ///< no packet got the output VC or the switch: the allocator left it free
        unknown      ///< the trace does not tell
    };
    kind is = kind::unknown;  ///< kind of the cause
    std::uint32_t place = 0;  ///< number of the node of a consumer or NIC, else of the router
    port_number port = packet_event::no_port;  ///< output port of the router; no_port: not known
    bool operator<(const wait_root& o) const {
        return std::tie(is, place, port) < std::tie(o.is, o.place, o.port);
    }
    bool operator==(const wait_root& o) const { return !(*this < o) && !(o < *this); }
};

/// Explanation of some cycles of a span in which a packet waits: packets that block each other, and the root.
struct wait_chain {
    cycle_t cycles = 0;  ///< number of network cycles that it explains
    std::vector<wait_link>
        links;       ///< packets, each blocked by the next; empty: the span's own cause is the root
    wait_root root;  ///< cause that blocks the last packet
};

/// Returns the chains that explain the wait in span `s` of journey `j`, most cycles first. Their cycles add
/// up to s.cycles(); none for a span that does not wait. `book`: the journeys of all packets, `j` among them.
std::vector<wait_chain> explain_wait(const journey_book& book, const journey& j, const journey_span& s);

/// Returns the roots of all waits of a journey, each with the number of cycles that it explains, most first;
/// the sum of these is journey::waited().
std::vector<std::pair<wait_root, cycle_t>> roots_of(const journey_book& book, const journey& j);

}  // namespace sare
