// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/record/network_recorder.h"

#include "tlm/fabric/fabric.h"
#include "tlm/inside/record/network_json.h"

#include <algorithm>
#include <ostream>

namespace sare {

network_recorder::network_recorder(fabric& net, packet_trace& packets, cycle_t from, cycle_t to)
    : m_net(net), m_view(net.view()), m_trace(packets), m_from(from), m_to(to) {
    net.stepper().observe_flits(*this);
    net.stepper().add_observer(*static_cast<observer*>(this));
    net.stepper().add_observer(*static_cast<cycle_observer*>(this));
    m_ends_of_links = net.stepper().observed_links();
    number_vcs();
    number_arbiters();
}

void network_recorder::number_vcs() {
    std::vector<std::uint32_t> first;
    for (std::uint32_t r = 0; r < m_view.routers(); ++r) {
        first.push_back(static_cast<std::uint32_t>(m_vcs.size()));
        for (std::uint32_t p = 0; p < m_view.ports(r); ++p)
            for (std::uint32_t v = 0; v < m_view.vcs(); ++v) {
                m_vcs.emplace_back();
                m_vcs.back().router = r, m_vcs.back().port = p, m_vcs.back().number = v;
                m_vcs.back().first = first[r];
            }
    }
    const auto vc_of = [&](const link_end& e) {
        return e.what == link_end::kind::router ? first[e.id] + e.port * m_view.vcs() : none;
    };
    for (const auto& [from, to] : m_ends_of_links) {
        m_links.emplace_back();
        m_links.back().from = vc_of(from);
        m_links.back().to = vc_of(to);
        for (std::uint32_t v = 0; v < m_view.vcs() && vc_of(from) != none; ++v)
            m_vcs[vc_of(from) + v].link = static_cast<std::uint32_t>(m_links.size() - 1);
    }
}

/// Notes which arbiters stand at what packets get. A crossbar mostly has one input and output a port.
void network_recorder::number_arbiters() {
    using stage = router_arbiter::stage;
    std::uint32_t number = 0, first = 0;
    for (std::uint32_t r = 0; r < m_view.routers(); first += m_view.ports(r++) * m_view.vcs()) {
        m_first_turn.push_back(number);
        for (const router_arbiter& a : arbiters_of(m_view, r)) {
            const std::uint32_t port = first + a.port * m_view.vcs();
            if (a.of == stage::va_input && !a.speculative) m_vcs[port + a.unit].va_input = number;
            if (a.of == stage::va_output && !a.speculative) m_vcs[port + a.unit].va_output = number;
            for (std::uint32_t v = 0; v < m_view.vcs() && a.unit == 0 && !a.speculative; ++v) {
                if (a.of == stage::sa_input) m_vcs[port + v].sa_input = number;
                if (a.of == stage::sa_output) m_vcs[port + v].sa_output = number;
            }
            ++number;
        }
    }
    m_turns.resize(number);
}

void network_recorder::stop() {
    if (!m_runs) return;
    m_runs = false;
    m_net.stepper().pass();
    m_net.stepper().remove_observer(*static_cast<observer*>(this));
    m_net.stepper().remove_observer(*static_cast<flit_observer*>(this));
    m_net.stepper().remove_observer(*static_cast<cycle_observer*>(this));
    for (const row& r : m_ends) m_out.number(rs::ends, r.end);
}

/// Returns the row of the packet in a slot; it is added if it is not known yet.
std::uint32_t network_recorder::row_of(std::uint32_t slot) {
    const traced_packet& facts = m_trace.packet_in(slot);
    if (slot >= m_rows.size()) m_rows.resize(slot + 1, {~std::uint64_t{0}, none});
    if (m_rows[slot].number == facts.number) return m_rows[slot].row;
    const packet& p = m_view.packets()[slot];
    m_out.difference(rs::numbers, facts.number - m_last.number);
    m_out.difference(rs::messages, facts.message - m_last.message);
    m_out.number(rs::sources, facts.source);
    m_out.number(rs::destinations, facts.destination);
    m_out.number(rs::classes, facts.message_class);
    m_out.number(rs::lengths, facts.flits);
    m_out.difference(rs::injections, p.injected - (m_ends.empty() ? 0 : m_ends.back().injected));
    m_out.number(rs::queueing, p.injected - p.generated);
    m_last = facts;
    m_rows[slot] = {facts.number, static_cast<std::uint32_t>(m_ends.size())};
    m_ends.push_back({p.injected, facts.flits});
    return m_rows[slot].row;
}

/// Notes the end of a packet, if a flit of it was seen.
void network_recorder::end(const packet& p, cycle_t now, bool dropped) {
    const auto slot = static_cast<std::size_t>(&p - &m_view.packets()[0]);
    if (slot >= m_rows.size() || m_rows[slot].row == none) return;
    row& its = m_ends[m_rows[slot].row];
    if (its.injected == p.injected) its.end = 1 + 2 * (now - p.injected) + (dropped ? 1 : 0);
    m_rows[slot] = {~std::uint64_t{0}, none};
}

network_recorder::recorded_flit network_recorder::as_recorded(const flit& f) {
    return {row_of(f.packet), f.is_head() ? std::uint16_t{0} : f.sequence, f.vc};
}

void network_recorder::flit_arrives(std::uint32_t on, const flit& f, const packet&, cycle_t now) {
    if (now >= m_from && now < m_to) m_links[on].now = as_recorded(f);
}

/// Leaves out cycles without a change, since it depends on the number of threads which of these are run.
void network_recorder::cycle_over(cycle_t t) {
    if (t < m_from || t >= m_to) return;
    m_now = t;
    for (std::uint32_t k = 0; k < m_links.size(); ++k) record_arrival(k);
    for (std::uint32_t i = 0; i < m_vcs.size(); ++i) record_input(i);
    for (std::uint32_t o = 0; o < m_vcs.size(); ++o) record_output(o);
    for (std::uint32_t r = 0; r < m_view.routers(); ++r) record_turns(r);
    if (m_out.is_empty_step()) return;
    m_out.number(rs::steps, t - m_next);
    m_next = t + 1;
    m_out.end_step();
    ++m_steps;
}

void network_recorder::record_arrival(std::uint32_t number) {
    link& l = m_links[number];
    const bool due = !l.way.empty() && l.way.front().second + l.delay == m_now;
    if (!m_out.note(rs::arrivals, number, due, l.now.packet != none)) return;
    const recorded_flit f = take_from(l, number);
    if (l.to != none) m_vcs[l.to + f.vc].flits.push_back(f);
    if (l.from == none && f.flit + 1U < m_ends[f.packet].flits)  // from a node, whose next flits follow
        l.way.push_back({{f.packet, static_cast<std::uint16_t>(f.flit + 1), f.vc}, m_now});
    l.now.packet = none;
}

/// Takes the flit that comes from those on their way; if it is none of them, the record has it. Links keep
/// the order of flits, so that those before are lost; a node may send packets in turns.
network_recorder::recorded_flit network_recorder::take_from(link& l, std::uint32_t number) {
    const auto its =
        std::find_if(l.way.begin(), l.way.end(), [&](const auto& one) { return one.first == l.now; });
    const bool known = its != l.way.end();
    if (m_out.note(rs::flits, number, false, !known || its != l.way.begin()))
        m_out.number(rs::flits, known ? static_cast<std::uint64_t>(its - l.way.begin()) + 1 : 0);
    if (known) {
        l.delay = m_now - its->second;
        l.way.erase(l.from == none ? its : l.way.begin(), its + 1);
        return l.now;
    }
    m_out.number(rs::flits, l.now.packet);
    m_out.number(rs::flits, l.now.flit);
    m_out.number(rs::flits, l.now.vc);
    return l.now;
}

void network_recorder::record_input(std::uint32_t number) {
    vc& in = m_vcs[number];
    const in_vc seen = m_view.in(in.router, in.port, in.number);
    m_seen.clear();
    for (std::uint32_t k = 0; k < seen.count; ++k) {
        m_seen.push_back(as_recorded(m_view.buffered(in.router, in.port, in.number, k)));
        m_seen.back().vc = static_cast<std::uint8_t>(in.number);
    }
    if (in.is == state::idle && !in.flits.empty()) enter(number, state::route, none);
    std::size_t left = in.flits.size() < m_seen.size() ? 0 : in.flits.size() - m_seen.size();
    if (!std::equal(m_seen.rbegin(), m_seen.rend(), in.flits.rbegin(),
                    in.flits.rend() - static_cast<std::ptrdiff_t>(left)))
        left = 0;
    // A packet that comes and leaves in one cycle shows its output VC only by what that has sent.
    const std::uint32_t out = seen.out_port < m_view.ports(in.router) && seen.out_vc < m_view.vcs()
                                  ? seen.out_port * m_view.vcs() + seen.out_vc
                                  : none;
    const bool by = left != 0 && out != none &&
                    m_view.flits_sent(in.router, seen.out_port, seen.out_vc) != m_vcs[in.first + out].sent;
    if (in.is != state::active && m_out.note(rs::outputs, number, false, by)) {
        m_out.number(rs::outputs, out);
        enter(number, state::active, out);
    }
    const bool goes_on = in.is == state::active && !in.flits.empty() && in.left == m_now &&
                         m_vcs[in.first + in.what].credits != 0;
    if (m_out.note(rs::departures, number, goes_on, left != 0)) {
        let_go(number);
        for (std::size_t n = 1; m_out.note(rs::more, number, false, n < left); ++n) let_go(number);
    }
    const auto [is, value] = state_of(in, seen);
    if (m_out.note(rs::states, number, false, is != in.is || value != in.what)) {
        m_out.number(rs::states, static_cast<std::uint64_t>(is) + 4 * std::uint64_t{value + 1});
        enter(number, is, value);
    }
    if (!m_out.note(rs::contents, number, false,
                    !std::equal(m_seen.begin(), m_seen.end(), in.flits.begin(), in.flits.end())))
        return;
    in.flits.assign(m_seen.begin(), m_seen.end());
    m_out.number(rs::contents, m_seen.size());
    for (const recorded_flit& f : m_seen) {
        m_out.number(rs::contents, f.packet);
        m_out.number(rs::contents, f.flit);
    }
}

/// Takes the flit at the front out, by the output VC that its packet has.
void network_recorder::let_go(std::uint32_t number) {
    vc& in = m_vcs[number];
    recorded_flit f = in.flits.front();
    in.flits.pop_front();
    in.left = m_now + 1;
    if (in.is != state::active) return;
    vc& out = m_vcs[in.first + in.what];
    serve(in.sa_input, in.number);
    serve(out.sa_output, in.port);
    if (out.credits != 0) --out.credits;
    if (out.link != none) {
        constexpr std::size_t longest = 4096;  // what does not come out of a link gives way
        link& l = m_links[out.link];
        f.vc = static_cast<std::uint8_t>(out.number);
        l.way.emplace_back(f, m_now);
        if (l.way.size() > longest) l.way.pop_front();
    }
    if (f.flit + 1U < m_ends[f.packet].flits) return;
    out.owner = none;
    enter(number, in.flits.empty() ? state::idle : state::route, none);
}

void network_recorder::enter(std::uint32_t number, state is, std::uint32_t value) {
    vc& in = m_vcs[number];
    in.is = is;
    in.what = value;
    if (is != state::active) return;
    m_vcs[in.first + value].owner = number - in.first;
    serve(in.va_input, value % m_view.vcs());
    serve(m_vcs[in.first + value].va_output, number - in.first);
}

/// Returns the state that the router shows, and what packets have or ask for in it.
std::pair<network_recorder::state, std::uint32_t> network_recorder::state_of(const vc& in,
                                                                             const in_vc& seen) {
    if (m_view.bids_for_vc(in.router, in.port, in.number)) return {state::bids, set_asked_for(in)};
    const bool shows = seen.out_port < m_view.ports(in.router) && seen.out_vc < m_view.vcs();
    const std::uint32_t own = in.port * m_view.vcs() + in.number;
    if (shows && m_view.out(in.router, seen.out_port, seen.out_vc).owner == own)
        return {state::active, seen.out_port * m_view.vcs() + seen.out_vc};
    return {seen.count == 0 ? state::idle : state::route, none};
}

std::uint32_t network_recorder::set_asked_for(const vc& in) {
    const router_bank& bank = m_view.bank_of(in.router);
    std::vector<std::uint32_t> all;
    for (std::uint32_t q = 0; q < m_view.ports(in.router); ++q)
        for (std::uint32_t w = 0; w < m_view.vcs(); ++w)
            if (bank.asks_for(m_view.in_bank(in.router), in.port, in.number, q, w))
                all.push_back(q * m_view.vcs() + w);
    return m_sets.emplace(std::move(all), static_cast<std::uint32_t>(m_sets.size())).first->second;
}

void network_recorder::record_output(std::uint32_t number) {
    vc& o = m_vcs[number];
    const out_vc is = m_view.out(o.router, o.port, o.number);
    if (m_out.note(rs::credits, number, false, is.credits == o.credits + 1)) ++o.credits;
    if (m_out.note(rs::balances, number, false, is.credits != o.credits))
        m_out.number(rs::balances, o.credits = is.credits);
    const std::uint32_t owner = is.owner == out_vc::no_owner ? none : is.owner;
    if (m_out.note(rs::owners, number, false, owner != o.owner))
        m_out.number(rs::owners, std::uint32_t{(o.owner = owner) + 1});
    o.sent = m_view.flits_sent(o.router, o.port, o.number);
}

void network_recorder::serve(std::uint32_t arbiter, std::uint32_t requester) {
    if (arbiter != none) m_turns[arbiter] = static_cast<std::uint16_t>(requester);
}

/// A wavefront begins one diagonal further in each cycle, so that m_turns has its diagonal of cycle 0,
/// less 1. What a router cannot tell counts as unchanged.
void network_recorder::record_turns(std::uint32_t router) {
    std::uint32_t k = m_first_turn[router];
    for (const router_arbiter& a : arbiters_of(m_view, router)) {
        std::uint16_t& last = m_turns[k];
        const auto moved = static_cast<std::uint32_t>(
            a.from == router_arbiter::requester::diagonal ? (m_now + 1) % a.requesters : 0);
        const bool is_other = a.is_known() && a.last != (moved == 0 ? last : (last + moved) % a.requesters);
        if (!m_out.note(rs::turns, k++, false, is_other)) continue;
        m_out.number(rs::turns, a.last);
        last =
            static_cast<std::uint16_t>(moved == 0 ? a.last : (a.last + a.requesters - moved) % a.requesters);
    }
}

void network_recorder::write(std::ostream& out) const {
    out << R"({"format":"sare-record 1","from":)" << m_from << R"(,"to":)" << m_next << R"(,"steps":)"
        << m_steps << R"(,"packets":)" << m_ends.size() << ",\n\"network\":";
    write_network_json(m_view, m_ends_of_links, out);
    std::vector<const std::vector<std::uint32_t>*> sets(m_sets.size());
    for (const auto& [all, number] : m_sets) sets[number] = &all;
    out << ",\n\"sets\":";
    write_json_list(out, sets.size(), [&](std::size_t k) {
        write_json_list(out, sets[k]->size(), [&](std::size_t n) { out << (*sets[k])[n]; });
    });
    out << ",\n\"streams\":";
    m_out.write(out);
    out << "}\n";
}

}  // namespace sare
