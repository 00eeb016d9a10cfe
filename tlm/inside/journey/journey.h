// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/packet_event.h"

#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sare {

/// A visit of a packet to a router: when its head came, was at the front, got its output VC and left, and
/// when its tail left. Cycles are unset (journey::never) if they are not in the trace.
struct router_visit {
    struct flit_times {
        cycle_t in, out;
        /// Cycles before `in` and after `out` in which it waits for edges of the router's clock.
        cycle_t clock_before = 0, clock_after = 0;
    };
    std::uint32_t router = 0;
    port_number in_port = packet_event::no_port, out_port = packet_event::no_port;
    std::uint8_t in_vc = 0, out_vc = 0;
    cycle_t in, front, granted, out, left;
    std::vector<packet_event> stalls;  ///< waits of all its flits, by cycle
    std::vector<flit_times> flits;     ///< by number of the flit
};

/// A span of the time between the generation of a packet and its consumption.
struct journey_span {
    enum class kind : std::uint8_t {
        source_queue,  ///< waits: its node sends what came before
        first_buffer,  ///< waits: the buffer of its first router has no room for the next flit
        first_queue,   ///< in an injection queue inside its first router, which the trace does not see
        injection,     ///< NIC and injection link
        stall,         ///< waits in a router, see stall_reason
        router,        ///< the router works on it
        link,          ///< from one router to the next
        flits,         ///< a flit follows the one before it
        ejection       ///< from the last router to the node
    };
    cycle_t from, to;  ///< cycles from <= cycle < to
    kind is;
    std::uint32_t visit = 0;                     ///< index of a visit: in it, or of a link the one before it
    std::uint16_t flit = 0;                      ///< flit that the rest of the packet waits for
    stall_reason reason = stall_reason::behind;  ///< only of a stall
    /// Output port and VC that it has; only of a stall.
    port_number out_port = packet_event::no_port;
    std::uint8_t out_vc = 0;
    blocker behind{};

    bool waits() const { return is <= kind::first_queue || is == kind::stall; }
    cycle_t cycles() const { return to - from; }
};
const char* name_of(journey_span::kind k);

/// All that a trace knows of a packet. Its spans join without a gap from generation to consumption, along the
/// flits that decided when the tail came; so their sum is the latency.
struct journey {
    static constexpr cycle_t never = ~cycle_t{0};
    traced_packet packet;
    cycle_t generated = never, injected = never, consumed = never;
    std::vector<router_visit> visits;
    std::vector<journey_span>
        spans;  ///< empty unless the trace has all of the packet: journey_book::is_whole()

    cycle_t latency() const { return consumed - generated; }
    cycle_t waited() const;
    /// Router that it came into first; 0 if the trace has none.
    std::uint32_t first_router() const { return visits.empty() ? 0 : visits.front().router; }
};

/// Keeps the events of a trace in memory, 72 bytes each, and makes journeys of them. The trace must have all
/// kinds of events, those of flits among them, and all routers.
class journey_book final : public packet_event_sink {
  public:
    /// True in a network whose routers have the injection queues: see router_terms::owns_nodes.
    explicit journey_book(bool queues_in_routers = false) : m_queues_in_routers(queues_in_routers) {}
    void take(const packet_event& e) override;
    /// Returns the journey of a packet; one without visits if the trace does not know it. It stays valid
    /// until the next take().
    const journey& of(std::uint64_t packet) const;
    /// True if the trace has all of a packet, so that it has spans (none if it took no time).
    static bool is_whole(const journey& j);
    /// Returns the journey without its spans, for less work.
    const journey& visits_of(std::uint64_t packet) const { return seen(packet); }
    /// Returns the numbers of all packets, ascending.
    std::vector<std::uint64_t> packets() const;

  private:
    using injections = std::set<std::pair<cycle_t, std::uint64_t>>;  ///< cycle and packet

    journey& seen(std::uint64_t packet) const;
    void add_source_queue(journey& j) const;
    static cycle_t end_of_injection(const journey& j);
    blocker first_holder(const journey& j, cycle_t when) const;

    bool m_queues_in_routers;
    std::map<std::uint64_t, std::vector<packet_event>> m_events;  ///< by packet
    std::unordered_map<std::uint32_t, injections> m_injected;     ///< by node
    /// Journeys found so far: their visits, and the spans of those that were asked for.
    mutable std::unordered_map<std::uint64_t, journey> m_found;
};

}  // namespace sare
