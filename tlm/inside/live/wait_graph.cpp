// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/live/wait_graph.h"

#include "tlm/fabric/view/network_view.h"

#include <algorithm>

namespace sare {

wait_graph::wait_graph(const network_view& net) : m_net(net) {
    std::size_t all = 0;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        m_first.push_back(all);
        all += std::size_t{net.ports(r)} * net.vcs();
    }
    m_wait.resize(all);
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(r); ++p)
            for (std::uint32_t v = 0; v < net.vcs(); ++v) look_at({r, p, v});
    find_dead();
    find_circles();
}

std::size_t wait_graph::number(const place& p) const {
    return m_first[p.router] + std::size_t{p.port} * m_net.vcs() + p.vc;
}

std::optional<std::size_t> wait_graph::at(const place& p) const {
    const std::uint32_t its = m_wait[number(p)];
    return its == 0 ? std::nullopt : std::optional<std::size_t>(its - 1);
}

bool wait_graph::is_deadlocked() const {
    return std::any_of(m_waits.begin(), m_waits.end(), [](const wait& w) { return w.dead; });
}

/// Adds the wait of an input VC, if its front flit can neither go on nor compete for something that is free.
void wait_graph::look_at(const place& p) {
    const in_vc in = m_net.in(p.router, p.port, p.vc);
    if (in.count == 0) return;
    wait w;
    w.who = p;
    m_hopes.push_back(!m_net.bank_of(p.router).terms().conserves_packets);
    const auto give_up = [this] { m_hopes.pop_back(); };
    if (!m_net.bids_for_vc(p.router, p.port, p.vc)) {
        const bool has = in.out_port < m_net.ports(p.router) && in.out_vc < m_net.vcs() &&
                         m_net.out(p.router, in.out_port, in.out_vc).owner == p.port * m_net.vcs() + p.vc;
        if (!has || m_net.out(p.router, in.out_port, in.out_vc).is_open()) return give_up();
        wait_behind(w, in.out_port, in.out_vc);
        w.why = w.node ? reason::node : reason::no_room;
    } else {
        w.why = reason::vc_taken;
        const router_bank& bank = m_net.bank_of(p.router);
        const std::uint32_t k = m_net.in_bank(p.router);
        for (std::uint32_t q = 0; q < m_net.ports(p.router); ++q)
            for (std::uint32_t v = 0; v < m_net.vcs(); ++v) {
                if (!bank.asks_for(k, p.port, p.vc, q, v)) continue;
                const out_vc out = m_net.out(p.router, q, v);
                if (out.owner != out_vc::no_owner && out.owner < m_net.ports(p.router) * m_net.vcs()) {
                    w.on.push_back({p.router, out.owner / m_net.vcs(), out.owner % m_net.vcs()});
                } else if (out.owner != out_vc::no_owner) {
                    m_hopes.back() = true;  // a node injects
                } else if (bank.has_credits(k, p.port, p.vc, q, v, out.credits) && out.is_open()) {
                    return give_up();
                } else {
                    wait_behind(w, q, v);
                }
            }
    }
    if (w.on.empty()) m_hopes.back() = true;
    m_waits.push_back(std::move(w));
    m_wait[number(p)] = static_cast<std::uint32_t>(m_waits.size());
}

/// Adds to the wait what must move in the buffer behind an output VC.
void wait_graph::wait_behind(wait& w, std::uint32_t port, std::uint32_t vc) {
    const port_peer to = m_net.map()->peer(router_id(w.who.router), port_id(port));
    if (to.what != port_peer::kind::router) {
        m_hopes.back() = true;
        if (to.what == port_peer::kind::node) w.node = to.id;
        return;
    }
    const bool alone = m_net.bank_of(to.id).terms().sharing == buffer_sharing::per_vc;
    for (std::uint32_t v = 0; v < m_net.vcs(); ++v) {
        const place beyond{to.id, to.port, v};
        if (v != vc && (alone || m_net.in(to.id, to.port, v).count == 0)) continue;
        w.on.push_back(beyond);
    }
    if (may_settle(w.who, port, vc, {to.id, to.port, vc})) m_hopes.back() = true;
}

/// True if flits or credits may be on the link of an output VC, so that the present credits are not the last
/// word.
bool wait_graph::may_settle(const place& from, std::uint32_t port, std::uint32_t vc, const place& to) const {
    const router_terms& terms = m_net.bank_of(to.router).terms();
    const std::uint32_t here = m_net.in(to.router, to.port, to.vc).count;
    if (terms.sharing == buffer_sharing::per_vc)
        return m_net.out(from.router, port, vc).credits + here != m_net.depth_beyond(from.router, port);
    std::uint32_t all = 0;
    for (std::uint32_t v = 0; v < m_net.vcs(); ++v) all += m_net.in(to.router, to.port, v).count;
    return terms.pool == 0 ? here < terms.depth : all < terms.reserved_places * m_net.vcs() + terms.pool;
}

/// Marks the waits of which nothing that they wait for can move: all, without those that have hope and those
/// that wait for one that has.
void wait_graph::find_dead() {
    for (wait& w : m_waits) w.dead = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t n = 0; n < m_waits.size(); ++n) {
            wait& w = m_waits[n];
            const auto moves = [this](const place& p) {
                const auto its = at(p);
                return !its || !m_waits[*its].dead;
            };
            if (!w.dead || (!m_hopes[n] && std::none_of(w.on.begin(), w.on.end(), moves))) continue;
            w.dead = false;
            changed = true;
        }
    }
}

/// Numbers the strongly connected components of more than one wait (Tarjan's algorithm, without recursion).
void wait_graph::find_circles() {
    struct visit {
        std::size_t at, next = 0;
    };
    const std::size_t all = m_waits.size();
    std::vector<std::size_t> index(all, 0), low(all, 0), open;
    std::vector<bool> is_open(all);
    std::size_t seen = 0;
    std::uint32_t circles = 0;
    std::vector<visit> path;
    const auto enter = [&](std::size_t n) {
        index[n] = low[n] = ++seen;
        open.push_back(n);
        is_open[n] = true;
        path.push_back({n});
    };
    const auto leave = [&](std::size_t n) {
        path.pop_back();
        if (!path.empty()) low[path.back().at] = std::min(low[path.back().at], low[n]);
        if (low[n] != index[n]) return;
        const bool is_circle = open.back() != n;
        if (is_circle) ++circles;
        for (bool last = false; !last; open.pop_back()) {
            last = open.back() == n;
            is_open[open.back()] = false;
            if (is_circle) m_waits[open.back()].circle = circles;
        }
    };
    for (std::size_t start = 0; start < all; ++start) {
        if (index[start] == 0) enter(start);
        while (!path.empty()) {
            const std::size_t n = path.back().at;
            if (path.back().next == m_waits[n].on.size()) {
                leave(n);
                continue;
            }
            const auto to = at(m_waits[n].on[path.back().next++]);
            if (!to) continue;
            if (index[*to] == 0)
                enter(*to);
            else if (is_open[*to])
                low[n] = std::min(low[n], index[*to]);
        }
    }
}

}  // namespace sare
