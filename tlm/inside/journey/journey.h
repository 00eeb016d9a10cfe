// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/journey/injection_rules.h"
#include "tlm/inside/packet_event.h"

#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sare {

/// A visit of a packet to a router. Cycles are of the network; journey::never: not in the trace.
struct router_visit {
    /// Times of a flit in the router.
    struct flit_times {
        cycle_t in, out;  ///< cycle in which it could first be read; cycle in which it left the buffer
        /// Numbers of cycles before `in` and after `out` in which it waits for edges of the router's clock.
        cycle_t clock_before = 0, clock_after = 0;
    };
    std::uint32_t router = 0;  ///< number of the router
    /// Ports by which the packet came and left; no_port: not known.
    port_number in_port = packet_event::no_port, out_port = packet_event::no_port;
    std::uint8_t in_vc = 0, out_vc = 0;  ///< VCs of these ports
    /// Cycles in which the head came, came to the front, got its output VC, and left; in which the tail left.
    cycle_t in, front, granted, out, left;
    std::vector<packet_event> stalls;  ///< waits of all flits of the packet, by cycle
    std::vector<flit_times> flits;     ///< times by number of the flit
};

/// A span of the time between the generation of a packet and its consumption.
struct journey_span {
    /// Places and activities in which a packet spends its time.
    enum class kind : std::uint8_t {
        source_queue,  ///< waits in its node's source queue: the node sends earlier packets
        first_buffer,  ///< waits at the node: its first router's input buffer has no room for the next flit
        held,          ///< waits at the node: that buffer has room, and a limit of the NIC holds the packet
        first_queue,   ///< waits in an injection queue inside its first router, which the trace does not see
        injection,     ///< passes NIC and injection link
        stall,         ///< waits in a router, see stall_reason
        router,        ///< the router works on it
        link,          ///< passes the link from one router to the next
        flits,         ///< a flit follows the flit before it, a cycle or more later
        ejection       ///< passes the link from the last router to the node
    };
    cycle_t from, to;  ///< network cycles [from, to)
    kind is;           ///< kind of the span
    /// Index in journey::visits of the visit in which the span is; of a link, of the visit before the link.
    std::uint32_t visit = 0;
    std::uint16_t flit = 0;                      ///< number of the flit that the rest of the packet waits for
    stall_reason reason = stall_reason::behind;  ///< reason of a stall; no meaning for other kinds
    /// Output port and VC that the packet has in a stall; no_port: none.
    port_number out_port = packet_event::no_port;
    std::uint8_t out_vc = 0;
    blocker behind{};  ///< blocker in a stall, in the source queue, or before the first buffer

    bool waits() const { return is <= kind::first_queue || is == kind::stall; }  ///< true: the packet waits
    cycle_t cycles() const { return to - from; }                                 ///< length of the span
};
/// Returns the name of a kind for people, such as "source queue".
const char* name_of(journey_span::kind k);

/// All that a trace knows of a packet. Its spans join without a gap from generation to consumption, along the
/// flits that decided when the tail came; so the sum of their lengths is the latency.
struct journey {
    static constexpr cycle_t never = ~cycle_t{0};                   ///< cycle of an event not in the trace
    traced_packet packet;                                           ///< facts about the packet
    cycle_t generated = never, injected = never, consumed = never;  ///< cycles of these events
    std::vector<router_visit> visits;                               ///< visits to routers, in order
    std::vector<journey_span>
        spans;  ///< spans in order; empty unless the trace has all of the packet: journey_book::is_whole()

    cycle_t latency() const { return consumed - generated; }  ///< cycles; neither may be never (unchecked)
    cycle_t waited() const;  ///< cycles of the spans in which it waits; 0 without spans
    /// Number of the router that the packet came into first; 0 if the trace has none.
    std::uint32_t first_router() const { return visits.empty() ? 0 : visits.front().router; }
};

/// Keeps the events of a trace in memory, 80 bytes each, and makes journeys of them. The filter of the trace
/// must take all kinds of events, flit_in and flit_out too, and all routers.
class journey_book final : public packet_event_sink {
  public:
    /// Makes an empty book of a network with these rules of injection.
    explicit journey_book(injection_rules rules = {}) : m_rules(std::move(rules)) {}
    void take(const packet_event& e) override;  ///< keeps an event
    /// Returns the journey of a packet, given its number; without visits if the trace does not know it. The
    /// reference stays valid until the next take().
    const journey& of(std::uint64_t packet) const;
    /// True if the trace has all events of a packet, so that of() finds its spans (none if it took no time).
    static bool is_whole(const journey& j);
    /// Returns the journey as of() does, but without finding its spans, which takes less work.
    const journey& visits_of(std::uint64_t packet) const { return seen(packet); }
    /// Returns the numbers of all packets, ascending.
    std::vector<std::uint64_t> packets() const;

  private:
    using injections = std::set<std::pair<cycle_t, std::uint64_t>>;  ///< cycle, and number of the packet

    journey& seen(std::uint64_t packet) const;
    void add_source_queue(journey& j) const;
    static cycle_t end_of_injection(const journey& j);
    cycle_t first_room(const journey& j, cycle_t sent_before) const;
    blocker first_holder(const journey& j, cycle_t when) const;

    const injection_rules m_rules;
    std::map<std::uint64_t, std::vector<packet_event>> m_events;  ///< events by number of the packet
    std::unordered_map<std::uint32_t, injections> m_injected;     ///< injections by source node
    /// Journeys found so far: their visits, and the spans of those that were asked for.
    mutable std::unordered_map<std::uint64_t, journey> m_found;
};

}  // namespace sare
