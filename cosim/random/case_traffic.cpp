// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/pin_case.h"
#include "tlm/base/bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sare::cosim {

case_traffic::case_traffic(const router_setting& setting, const routing_context& around,
                           const pin_events& events)
    : m_setting(setting),
      m_around(around),
      m_vcs(setting.model.vcs),
      m_lanes(setting.ports * m_vcs),
      m_places(setting.ports, setting.places()),
      m_in(setting.ports),
      m_flits_left(events.flits()) {
    for (const pin_case::packet& p : events.packets) at(p.port, p.vc).due.push_back(&p);
    for (const pin_case::credit& p : events.credits) at(p.port, p.vc).back.push_back(p.at);
    const auto sooner = [](const auto* a, const auto* b) { return a->at.front() < b->at.front(); };
    for (lane& l : m_lanes) {
        std::stable_sort(l.due.begin(), l.due.end(), sooner);
        std::sort(l.back.begin(), l.back.end());
    }
}

const std::vector<port_in>& case_traffic::inputs(bool closing) {
    ++m_now;
    for (std::uint32_t q = 0; q < m_setting.ports; ++q) {
        m_in[q] = {};
        give_credits(q, closing);
        send_flit(q);
    }
    return m_in;
}

void case_traffic::give_credits(std::uint32_t port, bool closing) {
    for (std::uint32_t v = 0; v < m_vcs; ++v) {
        lane& l = at(port, v);
        const bool due = closing || (l.given < l.back.size() && l.back[l.given] <= m_now);
        if (l.owed == 0 || !due) continue;
        --l.owed;
        ++l.given;
        m_in[port].credits |= 1u << v;
    }
}

/// Sends the flit that has been due for longest, among those that may go.
void case_traffic::send_flit(std::uint32_t port) {
    lane* first = nullptr;
    std::uint32_t due = m_now + 1, vc = 0;
    for (std::uint32_t v = 0; v < m_vcs; ++v) {
        lane& l = at(port, v);
        if (l.next == l.due.size() || l.due[l.next]->at[l.sent] >= due) continue;
        const auto flits = static_cast<std::uint32_t>(l.due[l.next]->at.size());
        if (!m_setting.has_room(m_places[port], v, l.sent == 0, flits)) continue;
        first = &l;
        due = l.due[l.next]->at[l.sent];
        vc = v;
    }
    if (first == nullptr) return;
    const pin_case::packet& what = *first->due[first->next];
    if (first->sent == 0) {
        first->number = m_packets.take();
        carried_packet& p = m_packets[first->number] = {};
        p.uid = ++m_uids;
        p.in = {port, vc};
        p.flits = static_cast<std::uint32_t>(what.at.size());
        p.route.destination = what.destination;
        const std::uint32_t of_class = m_vcs / m_setting.classes;
        p.route.vc_base = static_cast<std::uint8_t>(vc / of_class * of_class);
        p.route.state = static_cast<std::uint16_t>(what.ways);
        route_set ways;
        m_around.routes(p.route, p.in, ways);
        p.heads = p.tails = ways.size;
    }
    const bool tail = first->sent + 1 == what.at.size();
    const auto kind = (first->sent == 0 ? flit::head : 0) | (tail ? flit::tail : 0);
    m_in[port].valid = true;
    m_in[port].what =
        flit::from_word(flit::make_word(first->number, static_cast<std::uint16_t>(first->sent), vc, kind));
    m_places[port].take(vc);
    --m_flits_left;
    first->sent = tail ? 0 : first->sent + 1;
    first->next += tail ? 1 : 0;
}

void case_traffic::outputs(const std::vector<port_out>& out) {
    for (std::uint32_t q = 0; q < out.size(); ++q) {
        for (std::uint32_t rest = out[q].credits; rest != 0; rest &= rest - 1)
            if (!m_places[q].give_back(lowest(rest)))
                throw std::runtime_error(fmt::format("port {}: a credit for no flit", q));
        if (!out[q].valid) continue;
        ++at(q, out[q].what.vc).owed;
        const std::uint32_t packet = out[q].what.packet;
        if (out[q].what.is_tail() && --m_packets[packet].tails == 0) m_packets.give_back(packet);
    }
}

// ---- recorder ---------------------------------------------------------------------------------------------

void case_recorder::note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>&,
                         const packet_table& table) {
    const auto now = static_cast<std::uint32_t>(t);
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        for (std::uint32_t rest = in[q].credits; rest != 0; rest &= rest - 1)
            credits.push_back({q, static_cast<std::uint32_t>(lowest(rest)), now});
        if (!in[q].valid) continue;
        const flit& f = in[q].what;
        if (f.packet >= m_open.size()) m_open.resize(f.packet + 1);
        if (f.is_head()) {
            m_open[f.packet] = packets.size();
            const route_header& h = table[f.packet].route;
            packets.push_back({q, f.vc, h.destination, h.state, {}});
            m_lengths.push_back(table[f.packet].flits);
        }
        packets[m_open[f.packet]].at.push_back(now);
    }
}

void case_recorder::complete(cycle_t t) {
    for (std::size_t k = 0; k < packets.size(); ++k)
        for (auto next = static_cast<std::uint32_t>(t) + 1; packets[k].at.size() < m_lengths[k]; ++next)
            packets[k].at.push_back(next);
}

}  // namespace sare::cosim
