// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/wait_samples.h"

#include "tlm/base/world.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/state/archive.h"

#include <algorithm>

namespace sare {
namespace {

/// Fewest cycles between samples: with these, samples take less than 1% of the instructions of a run; where
/// little waits, cycles are cheap.
constexpr cycle_t gap = 1000, gap_of_idle = 4000;

constexpr std::uint64_t holds_some = 1, holds_many = 2, sends_none = 4;  ///< see state_of()

constexpr std::size_t most_periods = 16, most_bytes = 16 << 20;  ///< of all periods, unless two take more

}  // namespace

wait_samples::wait_samples(const network_view& net, world* processes)
    : m_net(net), m_world(processes), m_vcs(net.vcs()), m_nodes(net.nodes()) {
    std::uint32_t ports = 0, most = 0;
    std::size_t turns = 0;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        const std::uint32_t own = net.ports(r);
        m_first_port.push_back(ports);
        m_first_turn.push_back(turns);
        ports += own;
        turns += std::size_t{own} * own;
        most = std::max(most, own);
    }
    m_first_port.push_back(ports);
    m_first_turn.push_back(turns);
    m_ports.resize(most);
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        m_paces.push_back(net.has_router(r) ? net.bank_of(r).pace() : router_pace{0, 0, 0, 0, false});
    if (processes != nullptr)
        processes->sum_members(m_paces, &router_pace::rc, &router_pace::va, &router_pace::flit,
                               &router_pace::matching);
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

/// Reads the flits sent by each link, modulo 2^32.
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

/// Begins a period. If there are most_periods, neighbours are joined.
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

/// Takes a sample, which stands for all cycles since the one before.
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
    for (std::size_t l = 0; l < sent.size(); ++l) p.links[l][flits] += std::uint32_t{sent[l] - m_sent[l]};
    m_sent = std::move(sent);
    if (m_world != nullptr) tell_others();
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
        for (std::size_t l = 0; l < all.links.size(); ++l)
            for (int c = 0; c < counters; ++c) all.links[l][c] += p.links[l][c];
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

void wait_samples::note(std::uint32_t link, lacking& at, const wait& w) {
    ++m_waiting;
    link_waits& l = m_periods.back().links[link];
    l[w.why] += m_weight;
    if (w.why != turn && w.what == full && !w.moves) l[blocked] += m_weight;
    ++at[w.why == turn ? ready : w.what];
}

void wait_samples::note(std::uint32_t router, std::uint32_t in, std::uint32_t out, const wait& w) {
    note(link_from(router, out), m_ports[out], w);
    m_periods.back().turns[m_first_turn[router] + std::size_t{in} * ports(router) + out] += m_weight;
}

wait_samples::counter wait_samples::most_of(const lacking& lacks) {
    const auto most = std::max_element(lacks.begin() + full, lacks.begin() + flits);
    return static_cast<counter>(most - lacks.begin());
}

/// Counts the sample's cycles as `ready`, or by what most of the waiting packets lack.
void wait_samples::count_cycles(std::uint32_t link, const lacking& w) {
    const counter what = w[ready] != 0 ? ready : most_of(w);
    if (w[what] != 0) m_periods.back().links[link][what] += m_weight;
}

void wait_samples::sample_router(std::uint32_t router) {
    const router_bank& bank = m_net.bank_of(router);
    const std::uint32_t k = m_net.in_bank(router), outputs = ports(router) * m_vcs;
    std::fill_n(m_ports.begin(), ports(router), lacking());
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
                const bool starved = !out.is_open();
                const counter what = starved ? loss_of(router, port, in.out % m_vcs, false) : full;
                note(router, p, port, {starved ? credit : turn, what});
            }
        }
    for (std::uint32_t p = 0; p < ports(router); ++p) count_cycles(link_from(router, p), m_ports[p]);
}

/// Counts a head that bids for each port by which it may leave, unless it only has to be served: routers that
/// look ahead do not show that.
void wait_samples::sample_head(std::uint32_t router, std::uint32_t in, std::uint32_t vc_in) {
    const router_bank& bank = m_net.bank_of(router);
    const std::uint32_t k = m_net.in_bank(router);
    for (std::uint32_t q = 0; q < ports(router); ++q) {
        bool asks = false, free = false, room = false, moves = false;
        lacking lacks{};
        for (std::uint32_t w = 0; w < m_vcs; ++w) {
            if (!bank.asks_for(k, in, vc_in, q, w)) continue;
            const out_vc out = bank.out(k, q, w);
            asks = true;
            if (out.owner != out_vc::no_owner) {
                moves = moves || out.credits != 0;
                ++lacks[out.credits != 0 ? loss_before(router, out.owner) : loss_of(router, q, w, false)];
                continue;
            }
            free = true;
            room = room || (out.is_open() && bank.has_credits(k, in, vc_in, q, w, out.credits));
            ++lacks[room ? owned_idle : loss_of(router, q, w, bank.terms().requires_empty_buffer)];
        }
        if (!asks) continue;
        if (room) {  // the VC was another packet's until now
            ++m_ports[q][owned_idle];
            continue;
        }
        const counter what = most_of(lacks);
        note(router, in, q, {free ? credit : vc, what, moves});
    }
}

/// Returns what holds up an output VC with too few credits. `atomic`: it is free, and is given only with all.
wait_samples::counter wait_samples::loss_of(std::uint32_t router, std::uint32_t port, std::uint32_t w,
                                            bool atomic) const {
    const port_peer to = m_net.map()->peer(router_id(router), port_id(port));
    if (to.what == port_peer::kind::router) return loss_into(to.id, to.port, w, atomic);
    // NICs take every flit at once.
    if (m_net.is_taken_over(to.id) || m_net.bank_of(router).terms().owns_nodes) return full;
    return atomic ? given_late : on_trip;
}

/// Returns it by the input VC beyond: whether what is missing is there, or under way.
wait_samples::counter wait_samples::loss_into(std::uint32_t router, std::uint32_t port, std::uint32_t w,
                                              bool atomic) const {
    const std::uint64_t seen = state_of(router, port, w);
    if (atomic) return (seen & holds_some) != 0 ? full : given_late;
    return (seen & holds_many) != 0 ? full : on_trip;
}

/// Returns what holds up an output VC with credits whose owner, an input VC, has no flit: credits of the link
/// before, or packets elsewhere.
wait_samples::counter wait_samples::loss_before(std::uint32_t router, std::uint32_t owner) const {
    const std::uint32_t v = owner % m_vcs;
    if (owner / m_vcs >= ports(router) || m_net.bank_of(router).terms().owns_nodes) return owned_idle;
    const port_peer from = m_net.map()->peer(router_id(router), port_id(owner / m_vcs));
    if (from.what == port_peer::kind::none) return owned_idle;
    const bool starved = from.what == port_peer::kind::node
                             ? m_net.nic(from.id).vc_credits[v] == 0
                             : (state_of(from.id, from.port, v) & sends_none) != 0;
    return starved ? on_trip : owned_idle;
}

/// Returns bits of the input and output VC of a port; those of other processes were told.
std::uint64_t wait_samples::state_of(std::uint32_t router, std::uint32_t port, std::uint32_t w) const {
    if (!m_net.has_router(router)) return m_told[std::size_t{link_from(router, port)} * m_vcs + w];
    const router_bank& bank = m_net.bank_of(router);
    const std::uint32_t k = m_net.in_bank(router), held = bank.in(k, port, w).count;
    return (held != 0 ? holds_some : 0u) | (2 * held > bank.terms().depth ? holds_many : 0u) |
           (bank.out(k, port, w).is_open() ? 0u : sends_none);
}

void wait_samples::tell_others() {
    m_told.assign(std::size_t{m_first_port.back()} * m_vcs, 0);
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        for (std::uint32_t o = 0; m_net.has_router(r) && o < ports(r) * m_vcs; ++o)
            m_told[std::size_t{m_first_port[r]} * m_vcs + o] = state_of(r, o / m_vcs, o % m_vcs);
    m_world->sum(m_told.data(), m_told.size());
}

void wait_samples::sample_node(std::uint32_t node) {
    const nic_state& nic = m_net.nic(node);
    const std::uint32_t router = m_net.map()->router_of(node_id(node)).value, link = link_of_node(node);
    lacking at{};
    if (m_net.bank_of(router).terms().owns_nodes) {
        // What waits in the router's own queue, behind a packet, has no room in it.
        if (nic.queued != 0 || nic.held_messages > 1) note(link, at, {credit});
        return count_cycles(link, at);
    }
    if (nic.queued == 0 || m_net.is_taken_over(node)) return;
    const std::uint32_t port = m_net.map()->port_of(node_id(node)).value;
    const bool whole = nic.head_credits == nic.depth && nic.depth > 1;
    for (std::uint32_t c = 0; c < m_net.classes(); ++c) {
        const class_queue& queue = nic.queues[c];
        if (queue.packet == class_queue::none && queue.first == class_queue::none) continue;
        const bool begun = queue.packet != class_queue::none;
        const std::uint32_t first = begun ? queue.vc : queue.first_vc,
                            last = begun ? queue.vc : queue.last_vc;
        bool room = false;
        lacking lacks{};
        for (std::uint32_t v = first; v <= last; ++v) {
            room = room || (begun ? nic.vc_credits[v] != 0 : m_net.may_begin(node, v, nic.head_credits));
            ++lacks[loss_into(router, port, v, whole && !begun)];
        }
        const counter what = most_of(lacks);
        note(link, at, {room ? turn : credit, what});
    }
    count_cycles(link, at);
}

void wait_samples::period::serialize(archive& a) {
    a(from, to, waiting, links, turns);
}

void wait_samples::serialize(archive& a) {
    a(m_periods, m_sent, m_each, m_taken, m_last, m_next);
}

/// Adds the counts of all processes, which took samples in the same cycles; `waiting` is a sum already.
void wait_samples::add_up(world& all) {
    for (period& p : m_periods) {
        all.sum(p.turns.data(), p.turns.size());
        all.sum(p.links.data()->data(), p.links.size() * counters);
    }
}

}  // namespace sare
