// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/wait_samples.h"

#include "tlm/base/world.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/state/archive.h"

#include <algorithm>

namespace sare {
namespace {

/// Cycles from a sample to the next one, at the least: by these samples take less than 1% of the instructions
/// of a run, for where little waits cycles are cheap.
constexpr cycle_t gap = 1000, gap_of_idle = 4000;

constexpr std::size_t most_periods = 16, most_bytes = 16 << 20;  ///< of all periods, unless two take more

}  // namespace

wait_samples::wait_samples(const network_view& net, world* processes)
    : m_net(net), m_world(processes), m_vcs(net.vcs()), m_nodes(net.nodes()) {
    std::uint32_t ports = 0, most_ports = 0;
    std::size_t turns = 0;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        const std::uint32_t own = net.ports(r);
        m_first_port.push_back(ports);
        m_first_turn.push_back(turns);
        ports += own;
        turns += std::size_t{own} * own;
        most_ports = std::max(most_ports, own);
    }
    m_first_port.push_back(ports);
    m_first_turn.push_back(turns);
    m_ports.resize(most_ports);
    const std::size_t bytes = links() * sizeof(link_waits) + turns * sizeof(std::uint64_t);
    m_most_periods = std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(bytes, 1) & ~std::size_t{1},
                                             2, most_periods);
}

void wait_samples::start(cycle_t now) {
    m_last = now;
    m_next = now;
    m_sent.assign(links(), 0);
    read_flits(m_sent);
}

router_pace wait_samples::pace_of(std::uint32_t router) const {
    return m_net.bank_of(router).pace();
}

/// Modulo 2^32, by link.
void wait_samples::read_flits(std::vector<std::uint32_t>& sent) const {
    for (std::uint32_t r = 0; r < m_net.routers(); ++r) {
        if (!m_net.has_router(r)) continue;
        const router_bank& bank = m_net.bank_of(r);
        const std::uint32_t k = m_net.in_bank(r);
        for (std::uint32_t p = 0; p < ports(r); ++p) {
            std::uint32_t& sum = sent[link_from(r, p)] = 0;
            for (std::uint32_t v = 0; v < m_vcs; ++v) sum += bank.flits_sent(k, p, v);
        }
    }
    for (std::uint32_t n = 0; n < m_nodes; ++n)
        if (m_net.is_here(n)) sent[link_of_node(n)] = static_cast<std::uint32_t>(m_net.nic(n).injected_flits);
}

/// Where there are as many periods as may be, each two neighbours become one.
void wait_samples::begin_period() {
    if (m_periods.size() == m_most_periods) {
        for (std::size_t k = 0; k < m_periods.size() / 2; ++k) m_periods[k] = sum(2 * k, 2 * k + 2);
        m_periods.resize(m_periods.size() / 2);
        m_each *= 2;
    }
    m_periods.emplace_back();
    m_periods.back().from = m_last;
    m_periods.back().links.resize(links());
    m_periods.back().turns.resize(m_first_turn.back());
    m_taken = 0;
}

/// It stands for all cycles since the one before.
void wait_samples::sample(cycle_t now) {
    if (now < m_next || now == m_last) return;
    if (m_periods.empty() || m_taken == m_each) begin_period();
    ++m_taken;
    period& p = m_periods.back();
    m_weight = now - m_last;
    m_last = p.to = now;
    m_waiting = 0;
    std::vector<std::uint32_t> sent(links());
    read_flits(sent);
    for (std::size_t l = 0; l < sent.size(); ++l) p.links[l].flits += std::uint32_t{sent[l] - m_sent[l]};
    m_sent = std::move(sent);
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        if (m_net.has_router(r)) sample_router(r);
    for (std::uint32_t n = 0; n < m_nodes; ++n)
        if (m_net.is_here(n)) sample_node(n);
    if (m_world != nullptr) m_waiting = m_world->sum(m_waiting);
    p.waiting += m_waiting * m_weight;
    m_next = now + (m_waiting > m_net.routers() / 2 ? gap : gap_of_idle);
}

wait_samples::period wait_samples::sum(std::size_t first, std::size_t end) const {
    period all;
    all.links.resize(links());
    all.turns.resize(m_first_turn.back());
    if (first == end) return all;
    all.from = m_periods[first].from;
    all.to = m_periods[end - 1].to;
    for (std::size_t k = first; k < end; ++k) {
        const period& p = m_periods[k];
        all.waiting += p.waiting;
        for (std::size_t t = 0; t < all.turns.size(); ++t) all.turns[t] += p.turns[t];
        for (std::size_t l = 0; l < all.links.size(); ++l) {
            link_waits& to = all.links[l];
            const link_waits& from = p.links[l];
            for (int c = 0; c < causes; ++c) to.by[c] += from.by[c];
            for (int c = 0; c < losses; ++c) to.lost[c] += from.lost[c];
            to.blocked += from.blocked;
            to.ready += from.ready;
            to.flits += from.flits;
        }
    }
    return all;
}

wait_samples::period wait_samples::congested() const {
    double most = 0;
    std::vector<double> level;
    for (const period& p : m_periods)
        level.push_back(static_cast<double>(p.waiting) / static_cast<double>(p.cycles()));
    for (const double x : level) most = std::max(most, x);
    const auto high = [most](double x) { return x >= most / 2; };
    const auto begin = std::find_if(level.begin(), level.end(), high),
               end = std::find_if(level.rbegin(), level.rend(), high).base();
    const bool whole = begin == level.begin() && end == level.end();
    if (whole || most == 0 || end - begin < 3 || !std::all_of(begin, end, high)) return all();
    const bool leaves_out = begin != level.begin() && end - begin > 3;
    return sum(static_cast<std::size_t>(begin - level.begin()) + (leaves_out ? 1 : 0),
               static_cast<std::size_t>(end - level.begin()));
}

void wait_samples::note(std::uint32_t link, port_waits& at, const wait& w) {
    ++m_waiting;
    link_waits& l = m_periods.back().links[link];
    l.by[w.why] += m_weight;
    l.blocked += w.blocked ? m_weight : 0;
    at.ready = at.ready || w.why == turn;
    if (w.why != turn) ++at.of[w.what];
}

void wait_samples::note(std::uint32_t router, std::uint32_t in, std::uint32_t out, const wait& w) {
    note(link_from(router, out), m_ports[out], w);
    m_periods.back().turns[m_first_turn[router] + std::size_t{in} * ports(router) + out] += m_weight;
}

/// Of what most of those that wait lack, where none is ready.
void wait_samples::count_cycles(std::uint32_t link, const port_waits& w) {
    link_waits& l = m_periods.back().links[link];
    const auto most = std::max_element(w.of.begin(), w.of.end());
    if (w.ready)
        l.ready += m_weight;
    else if (*most != 0)
        l.lost[static_cast<std::size_t>(most - w.of.begin())] += m_weight;
}

void wait_samples::sample_router(std::uint32_t router) {
    const router_bank& bank = m_net.bank_of(router);
    const std::uint32_t k = m_net.in_bank(router), outputs = ports(router) * m_vcs;
    const std::uint64_t before = m_waiting;
    std::fill_n(m_ports.begin(), ports(router), port_waits());
    for (std::uint32_t p = 0; p < ports(router); ++p)
        for (std::uint32_t v = 0; v < m_vcs; ++v) {
            const in_vc in = bank.in(k, p, v);
            if (in.count == 0) continue;
            if (bank.bids_for_vc(k, p, v)) {
                sample_head(router, p, v);
            } else if (in.out < outputs) {
                const std::uint32_t port = in.out / m_vcs;
                const out_vc out = bank.out(k, port, in.out % m_vcs);
                if (out.owner != p * m_vcs + v) continue;
                const bool starved = out.credits == 0,
                           blocked = starved && is_full_beyond(router, port, in.out % m_vcs);
                note(router, p, port, {starved ? credit : turn, blocked, blocked ? full : on_trip});
            }
        }
    if (m_waiting == before) return;
    for (std::uint32_t p = 0; p < ports(router); ++p) count_cycles(link_from(router, p), m_ports[p]);
}

/// One that bids counts for each port that it may leave by, unless it only has to be served: routers that
/// look ahead do not show that.
void wait_samples::sample_head(std::uint32_t router, std::uint32_t in, std::uint32_t vc_in) {
    const router_bank& bank = m_net.bank_of(router);
    const std::uint32_t k = m_net.in_bank(router);
    for (std::uint32_t q = 0; q < ports(router); ++q) {
        bool asks = false, free = false, room = false, moves = false;
        std::array<std::uint32_t, losses> lacks{};
        for (std::uint32_t w = 0; w < m_vcs; ++w) {
            if (!bank.asks_for(k, in, vc_in, q, w)) continue;
            const out_vc out = bank.out(k, q, w);
            asks = true;
            if (out.owner != out_vc::no_owner) {
                moves = moves || out.credits != 0;
                ++lacks[out.credits != 0 ? owned_idle : is_full_beyond(router, q, w) ? full : on_trip];
                continue;
            }
            free = true;
            const bool enough = out.credits != 0 && bank.has_credits(k, in, vc_in, q, w, out.credits);
            room = room || enough;
            if (!enough) ++lacks[loss_of_free(router, q, w)];
        }
        if (!asks) continue;
        if (room) {
            m_ports[q].ready = true;
            continue;
        }
        const auto what = static_cast<loss>(std::max_element(lacks.begin(), lacks.end()) - lacks.begin());
        note(router, in, q, {free ? credit : vc, !moves && what == full, what});
    }
}

/// What an output VC without an owner lacks, which is not given for want of credits.
wait_samples::loss wait_samples::loss_of_free(std::uint32_t router, std::uint32_t port,
                                              std::uint32_t w) const {
    const bool full_beyond = is_full_beyond(router, port, w);
    if (!m_net.bank_of(router).terms().requires_empty_buffer) return full_beyond ? full : on_trip;
    const port_peer to = m_net.map()->peer(router_id(router), port_id(port));
    const bool holds_some = to.what == port_peer::kind::router && m_net.has_router(to.id) &&
                            m_net.in(to.id, to.port, w).count != 0;
    return full_beyond || holds_some ? full : given_late;
}

/// Whether what an output VC leads to has no room, rather than credits that are on their way. What is not
/// known counts as full; NICs take every flit at once.
bool wait_samples::is_full_beyond(std::uint32_t router, std::uint32_t port, std::uint32_t w) const {
    const port_peer to = m_net.map()->peer(router_id(router), port_id(port));
    if (to.what == port_peer::kind::node)
        return m_net.is_taken_over(to.id) || m_net.bank_of(router).terms().owns_nodes;
    if (to.what != port_peer::kind::router || !m_net.has_router(to.id)) return true;
    return is_full(to.id, to.port, w);
}

bool wait_samples::is_full(std::uint32_t router, std::uint32_t port, std::uint32_t w) const {
    const router_bank& bank = m_net.bank_of(router);
    return 2u * bank.in(m_net.in_bank(router), port, w).count > bank.terms().depth;
}

void wait_samples::sample_node(std::uint32_t node) {
    const nic_state& nic = m_net.nic(node);
    const std::uint32_t router = m_net.map()->router_of(node_id(node)).value, link = link_of_node(node);
    port_waits at;
    if (m_net.bank_of(router).terms().owns_nodes) {
        // What waits in the router's own queue, behind a packet, has no room in it.
        if (nic.queued != 0 || nic.held_messages > 1) note(link, at, {credit, true});
        return count_cycles(link, at);
    }
    if (nic.queued == 0 || m_net.is_taken_over(node)) return;
    const std::uint32_t port = m_net.map()->port_of(node_id(node)).value;
    const bool here = m_net.has_router(router), whole = nic.head_credits == nic.depth && nic.depth > 1;
    for (std::uint32_t c = 0; c < m_net.classes(); ++c) {
        const class_queue& queue = nic.queues[c];
        if (queue.packet == class_queue::none && queue.first == class_queue::none) continue;
        const bool begun = queue.packet != class_queue::none;
        bool room = false, blocked = true;
        for (std::uint32_t v = begun ? queue.vc : queue.first_vc; v <= (begun ? queue.vc : queue.last_vc);
             ++v) {
            room = room || nic.vc_credits[v] >= (begun ? 1 : nic.head_credits);
            const bool some = here && m_net.in(router, port, v).count != 0;
            blocked = blocked && (!here || (whole && !begun ? some : is_full(router, port, v)));
        }
        blocked = blocked && !room;
        note(link, at,
             {room ? turn : credit, blocked,
              blocked           ? full
              : whole && !begun ? given_late
                                : on_trip});
    }
    count_cycles(link, at);
}

void wait_samples::period::serialize(archive& a) {
    a(from, to, waiting, links, turns);
}

void wait_samples::serialize(archive& a) {
    a(m_periods, m_sent, m_each, m_taken, m_last, m_next);
}

/// All have taken the same samples, each of its part; what waits is a sum already.
void wait_samples::add_up(world& all) {
    for (period& p : m_periods) {
        all.sum(p.turns.data(), p.turns.size());
        std::vector<std::uint64_t> flat;
        for (link_waits& l : p.links) l.for_each([&flat](std::uint64_t x) { flat.push_back(x); });
        all.sum(flat.data(), flat.size());
        const std::uint64_t* next = flat.data();
        for (link_waits& l : p.links) l.for_each([&next](std::uint64_t& x) { x = *next++; });
    }
}

}  // namespace sare
