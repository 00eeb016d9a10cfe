// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/view/network_view.h"
#include "tlm/inside/journey/blocker_finder.h"
#include "tlm/inside/packet_event.h"
#include "tlm/inside/stall_finder.h"

#include <deque>
#include <vector>

namespace sare {

/// A flit and its packet.
struct traced_flit {
    traced_packet packet;             ///< packet of the flit
    cycle_t came = 0;                 ///< router cycle in which the flit could first be read
    std::uint16_t number = 0;         ///< number in the packet, from 0
    bool head = false, tail = false;  ///< true: first flit of the packet; true: last flit
};

/// Finds the events of packets in a router, for packet_trace, from the flits that arrive and from the
/// router's state after each of its cycles; the router does not know of it. Router cycles are cycles of the
/// router's clock; packet_event has network cycles.
class router_watch {
  public:
    /// Function that returns the facts about the packet in slot flit::packet of network_view::packets().
    using packet_by_slot = function<const traced_packet&(std::uint32_t slot)>;

    /// Begins in the next cycle of `net`, which must outlive this object.
    router_watch(const network_view& net, std::uint32_t router, const packet_by_slot& known);
    router_watch(const router_watch&) = delete;  // its parts know each other

    std::uint32_t router() const { return m_router; }       ///< number of the router
    const running_clock& clock() const { return m_clock; }  ///< clock of the router
    /// Notes a flit of packet `p` that came by input port `port`; `t`: network cycle from which it can be
    /// read.
    void flit_came(std::uint32_t port, const flit& f, const traced_packet& p, cycle_t t) {
        add(port * m_vcs + f.vc, traced(p, f, m_clock.last_edge(t)));
    }
    /// Returns the number of network cycles before `t` for which the router's clock stood still, so that a
    /// flit that comes in `t` by a synchroniser may have waited; 0: none. `flip_flops`: its number of these.
    std::uint32_t stopped_before(cycle_t t, std::uint32_t flip_flops) const {
        const cycle_t edge = m_clock.last_edge(t);
        const cycle_t from = m_clock.cycle_of(edge - std::min<cycle_t>(edge, flip_flops));
        return static_cast<std::uint32_t>(m_clock.cycles_stopped(from, t));
    }
    /// Ends network cycle `t`, and appends the events that are known now to `events`; none if the router's
    /// clock has no edge in `t`. An output port that the router does not show is packet_event::no_port.
    void cycle_over(cycle_t t, std::vector<packet_event>& events);
    /// Returns the reason why the flit at the front of input VC i (port * VCs + VC) waited in network cycle
    /// `t`, the last one that is over; nothing if it did not wait.
    std::optional<stall_reason> waits(std::uint32_t i, cycle_t t) const {
        const input& in = m_inputs[i];
        const bool did =
            !in.flits.empty() && in.stall_begin < in.stall_end && in.stall_end == m_clock.last_edge(t) + 1;
        return did ? std::optional(in.reason) : std::nullopt;
    }
    /// Ends all stalls and appends them to `events`.
    void close(std::vector<packet_event>& events);

  private:
    /// State of an input VC, with the flit at its front.
    struct input : front_flit {
        std::deque<traced_flit> flits;           ///< flits in the buffer, the front first
        cycle_t stall_begin = 0, stall_end = 0;  ///< current stall, router cycles [begin, end); equal: none
        stall_reason reason = stall_reason::behind;  ///< reason of the current stall
        blocker waits_for;                           ///< blocker in the current stall
        in_vc seen;                                  ///< state after this cycle
        bool worked = false;  ///< true: the router worked in this cycle on the flit that is at the front
    };

    static traced_flit traced(const traced_packet& p, const flit& f, cycle_t came) {
        const bool head = f.is_head();
        return {p, came, static_cast<std::uint16_t>(head ? 0 : f.sequence), head, f.is_tail()};
    }
    void add(std::uint32_t i, const traced_flit& f);
    void go_on_to(cycle_t now, std::vector<packet_event>& events);
    void look_for_departures(std::uint32_t i);
    void look_at(std::uint32_t i, std::vector<packet_event>& events);
    void leave(std::uint32_t i, std::vector<packet_event>& events);
    void come_to_front(std::uint32_t i, cycle_t since, std::uint64_t before,
                       std::vector<packet_event>& events);
    void note_stall(std::uint32_t i, stall_reason why, const blocker& by, std::vector<packet_event>& events);
    void end_stall(std::uint32_t i, std::vector<packet_event>& events);
    packet_event stall_event(std::uint32_t i, stall_reason why, cycle_t from, cycle_t to) const;
    /// Returns the number of network cycles from router cycle `from` to router cycle `to`.
    std::uint32_t cycles_between(cycle_t from, cycle_t to) const {
        return static_cast<std::uint32_t>(m_clock.cycle_of(to) - m_clock.cycle_of(from));
    }
    packet_event event_of(std::uint32_t i, const traced_flit& f, packet_event::what is, cycle_t when) const;

    static void show_front(input& in);

    stall_finder m_finder;
    blocker_finder m_blockers;
    const std::uint32_t m_router, m_vcs;
    const running_clock& m_clock;
    cycle_t m_now = 0;            ///< router cycle
    std::vector<input> m_inputs;  ///< input VCs by port * VCs + VC
    bool m_stirred = true;        ///< true: a flit came since the last router cycle, or is in a buffer
};

}  // namespace sare
