// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/state_json.h"

#include "tlm/inside/describe.h"

#include <algorithm>
#include <map>

namespace sare::cli {

state_json state_reader::frame(const std::optional<cycle_requests>& last, std::uint64_t from,
                               cycle_t since) const {
    constexpr cycle_t not_yet = live_log::record::not_yet;
    state_json packets = state_json::array(), outputs = state_json::array(), turns = state_json::array();
    for (std::uint64_t n = m_log.first_known(); n < m_log.packets(); ++n) {
        const live_log::record& p = *m_log.find(n);
        if (n < from && p.ended < since) continue;
        const bool lost = p.dropped_in != live_log::record::no_router;
        packets.push_back({n, n, p.message, p.source, p.destination, p.message_class, p.flits, p.generated,
                           p.injected, p.ended == not_yet ? state_json() : state_json(p.ended),
                           lost ? 1 : 0});
    }
    for (std::uint32_t r = 0; r < m_net.routers(); ++r) {
        for (std::uint32_t o = 0; o < m_net.ports(r) * m_net.vcs(); ++o) {
            const out_vc out = m_net.out(r, o / m_net.vcs(), o % m_net.vcs());
            outputs.push_back({out.credits, out.owner == out_vc::no_owner ? -1 : int{out.owner}});
        }
        for (const router_arbiter& a : arbiters_of(m_net, r)) turns.push_back(a.last);
    }
    return {{"cycle", m_net.now()},          {"packets", std::move(packets)}, {"inputs", frame_inputs(last)},
            {"outputs", std::move(outputs)}, {"links", frame_links(last)},    {"turns", std::move(turns)}};
}

/// Returns the input VCs that are not empty and idle, and those that a flit left in the last cycle.
state_json state_reader::frame_inputs(const std::optional<cycle_requests>& last) const {
    constexpr const char* states[] = {"idle", "route", "bids", "active"};
    std::map<std::uint32_t, bool> before;  // input VCs that asked for something; true: a flit left
    std::vector<std::uint32_t> first(1, 0);
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        first.push_back(first[r] + m_net.ports(r) * m_net.vcs());
    if (last)
        for (const cycle_requests::request& q : last->all())
            before[first[q.router] + q.port * m_net.vcs() + q.vc] |=
                q.for_switch && last->was_granted(m_net, q);
    state_json all = state_json::array();
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        for (std::uint32_t i = 0; i < m_net.ports(r) * m_net.vcs(); ++i) {
            const std::uint32_t p = i / m_net.vcs(), v = i % m_net.vcs();
            const std::string text = state_of_front(m_net, r, p, v);
            const auto state = std::find(std::begin(states), std::end(states), text) - std::begin(states);
            const auto its = before.find(first[r] + i);
            const bool left = its != before.end() && its->second;
            if (state == 0 && !left) continue;
            const in_vc in = m_net.in(r, p, v);
            state_json what = -1, flits = state_json::array();
            if (text == "active") what = in.out_port * m_net.vcs() + in.out_vc;
            if (text == "bids") what = asked_for(r, p, v);
            for (std::uint32_t n = 0; n < in.count; ++n) {
                const flit f = m_net.buffered(r, p, v, n);
                const auto number = m_log.number_of(f.packet);
                if (!number) continue;  // a copy
                flits.push_back(*number);
                flits.push_back(f.is_head() ? 0 : f.sequence);
            }
            const cycle_t now = m_net.now(), since = its == before.end() || now == 0 ? now : now - 1;
            all.push_back({first[r] + i, state, what, since, left ? state_json(now) : state_json(-9), flits});
        }
    return all;
}

/// Returns the flits that routers have sent in the last cycle, by link.
state_json state_reader::frame_links(const std::optional<cycle_requests>& last) const {
    state_json all = state_json::array();
    if (!last) return all;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> link_at;
    for (std::size_t n = 0; n < m_log.links().size(); ++n)
        if (const link_end& from = m_log.links()[n].first; from.what == link_end::kind::router)
            link_at[{from.id, from.port}] = n;
    for (const cycle_requests::request& q : last->all()) {
        const auto link = link_at.find({q.router, q.out_port});
        const auto number = m_log.number_of(q.front.packet);
        if (!q.for_switch || !number || link == link_at.end() || !last->was_granted(m_net, q)) continue;
        all.push_back(
            {link->second, {*number, q.front.is_head() ? 0 : q.front.sequence, q.out_vc, m_net.now()}});
    }
    return all;
}

std::vector<std::uint32_t> state_reader::asked_for(std::uint32_t router, std::uint32_t port,
                                                   std::uint32_t vc) const {
    std::vector<std::uint32_t> all;
    const router_bank& bank = m_net.bank_of(router);
    for (std::uint32_t o = 0; o < bank.ports() * m_net.vcs(); ++o)
        if (bank.asks_for(m_net.in_bank(router), port, vc, o / m_net.vcs(), o % m_net.vcs()))
            all.push_back(o);
    return all;
}

}  // namespace sare::cli
