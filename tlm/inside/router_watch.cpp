// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/router_watch.h"

#include "tlm/router_api/clock_domain.h"

#include <algorithm>

namespace sare {

router_watch::router_watch(const network_view& net, std::uint32_t router)
    : m_net(net),
      m_bank(net.bank_of(router)),
      m_pace(m_bank.pace()),
      m_router(router),
      m_place(net.in_bank(router)),
      m_vcs(m_bank.terms().vcs),
      m_period(net.domain_of(router).period()),
      m_now(net.now() / m_period),
      m_inputs(std::size_t{net.ports(router)} * m_vcs),
      m_outputs(m_inputs.size()) {
    for (std::uint32_t o = 0; o < m_outputs.size(); ++o)
        m_outputs[o] = {view_out(o).owner, view_out(o).flits};
}

void router_watch::add(std::uint32_t i, const traced_flit& f) {
    input& in = m_inputs[i];
    m_stirred = true;
    in.flits.push_back(f);
    if (in.flits.size() == 1) {
        in.front = f.came;
        in.whole = false;
    }
    if (f.tail && !in.whole && in.flits.front().packet.number == f.packet.number) {
        in.whole = true;
        in.tail_came = f.came;
    }
}

/// Where no flit is, and none was, nothing changes that matters here.
void router_watch::cycle_over(cycle_t t, std::vector<packet_event>& events) {
    if (t % m_period != 0 || !m_stirred) return;
    go_on_to(t / m_period);
    m_stirred = false;
    for (std::uint32_t i = 0; i < m_inputs.size(); ++i) {
        if (m_inputs[i].flits.empty()) continue;
        look_at(i, events);
        m_stirred = m_stirred || !m_inputs[i].flits.empty();
    }
    for (std::uint32_t o = 0; o < m_outputs.size(); ++o) {
        const out_vc seen = view_out(o);
        m_outputs[o] = {seen.owner, seen.flits};
    }
}

/// Cycles that nothing is told of are as the last one was.
void router_watch::go_on_to(cycle_t now) {
    for (input& in : m_inputs)
        if (in.stall_begin != in.stall_end && in.stall_end == m_now + 1) in.stall_end = now;
    m_now = now;
}

void router_watch::look_at(std::uint32_t i, std::vector<packet_event>& events) {
    const in_vc seen = view(i);
    find_output(i, seen);
    if (m_inputs[i].flits.size() > seen.count) return leave(i, seen, events);
    stall_reason why{};
    if (stalls(i, why))
        note_stall(i, why, events);
    else
        end_stall(i, events);
}

/// VA gives it in the cycle after which it is first seen.
void router_watch::find_output(std::uint32_t i, const in_vc& seen) {
    input& in = m_inputs[i];
    if (in.out != none || seen.out >= m_outputs.size() || view_out(seen.out).owner != i) return;
    in.out = seen.out;
    in.granted = m_now;
}

/// A flit a cycle, unless packets are dropped.
void router_watch::leave(std::uint32_t i, const in_vc& seen, std::vector<packet_event>& events) {
    input& in = m_inputs[i];
    end_stall(i, events);
    // Within the cycle in which it got it: the last one that the input VC had.
    if (in.out == none && seen.out < m_outputs.size()) in.out = seen.out;
    while (in.flits.size() > seen.count) {
        const traced_flit f = in.flits.front();
        if (f.head) events.push_back(event_of(i, f, packet_event::what::out, m_now));
        if (f.tail) events.push_back(event_of(i, f, packet_event::what::left, m_now));
        in.flits.pop_front();
        in.last_sent = m_now;
        if (f.tail) in.out = none;
        if (!in.flits.empty()) come_to_front(i, m_now + 1, events);
    }
}

void router_watch::come_to_front(std::uint32_t i, cycle_t since, std::vector<packet_event>& events) {
    input& in = m_inputs[i];
    const traced_flit& f = in.flits.front();
    in.front = since;
    if (!f.head) return;
    if (f.came < since) {
        packet_event waited = event_of(i, f, packet_event::what::stall, f.came);
        waited.cycles = static_cast<std::uint32_t>((since - f.came) * m_period);
        events.push_back(waited);
    }
    const auto tail =
        std::find_if(in.flits.begin(), in.flits.end(), [](const traced_flit& g) { return g.tail; });
    in.whole = tail != in.flits.end();
    if (in.whole) in.tail_came = tail->came;
}

/// Whether the flit at the front of input VC i, which is still there, waited in this cycle.
bool router_watch::stalls(std::uint32_t i, stall_reason& why) const {
    const input& in = m_inputs[i];
    const traced_flit& f = in.flits.front();
    if (in.out == none) {
        const bool waits_for_tail = m_pace.whole && !in.whole;
        const cycle_t routed = std::max(in.front, m_pace.whole ? in.tail_came : 0) + m_pace.rc;
        return f.head && !waits_for_tail && m_now >= routed && stalls_in_va(i, why);
    }
    if (m_now < in.front || m_now < in.granted + m_pace.va) return false;
    if (!f.head && m_now < in.last_sent + m_pace.flit) return false;
    const std::uint32_t need = f.head && m_bank.terms().whole_packets ? f.packet.flits : 1;
    why = view_out(in.out).credits < need ? stall_reason::no_credit : stall_reason::lost_sa;
    return true;
}

/// Its head bid for an output VC. Credits are as the allocator found them.
bool router_watch::stalls_in_va(std::uint32_t i, stall_reason& why) const {
    const std::uint32_t port = i / m_vcs, vc = i % m_vcs;
    if (!m_net.bids_for_vc(m_router, port, vc)) return false;
    why = stall_reason::no_vc;
    for (std::uint32_t o = 0; o < m_outputs.size(); ++o) {
        if (m_outputs[o].owner != out_vc::no_owner) continue;
        if (!m_bank.asks_for(m_place, port, vc, o / m_vcs, o % m_vcs)) continue;
        const out_vc now = view_out(o);
        const std::uint32_t credits = now.credits + (now.flits - m_outputs[o].sent);
        if (m_bank.has_credits(m_place, port, vc, o / m_vcs, o % m_vcs, credits)) {
            why = stall_reason::lost_va;
            return true;
        }
        why = stall_reason::no_credit;
    }
    return true;
}

void router_watch::note_stall(std::uint32_t i, stall_reason why, std::vector<packet_event>& events) {
    input& in = m_inputs[i];
    if (in.stall_end == m_now && in.stall_begin != in.stall_end && in.reason == why) {
        ++in.stall_end;
        return;
    }
    end_stall(i, events);
    in.stall_begin = m_now;
    in.stall_end = m_now + 1;
    in.reason = why;
}

void router_watch::end_stall(std::uint32_t i, std::vector<packet_event>& events) {
    input& in = m_inputs[i];
    if (in.stall_begin == in.stall_end) return;
    packet_event waited = event_of(i, in.flits.front(), packet_event::what::stall, in.stall_begin);
    waited.cycles = static_cast<std::uint32_t>((in.stall_end - in.stall_begin) * m_period);
    waited.reason = in.reason;
    if (in.stall_begin < in.granted) waited.out_port = packet_event::no_port;  // it got it only now
    events.push_back(waited);
    in.stall_begin = in.stall_end = 0;
}

void router_watch::close(std::vector<packet_event>& events) {
    for (std::uint32_t i = 0; i < m_inputs.size(); ++i)
        if (!m_inputs[i].flits.empty()) end_stall(i, events);
}

packet_event router_watch::event_of(std::uint32_t i, const traced_flit& f, packet_event::what is,
                                    cycle_t when) const {
    packet_event e;
    e.cycle = when * m_period;
    e.packet = f.packet;
    e.place = m_router;
    e.flit = f.number;
    e.is = is;
    e.in_port = static_cast<std::uint8_t>(i / m_vcs);
    e.in_vc = static_cast<std::uint8_t>(i % m_vcs);
    if (m_inputs[i].out == none) return e;
    e.out_port = static_cast<std::uint8_t>(m_inputs[i].out / m_vcs);
    e.out_vc = static_cast<std::uint8_t>(m_inputs[i].out % m_vcs);
    return e;
}

}  // namespace sare
