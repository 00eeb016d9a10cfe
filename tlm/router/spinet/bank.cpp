// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/spinet/bank.h"

#include "tlm/base/bits.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/state/archive.h"

#include <algorithm>

namespace sare {

spinet_bank::spinet_bank(router_context& net, const spinet_shape& shape, std::vector<std::uint32_t> routers,
                         std::vector<std::uint32_t> stage, std::uint32_t ports, const router_terms& terms,
                         std::shared_ptr<spinet_senders> senders)
    : bufferless_bank(net, std::move(routers), ports, terms),
      m_shape(shape),
      m_stage(std::move(stage)),
      m_senders(std::move(senders)) {}

void spinet_bank::construct(plane_layout at) {
    bufferless_bank::construct(std::move(at));
    m_paths.resize(std::size_t{size()} * ports());
    m_counts.resize(size());
    m_between.resize(words());
    for (std::uint32_t k = 0; k < size(); ++k) {
        m_last.push_back(m_stage[k] + 1 == m_shape.stages.size());
        if (m_stage[k] != 0 || m_last[k] != 0) m_between[k / 64] |= std::uint64_t{1} << k % 64;
    }
}

void spinet_bank::clear(std::uint32_t k, cycle_t) {
    std::fill_n(m_paths.begin() + std::ptrdiff_t{k} * ports(), ports(), path{});
    for (std::uint32_t p = 0; p < ports(); ++p)
        if (port(k, p).sender != no_node) (*m_senders)[port(k, p).sender] = {};
}

/// Each bank writes the senders, which all banks share.
void spinet_bank::serialize(archive& a) {
    serialize_common(a);
    a.in_place(m_paths, *m_senders, m_counts);
}

// ---- parts of a cycle, inlined below

/// Finds the output of a bid by a digit of the destination, which is all that an element looks at. In a free
/// stage, where every output leads to the destination, it is a digit of the number that the sender drew.
SARE_INLINE void spinet_bank::find_output(std::uint32_t k, bid& b) {
    packet& p = net().packets()[b.packet];
    ++p.hops;
    b.vc = p.route.vc_base;
    b.flits = p.flits;
    const multistage_shape::stage& s = m_shape.stages[m_stage[k]];
    const std::uint32_t by = s.ways == 0 ? p.route.state : p.route.destination;
    b.output = static_cast<std::uint8_t>(by / s.divisor % (s.ways == 0 ? s.outputs : s.ways));
}

/// Gives a bid the path to its output, and sends the packet on, or tells its sender that it has arrived.
SARE_INLINE void spinet_bank::grant(std::uint32_t k, const bid& b, cycle_t t) {
    path& way = m_paths[index(k, b.output)];
    const port_end& to = port(k, b.output);
    way.open_until = t + m_shape.slot;
    way.from = b.port;
    way.flits = b.flits;
    way.vc = b.vc;
    count_sent(k, b.output, b.vc, b.flits);
    if (to.receiver == no_node) {
        const std::uint64_t word = flit::make_word(b.packet, 0, b.vc, flit::head | flit::tail);
        return ring().put_flit(to.flits, word, b.vc, t);
    }
    for (std::uint32_t n = 0; n < b.flits; ++n) net().injection().flit_consumed(to.receiver);
    way.packet = b.packet;
    way.arrives = t + m_shape.params.duration - 1;
    if (way.arrives != t) wake(k, way.arrives);
    (*m_senders)[net().packets()[b.packet].route.source].acknowledged =
        t + std::uint64_t{m_stage[k]} * m_shape.latency;
}

/// Serves the bids at a router. Mostly there is only one.
SARE_INLINE void spinet_bank::take_bids(std::uint32_t k, cycle_t t) {
    m_counts[k].bids += m_bidders;
    if (m_bidders != 1) return contend(k, t);
    bid& b = m_bids[0];
    find_output(k, b);
    if (m_paths[index(k, b.output)].open_until <= t)
        grant(k, b, t);
    else
        ++m_counts[k].lost;
}

// ---- a cycle

/// Runs a cycle. Elements whose nodes have something to send are awake in every cycle; most of them must wait
/// for the next slot.
void spinet_bank::step(std::uint64_t* awake, cycle_t t) {
    const bool begins = t % m_shape.slot == 0;
    if (!begins)
        for (std::uint32_t w = 0; w < words(); ++w) awake[w] &= m_between[w];
    run_all(awake, t, [&](std::uint32_t k, std::uint64_t* inbox) {
        const std::uint64_t heads = inbox[0];
        inbox[0] = 0;
        m_bidders = 0;
        for (std::uint64_t rest = heads; rest != 0; rest &= rest - 1) {
            const auto p = static_cast<std::uint32_t>(lowest(rest));
            bid_for(p, flit::from_word(inbox[plain_inbox::flit_of(p, credit_sets)]).packet);
        }
        if (begins && m_stage[k] == 0) begin_slot(k, t);
        if (m_bidders != 0) take_bids(k, t);
        if (m_last[k] != 0) deliver(k, t);
    });
}

/// Delivers packets that are with their nodes as a whole in this cycle.
void spinet_bank::deliver(std::uint32_t k, cycle_t t) {
    path* const ways = &m_paths[index(k, 0)];
    for (std::uint32_t p = 0; p < ports(); ++p)
        if (ways[p].arrives == t) {
            ways[p].arrives = never;
            net().injection().packet_arrives(node_id(port(k, p).receiver), packet_id(ways[p].packet), t);
        }
}

// ---- senders

/// Takes the next packet of a node from its source queue; message classes take turns.
SARE_INLINE void spinet_bank::take_next(std::uint32_t node, sender& s) {
    if (net().injection().queued(node) == 0) return;
    const std::uint32_t classes = net().classes();
    for (std::uint32_t n = 0; n < classes; ++n) {
        const std::uint32_t c = (s.next_class + n) % classes;
        if (net().injection().next_packet(node, c) == nullptr) continue;
        s.packet = net().injection().take_packet(node_id(node), c).value;
        s.flits = net().packets()[s.packet].flits;
        s.attempts = 0;
        s.next = 0;
        s.is = sender::state::waits;
        s.next_class = static_cast<std::uint8_t>((c + 1) % classes);
        return;
    }
}

/// Sends the packet of a sender. Where several paths lead to the destination, each attempt draws one.
SARE_INLINE void spinet_bank::attempt(std::uint32_t k, std::uint32_t node, sender& s, cycle_t t) {
    packet& p = net().packets()[s.packet];
    s.is = sender::state::sent;
    s.acknowledged = never;
    p.hops = 0;
    if (s.attempts++ != 0) {
        ++m_counts[k].retries;
        return net().routing()->begin(p.route, random(k));
    }
    net().injection().packet_leaves(node_id(node), packet_id(s.packet), t);
    for (std::uint32_t n = 0; n < s.flits; ++n) net().injection().flit_injected(node);
}

/// Begins a slot. A packet that was not acknowledged in the slot before is sent again, waits, or is given up.
/// A slot is long enough for acknowledgements.
void spinet_bank::begin_slot(std::uint32_t k, cycle_t t) {
    bool busy = false;
    for (std::uint32_t p = 0; p < ports(); ++p) {
        const std::uint32_t node = port(k, p).sender;
        if (node == no_node) continue;
        sender& s = (*m_senders)[node];
        if (s.is == sender::state::sent) {
            if (s.acknowledged <= t)
                s.is = sender::state::idle;
            else
                miss(k, s, t);
        }
        if (s.is == sender::state::idle) take_next(node, s);
        if (s.is == sender::state::idle) continue;
        busy = true;
        if (s.next > t) continue;
        attempt(k, node, s, t);
        bid_for(p, s.packet);
    }
    if (busy) wake(k, t + m_shape.slot);
}

/// Notes that a packet was not acknowledged: it is given up, or waits for a random number of slots.
void spinet_bank::miss(std::uint32_t k, sender& s, cycle_t t) {
    const spinet_params& p = m_shape.params;
    if (p.attempts != 0 && s.attempts >= p.attempts) {
        ++m_counts[k].given_up;
        s.is = sender::state::idle;
        return net().drop(router_id(router(k)), packet_id(s.packet), "not acknowledged");
    }
    const std::uint32_t window = p.window << std::min(s.attempts - 1, p.doublings);
    s.next = t + std::uint64_t{random(k).below(window)} * m_shape.slot;
    s.is = sender::state::waits;
}

// ---- paths

/// Serves several bids at a router.
void spinet_bank::contend(std::uint32_t k, cycle_t t) {
    for (std::uint32_t n = 0; n < m_bidders; ++n) find_output(k, m_bids[n]);
    m_counts[k].lost += m_bidders - arbitrate(k, t);
}

/// Serves the bids at a router. Returns the number of bids that got a path.
std::uint32_t spinet_bank::arbitrate(std::uint32_t k, cycle_t t) {
    for (std::uint32_t n = 0; n < m_bidders; ++n) {
        path& way = m_paths[index(k, m_bids[n].output)];
        if (way.open_until > t) continue;
        if (way.asked != t) way.bidders = 0;
        way.asked = t;
        if (++way.bidders == 1 || beats(k, way, m_bids[n].port)) way.best = static_cast<std::uint8_t>(n);
    }
    const auto has_won = [&](std::uint32_t n) {
        const path& way = m_paths[index(k, m_bids[n].output)];
        return way.asked == t && way.best == n;
    };
    std::uint32_t granted = 0;
    for (std::uint32_t n = 0; n < m_bidders; ++n)
        if (has_won(n)) {
            grant(k, m_bids[n], t);
            ++granted;
        }
    if (granted != m_bidders && m_shape.params.sidestep && m_shape.stages[m_stage[k]].ways == 0)
        for (std::uint32_t n = 0; n < m_bidders; ++n)
            granted += static_cast<std::uint32_t>(!has_won(n) && sidestep(k, m_bids[n], t));
    return granted;
}

/// Gives a bid that has lost the path to the lowest output that is still free when the winners have theirs.
/// False if there is none.
bool spinet_bank::sidestep(std::uint32_t k, bid& b, cycle_t t) {
    for (std::uint32_t p = 0; p < ports(); ++p) {
        const bool leads_on = port(k, p).receiver != no_node || port(k, p).flits.wake_bit != 0;
        if (!leads_on || m_paths[index(k, p)].open_until > t) continue;
        b.output = static_cast<std::uint8_t>(p);
        grant(k, b, t);
        return true;
    }
    return false;
}

/// True if the input `challenger` beats the bid that leads for a path. Packets bid in order of their inputs.
/// `round_robin` and `fixed` are the arbiters of these names. `random` is not the arbiter: a bid draws
/// whether it takes the place of the one before, so that an element draws as often as packets meet. Other
/// arbiters go by queues, which elements do not have.
bool spinet_bank::beats(std::uint32_t k, const path& way, std::uint32_t challenger) {
    std::uint16_t last = way.from;
    const arbiter_state at{&last, nullptr, ports(), 0, 0};
    switch (m_shape.params.arbitration) {
        case element_arbitration::random:
            return random(k).below(way.bidders) == 0;
        case element_arbitration::round_robin:
            return at.distance(challenger) < at.distance(m_bids[way.best].port);
        case element_arbitration::fixed:
            break;
    }
    return false;
}

// ---- for observers

in_vc spinet_bank::in(std::uint32_t k, std::uint32_t p, std::uint32_t vc) const {
    in_vc seen;
    if (port(k, p).sender == no_node) return seen;
    const sender& s = (*m_senders)[port(k, p).sender];
    const bool keeps_none =
        s.is == sender::state::idle || (s.is == sender::state::sent && s.acknowledged <= net().now());
    if (keeps_none || net().packets()[s.packet].route.vc_base != vc) return seen;
    seen.count = static_cast<std::uint16_t>(s.flits);
    seen.packet = s.packet;
    seen.out_port = in_vc::no_port;
    return seen;
}

/// Number of flits of a packet on a path that are still to pass after the current cycle. All of them were
/// counted as sent when the packet began.
std::uint32_t spinet_bank::to_come(std::uint32_t k, std::uint32_t p, std::uint32_t vc) const {
    const path& way = m_paths[index(k, p)];
    if (way.flits == 0 || way.vc != vc) return 0;
    const cycle_t end = way.open_until - m_shape.slot + way.flits, next = net().now() + 1;
    return end > next ? static_cast<std::uint32_t>(end - next) : 0;
}

std::uint64_t spinet_bank::bytes() const {
    return bufferless_bank::bytes() + m_paths.size() * sizeof(path) + m_senders->size() * sizeof(sender) +
           m_counts.size() * sizeof(counts);
}

void spinet_bank::add_counts(std::map<std::string, double>& sum) const {
    for (std::uint32_t k = 0; k < size(); ++k) {
        const counts& c = m_counts[k];
        const auto bids = static_cast<double>(c.bids), lost = static_cast<double>(c.lost);
        const std::string number = std::to_string(m_stage[k]);
        sum["lost_in_stage_" + std::string(number.size() < 2 ? "0" : "") + number] += lost;
        sum["lost"] += lost;
        if (m_stage[k] == 0) sum["attempts"] += bids;
        if (m_last[k]) sum["accepted"] += bids - lost;
        sum["retries"] += static_cast<double>(c.retries);
        sum["given_up"] += static_cast<double>(c.given_up);
    }
}

void spinet_bank::finish_counts(std::map<std::string, double>& sum) const {
    sum["acceptance"] = sum["attempts"] == 0 ? 0 : sum["accepted"] / sum["attempts"];
}

}  // namespace sare
