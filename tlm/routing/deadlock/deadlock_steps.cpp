// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/deadlock/deadlock_steps.h"

namespace sare {

using verdict = deadlock_report::verdict;
using std::to_string;

void state_table::grow() {
    std::vector<slot> old(2 * m_slots.size());
    old.swap(m_slots);
    --m_shift;
    for (const slot& s : old)
        if (s.epoch == m_epoch) find(s.key) = s;
}

hop_finder::hop_finder(const deadlock_question& question)
    : m_question(question), m_net(*question.network), m_limit(question.most_calls) {
    for (std::uint32_t r = 0; r < m_net.routers(); ++r) {
        m_first_port.push_back(static_cast<std::uint32_t>(m_peer.size()));
        for (std::uint32_t p = 0; p < m_net.ports(router_id(r)); ++p) {
            m_router.push_back(r);
            m_peer.push_back(m_net.peer(router_id(r), port_id(p)));
            m_plugged += m_net.source(router_id(r), port_id(p)).what != port_peer::kind::none;
        }
    }
    m_first_port.push_back(static_cast<std::uint32_t>(m_peer.size()));
}

/// "at router 3 a packet for node dram"
std::string hop_finder::place(std::uint32_t r, std::uint32_t destination) const {
    return "at " + m_net.names().text(place_kind::router, r) + " a packet for " +
           m_net.names().text(place_kind::node, destination);
}

void hop_finder::broken(std::uint32_t r, std::uint32_t destination, const std::string& what) const {
    throw deadlock_finding{verdict::broken, place(r, destination) + " " + what};
}

const std::vector<route_header>& hop_finder::headers(std::uint32_t source, std::uint32_t destination) {
    m_headers.clear();
    if (m_question.reaches && !m_question.reaches(source, destination)) return m_headers;
    route_header plain;
    plain.source = source;
    plain.destination = destination;
    m_question.routing->every_header(plain, m_headers);
    return m_headers;
}

const std::vector<next_hop>& hop_finder::hops(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc,
                                              route_header& h, std::uint32_t destination) {
    if (++m_calls > m_limit)
        throw deadlock_finding{verdict::skipped, "skipped: more than " + to_string(m_question.most_calls) +
                                                     " routing decisions to follow"};
    route_set out;
    m_question.routing->route(r, in, in_vc, h, out);
    if (out.size == 0) broken(r, destination, "has no way on");
    m_hops.clear();
    m_last_hops.clear();
    m_forks = out.fork;
    bool escape = false;
    for (std::uint32_t i = 0; i < out.size; ++i) {
        const route_candidate& c = out.candidates[i];
        const auto port = [&c] { return "leaves by port " + to_string(c.port); };
        if (m_first_port[r] + c.port >= m_first_port[r + 1])
            broken(r, destination, port() + ", which is not there");
        const port_peer& to = m_peer[m_first_port[r] + c.port];
        if (to.what == port_peer::kind::none) broken(r, destination, port() + ", which is not plugged");
        if (to.what == port_peer::kind::node) {
            if (to.id != destination && !out.fork)
                broken(r, destination, "is given to " + m_net.names().text(place_kind::node, to.id));
            escape = true;
            m_last_hops.push_back({c.port, c.vcs});
            continue;
        }
        if (c.vcs == 0 || (c.vcs & ~first_vcs(m_question.vcs)) != 0)
            broken(r, destination, port() + " on VCs that are not there");
        escape = escape || c.escape;
        m_hops.push_back({c.port, c.vcs, c.escape, to.id, to.port});
    }
    if (!escape && m_without_escape.empty())
        m_without_escape = place(r, destination) + " has no escape channel";
    return m_hops;
}

}  // namespace sare
