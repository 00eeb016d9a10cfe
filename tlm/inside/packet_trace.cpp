// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/packet_trace.h"

#include "tlm/fabric/fabric.h"
#include "tlm/inside/message_numbers.h"
#include "tlm/inside/router_watch.h"
#include "tlm/inside/told_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sare {

using what = packet_event::what;

namespace {

/// Cycles from the first look into routers to the first event that is asked for: what was there before has
/// left.
constexpr cycle_t lead = 10'000;

}  // namespace

bool trace_filter::takes(const packet_event& e) const {
    const auto has = [](const config::number_set& s, std::uint64_t n) {
        return s.all || (n <= 0xffffffff && s.contains(static_cast<std::uint32_t>(n)));
    };
    return (kinds >> static_cast<int>(e.is) & 1) != 0 && e.cycle >= from && e.cycle < to &&
           has(packets, e.packet.number) && has(sources, e.packet.source) &&
           has(destinations, e.packet.destination) && has(classes, e.packet.message_class);
}

packet_trace::packet_trace(fabric& net, const trace_filter& filter)
    : m_net(net), m_filter(filter), m_messages(std::make_unique<message_numbers>(net.view().messages())) {}

packet_trace::~packet_trace() {
    stop();
}

void packet_trace::start() {
    if (m_runs) return;
    m_runs = true;
    m_net.stepper().add_observer(*static_cast<observer*>(this));
    m_net.stepper().add_observer(*static_cast<cycle_observer*>(this));
    if (m_net.view().now() + lead >= m_filter.from) look_inside();
}

/// Begins with what costs time; long before the first cycle that is asked for, packets are only numbered.
void packet_trace::look_inside() {
    m_looks_inside = true;
    m_net.stepper().observe_flits(*this);
    m_links = m_net.stepper().observed_links();
    watch_routers();
}

void packet_trace::watch_routers() {
    m_watch_of.assign(m_net.view().routers(), unwatched);
    m_watches.clear();
    for (std::uint32_t r = 0; r < m_net.view().routers(); ++r) {
        if (!m_filter.routers.contains(r) || !m_net.view().has_router(r)) continue;
        m_watch_of[r] = static_cast<std::uint32_t>(m_watches.size());
        m_watches.emplace_back(
            m_net.view(), r, [this](std::uint32_t slot) -> const traced_packet& { return packet_in(slot); });
    }
}

void packet_trace::stop() {
    if (!m_runs) return;
    m_runs = false;
    m_net.stepper().pass();
    end_watches();
    m_net.stepper().remove_observer(*static_cast<observer*>(this));
    if (m_looks_inside) m_net.stepper().remove_observer(*static_cast<flit_observer*>(this));
    m_net.stepper().remove_observer(*static_cast<cycle_observer*>(this));
}

/// Looks at everything again, since something changed without a cycle.
void packet_trace::packets_taken_out(cycle_t) {
    end_watches();
    if (m_looks_inside) watch_routers();
}

void packet_trace::end_watches() {
    m_now = {never, telling::router, 0};
    for (router_watch& w : m_watches) {
        w.close(m_found);
        m_now.at = w.router();
        for (const packet_event& e : m_found) notify(e);
        m_found.clear();
    }
    for (const packet_event& e : m_unplaced) notify(e);
    m_unplaced.clear();
}

std::uint32_t packet_trace::slot_of(const packet& p) const {
    return static_cast<std::uint32_t>(&p - &m_net.view().packets()[0]);
}

/// The packet in a slot is another one if it was injected at another time, or, with several processes,
/// elsewhere.
const traced_packet& packet_trace::packet_in(std::uint32_t slot) {
    if (slot >= m_net.view().packets().slots())
        throw std::out_of_range(fmt::format("there is no packet in slot {}; there are {} slots", slot,
                                            m_net.view().packets().slots()));
    const packet& p = m_net.view().packets()[slot];
    if (is_known(slot, p)) return m_packets[slot].facts;
    if (slot >= m_packets.size()) m_packets.resize(slot + 1);
    known_packet& known = m_packets[slot];
    const message& m = m_net.view().messages()[p.message].what;
    known.injected = p.injected;
    known.source = p.route.source;
    known.facts = {m_packet_count++,    m_messages->of(p), p.route.source,
                   p.route.destination, p.flits,           static_cast<std::uint8_t>(m.message_class)};
    known.facts.source = m.source;
    if (m_parts != nullptr) m_parts->know(p.injected, p.route.source);
    return known.facts;
}

void packet_trace::packet_injected(std::uint32_t node, const packet& p, cycle_t now) {
    m_now = {now, telling::sender, node};
    const std::uint32_t slot = slot_of(p);
    if (slot < m_packets.size()) m_packets[slot].injected = never;
    const traced_packet& facts = packet_in(slot);
    if (m_parts != nullptr) {
        const message_record& m = m_net.view().messages()[p.message];
        m_parts->take_injection(now, node, m.flits_to_inject == m.what.flits ? now : m.injected);
    }
    notify_at(what::generated, facts, node, p.generated);
    notify_at(what::injected, facts, node, now);
}

void packet_trace::packet_consumed(std::uint32_t node, const packet& p, cycle_t now) {
    m_now = {now, telling::receiver, node};
    const std::uint32_t slot = slot_of(p);
    notify_at(what::consumed, packet_in(slot), node, now);
    m_packets[slot].injected = never;
}

void packet_trace::packet_dropped(std::uint32_t router, const packet& p, cycle_t now) {
    m_now = {now, telling::receiver, p.route.destination};
    const std::uint32_t slot = slot_of(p);
    if (is_known(slot, p) && !m_unplaced.empty()) give_up(m_packets[slot].facts.number);
    if (m_filter.routers.contains(router)) notify_at(what::dropped, packet_in(slot), router, now);
    if (slot < m_packets.size()) m_packets[slot].injected = never;
    m_messages->packet_dropped(p);
}

void packet_trace::message_consumed(const message_record& m, cycle_t) {
    m_messages->message_consumed(m);
}

void packet_trace::flit_arrives(std::uint32_t link, const flit& f, const packet&, cycle_t now) {
    const auto& [from, to] = m_links[link];
    m_now = {now, telling::link, link};
    const bool places = m_parts != nullptr ? is_asked(from) : !m_unplaced.empty() && is_watched(from);
    if (places && f.is_head()) place_packet(packet_in(f.packet).number, from, f.vc);
    if (!is_watched(to)) return;
    const traced_packet facts = packet_in(f.packet);
    m_watches[m_watch_of[to.id]].flit_came(to.port, f, facts, now);
    packet_event e;
    e.cycle = now;
    e.packet = facts;
    e.place = to.id;
    e.flit = f.is_head() ? std::uint16_t{0} : static_cast<std::uint16_t>(f.sequence);
    e.in_port = static_cast<port_number>(to.port);
    e.in_vc = f.vc;
    e.is = what::flit_in;
    if (const router_watch& watch = m_watches[m_watch_of[to.id]]; watch.clock().changes()) {
        const topology& map = *m_net.view().map();
        const link_attributes by = from.what == link_end::kind::nic
                                       ? map.injection_link(node_id(from.id))
                                       : map.link(router_id(from.id), port_id(from.port));
        if (by.synchroniser != 0) e.cycles = watch.stopped_before(now, by.synchroniser);
    }
    notify(e);
    if (!f.is_head()) return;
    e.cycles = 0;
    e.is = what::in;
    notify(e);
}

/// Notes that the packet has left the router by that port.
void packet_trace::place_packet(std::uint64_t number, const link_end& left_by, std::uint8_t vc) {
    const auto port = static_cast<port_number>(left_by.port);
    if (m_parts != nullptr) {
        packet_event e;
        e.packet.number = number;
        e.place = left_by.id;
        e.out_port = port;
        e.out_vc = vc;
        return m_parts->take_place(e);
    }
    const auto is_its = [&](const packet_event& e) {
        return e.packet.number == number && e.place == left_by.id;
    };
    for (packet_event& e : m_unplaced) {
        if (!is_its(e)) continue;
        e.out_port = port;
        e.out_vc = vc;
        notify(e);
    }
    m_unplaced.erase(std::remove_if(m_unplaced.begin(), m_unplaced.end(), is_its), m_unplaced.end());
}

/// Gives up a packet that arrives nowhere: the port by which it left stays unknown.
void packet_trace::give_up(std::uint64_t number) {
    const auto others =
        std::stable_partition(m_unplaced.begin(), m_unplaced.end(),
                              [=](const packet_event& e) { return e.packet.number == number; });
    for (auto e = m_unplaced.begin(); e != others; ++e) notify(*e);
    m_unplaced.erase(m_unplaced.begin(), others);
}

void packet_trace::cycle_over(cycle_t t) {
    if (!m_looks_inside) {
        if (t + lead >= m_filter.from) look_inside();
        return;
    }
    for (router_watch& w : m_watches) {
        m_now = {t, telling::router, w.router()};
        w.cycle_over(t, m_found);
        if (m_each_cycle) m_each_cycle(w, m_found);
        for (const packet_event& e : m_found) notify_of_router(e);
        m_found.clear();
    }
}

/// Tells an event. A router may not show the port of a packet that came in the same cycle; on its last hop it
/// is that of its node.
void packet_trace::notify_of_router(packet_event e) {
    if (e.out_port == packet_event::no_port &&
        (e.is == what::out || e.is == what::left || e.is == what::flit_out)) {
        const router_port node = m_net.view().map()->ejection_of(node_id(e.packet.destination));
        if (node.router.value != e.place && m_parts != nullptr) return m_parts->take_unplaced(e);
        if (node.router.value != e.place) return m_unplaced.push_back(e);
        e.out_port = static_cast<port_number>(node.port.value);
    }
    notify(e);
}

void packet_trace::notify_at(what is, const traced_packet& p, std::uint32_t place, cycle_t when) {
    packet_event e;
    e.cycle = when;
    e.packet = p;
    e.place = place;
    e.is = is;
    notify(e);
}

void packet_trace::notify(const packet_event& e) {
    if (!m_filter.takes(e)) return;
    for (packet_event_sink* s : m_sinks) s->take(e);
}

}  // namespace sare
