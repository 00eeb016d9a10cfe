// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/router_watch.h"

#include <algorithm>

namespace sare {

router_watch::router_watch(const network_view& net, std::uint32_t router, const packet_by_slot& known)
    : m_finder(net, router),
      m_blockers(net, router, m_finder,
                 [known, &net](std::uint32_t slot) {
                     // Packets have numbers from their injection on: not yet in a queue of the router.
                     return net.packets()[slot].injected == 0 && net.now() != 0 ? blocker_finder::unknown
                                                                                : known(slot).number;
                 }),
      m_router(router),
      m_vcs(m_finder.vcs()),
      m_clock(m_finder.clock()),
      m_now(m_clock.last_edge(net.now())),
      m_inputs(m_finder.inputs()) {
    for (std::uint32_t i = 0; i < m_inputs.size(); ++i)
        for (std::uint32_t n = 0; n < m_finder.in(i).count; ++n) {
            const flit f = m_finder.buffered(i, n);
            add(i, traced(known(f.packet), f, m_now));
        }
}

void router_watch::add(std::uint32_t i, const traced_flit& f) {
    input& in = m_inputs[i];
    m_stirred = true;
    in.flits.push_back(f);
    if (in.flits.size() == 1) {
        in.since = f.came;
        in.whole = false;
        show_front(in);
    }
    if (f.tail && !in.whole && in.flits.front().packet.number == f.packet.number) {
        in.whole = true;
        in.tail_came = f.came;
    }
}

void router_watch::show_front(input& in) {
    in.head = in.flits.front().head;
    in.room = static_cast<std::uint16_t>(in.flits.front().packet.flits);
}

/// Looks only at routers in which flits are, or were: in others nothing changes that matters here.
void router_watch::cycle_over(cycle_t t, std::vector<packet_event>& events) {
    if (!m_clock.has_edge(t) || !m_stirred) return;
    go_on_to(m_clock.first_edge(t), events);
    m_finder.begin_cycle(m_now);
    m_blockers.begin_cycle();
    for (std::uint32_t i = 0; i < m_inputs.size(); ++i)
        if (!m_inputs[i].flits.empty()) look_for_departures(i);
    m_stirred = false;
    for (std::uint32_t i = 0; i < m_inputs.size(); ++i) {
        if (m_inputs[i].flits.empty()) continue;
        look_at(i, events);
        m_stirred = m_stirred || !m_inputs[i].flits.empty();
    }
    m_blockers.end_cycle();
    m_finder.end_cycle();
}

/// Makes cycles of which nothing is told the same as the last one. From edge to edge a flit that is worked on
/// waits for the clock.
void router_watch::go_on_to(cycle_t now, std::vector<packet_event>& events) {
    for (std::uint32_t i = 0; i < m_inputs.size(); ++i) {
        input& in = m_inputs[i];
        if (in.stall_begin != in.stall_end && in.stall_end == m_now + 1) in.stall_end = now;
        if (in.flits.empty() || !in.worked) continue;
        for (cycle_t edge = m_now; edge < now; ++edge)
            if (const cycle_t from = m_clock.cycle_of(edge) + 1, to = m_clock.cycle_of(edge + 1); from < to)
                events.push_back(stall_event(i, stall_reason::clock, from, to));
    }
    m_now = now;
}

/// Tells m_blockers of the flits that left in this cycle.
void router_watch::look_for_departures(std::uint32_t i) {
    input& in = m_inputs[i];
    in.seen = m_finder.in(i);
    m_finder.find_output(i, in.seen, in, m_now);
    if (in.flits.size() <= in.seen.count) return;
    // Within the cycle in which it got it: the last one that the input VC had.
    if (in.out == input::none && in.seen.out < m_inputs.size()) {
        in.out = in.seen.out;
        in.granted = m_now;
    }
    std::uint16_t out = in.out;
    for (std::size_t n = 0; n < in.flits.size() - in.seen.count; ++n) {
        m_blockers.flit_left(i, out, in.flits[n].packet.number);
        if (in.flits[n].tail) out = input::none;
    }
}

void router_watch::look_at(std::uint32_t i, std::vector<packet_event>& events) {
    input& in = m_inputs[i];
    in.worked = false;
    if (in.flits.size() > in.seen.count) return leave(i, events);
    if (const auto cause = m_finder.reason(i, in, m_now))
        return note_stall(i, cause->why, m_blockers.find(i, *cause, m_now), events);
    in.worked = true;
    end_stall(i, events);
}

/// Takes out flits that left: one a cycle, unless packets are dropped.
void router_watch::leave(std::uint32_t i, std::vector<packet_event>& events) {
    input& in = m_inputs[i];
    end_stall(i, events);
    while (in.flits.size() > in.seen.count) {
        const traced_flit f = in.flits.front();
        if (f.head) {
            events.push_back(event_of(i, f, packet_event::what::out, m_now));
            if (in.out != input::none) events.back().cycles = cycles_between(in.granted, m_now);
        }
        events.push_back(event_of(i, f, packet_event::what::flit_out, m_now));
        if (in.out != input::none) {
            const std::uint32_t way = m_finder.cycles_to_end(in.out / m_vcs);
            events.back().cycles = cycles_between(m_now, m_now + way) - way;
        }
        if (f.tail) events.push_back(event_of(i, f, packet_event::what::left, m_now));
        in.flits.pop_front();
        in.last_sent = m_now;
        if (f.tail) in.out = input::none;
        if (!in.flits.empty()) come_to_front(i, m_now + 1, f.packet.number, events);
    }
}

void router_watch::come_to_front(std::uint32_t i, cycle_t since, std::uint64_t before,
                                 std::vector<packet_event>& events) {
    input& in = m_inputs[i];
    const traced_flit& f = in.flits.front();
    in.since = since;
    show_front(in);
    in.worked = !f.head;  // a head was behind another packet until the next edge
    if (!f.head) return;
    if (f.came < since) {
        packet_event waited = event_of(i, f, packet_event::what::stall, f.came);
        waited.cycles = cycles_between(f.came, since);
        waited.behind = blocker::by_packet(before);
        events.push_back(waited);
    }
    const auto tail =
        std::find_if(in.flits.begin(), in.flits.end(), [](const traced_flit& g) { return g.tail; });
    in.whole = tail != in.flits.end();
    if (in.whole) in.tail_came = tail->came;
}

void router_watch::note_stall(std::uint32_t i, stall_reason why, const blocker& by,
                              std::vector<packet_event>& events) {
    input& in = m_inputs[i];
    const bool goes_on = in.stall_end == m_now && in.stall_begin != in.stall_end;
    if (goes_on && in.reason == why && in.waits_for == by) {
        ++in.stall_end;
        return;
    }
    end_stall(i, events);
    in.stall_begin = m_now;
    in.stall_end = m_now + 1;
    in.reason = why;
    in.waits_for = by;
}

void router_watch::end_stall(std::uint32_t i, std::vector<packet_event>& events) {
    input& in = m_inputs[i];
    if (in.stall_begin == in.stall_end) return;
    cycle_t at = m_clock.cycle_of(in.stall_begin);
    const cycle_t end = m_clock.cycle_of(in.stall_end);
    const auto tell = [&](stall_reason why, const blocker& by, cycle_t to) {
        if (at == to) return;
        events.push_back(stall_event(i, why, at, to));
        events.back().behind = by;
        if (in.stall_begin < in.granted) events.back().out_port = packet_event::no_port;  // got only now
        at = to;
    };
    for (const auto& [stop, next] : m_clock.stops(at, end)) {
        tell(in.reason, in.waits_for, stop);
        tell(stall_reason::clock, {}, next);
    }
    tell(in.reason, in.waits_for, end);
    in.stall_begin = in.stall_end = 0;
}

/// Returns a stall of the flit at the front of input VC i in network cycles [from, to).
packet_event router_watch::stall_event(std::uint32_t i, stall_reason why, cycle_t from, cycle_t to) const {
    packet_event e = event_of(i, m_inputs[i].flits.front(), packet_event::what::stall, m_now);
    e.cycle = from;
    e.cycles = static_cast<std::uint32_t>(to - from);
    e.reason = why;
    return e;
}

void router_watch::close(std::vector<packet_event>& events) {
    for (std::uint32_t i = 0; i < m_inputs.size(); ++i)
        if (!m_inputs[i].flits.empty()) end_stall(i, events);
}

packet_event router_watch::event_of(std::uint32_t i, const traced_flit& f, packet_event::what is,
                                    cycle_t when) const {
    packet_event e;
    e.cycle = m_clock.cycle_of(when);
    e.packet = f.packet;
    e.place = m_router;
    e.flit = f.number;
    e.is = is;
    e.in_port = static_cast<port_number>(i / m_vcs);
    e.in_vc = static_cast<std::uint8_t>(i % m_vcs);
    if (m_inputs[i].out == input::none) return e;
    e.out_port = static_cast<port_number>(m_inputs[i].out / m_vcs);
    e.out_vc = static_cast<std::uint8_t>(m_inputs[i].out % m_vcs);
    return e;
}

}  // namespace sare
