// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/journey/journey.h"

#include <tuple>
#include <utility>
#include <vector>

namespace sare {

/// A packet on the way from a wait to its root, and what it waits for itself.
struct wait_link {
    std::uint64_t packet = 0;
    std::uint32_t router = 0;  ///< router in which it is
    bool waits = false;        ///< false: it is being sent, and has `reason` from no stall
    stall_reason reason = stall_reason::behind;
    port_number out_port = packet_event::no_port;  ///< output port that it has
    bool operator==(const wait_link& o) const {
        return std::tie(packet, router, waits, reason, out_port) ==
               std::tie(o.packet, o.router, o.waits, o.reason, o.out_port);
    }
};

/// What ends a chain of waits.
struct wait_root {
    enum class kind : std::uint8_t {
        consumer,    ///< a node takes no more flits
        sleep,       ///< a link is asleep
        clock,       ///< the router has no edge: its clock is slow, or stands still
        contest,     ///< another packet got the output port in that cycle
        busy_link,   ///< a flit before it is still on a narrow link
        sending,     ///< the packet before it is being sent: its flits take the time
        round_trip,  ///< the place beyond is free, and its credit, or the flit that has it, is on the way
        circle,      ///< packets wait for each other in a circle
        nobody,      ///< the allocator gave the place to nobody
        unknown      ///< the trace does not tell
    };
    kind is = kind::unknown;
    std::uint32_t place = 0;                   ///< node of a consumer, else router
    port_number port = packet_event::no_port;  ///< output port of the router; no_port: not known
    bool operator<(const wait_root& o) const {
        return std::tie(is, place, port) < std::tie(o.is, o.place, o.port);
    }
    bool operator==(const wait_root& o) const { return !(*this < o) && !(o < *this); }
};

/// Why a packet waited for some cycles of a span.
struct wait_chain {
    cycle_t cycles = 0;
    std::vector<wait_link>
        links;  ///< packets, each blocked by the next; empty: the span's own cause is the root
    wait_root root;
};

/// Returns what a span of a journey waited for, followed to the roots; the cycles of all chains add up to the
/// span's. Empty for a span that does not wait.
std::vector<wait_chain> explain_wait(const journey_book& book, const journey& j, const journey_span& s);

/// Returns how many cycles of a journey each root explains, most first; their sum is journey::waited().
std::vector<std::pair<wait_root, cycle_t>> roots_of(const journey_book& book, const journey& j);

}  // namespace sare
