// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/apenet/step.h"

#include "tlm/base/bits.h"
#include "tlm/router_api/protocol_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace sare {

/// Runs the cycle. All calls are inlined, so that the state stays in registers.
__attribute__((flatten)) void apenet_step::run() {
    read_inbox();
    if (m_b.changed && m_b.asking != 0) {
        m_b.changed = false;
        allocate();
    }
    for (std::uint64_t rest = m_b.entering; rest != 0; rest &= rest - 1)
        enter(static_cast<std::uint32_t>(lowest(rest)));
    for (std::uint64_t rest = m_b.sending; rest != 0; rest &= rest - 1)
        send(static_cast<std::uint32_t>(lowest(rest)));
    if (m_b.owing != 0 && m_b.tells_at <= m_t) tell_credits();
    if ((m_b.entering | m_b.sending) != 0 || (m_b.changed && m_b.asking != 0))
        m_b.inbox.wake(m_c.ring, m_t + 1);
}

// ---- arrivals

void apenet_step::read_inbox() {
    std::uint64_t* const inbox = m_b.inbox.in(m_c.ring, m_t);
    take_credits(inbox);
    for (std::uint64_t rest = inbox[0]; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::uint32_t>(lowest(rest));
        const flit f = flit::from_word(inbox[plain_inbox::flit_of(port, credit_sets(m_k))]);
        take_word(port * m_vcs + f.vc, f);
    }
    inbox[0] = 0;
}

void apenet_step::take_credits(std::uint64_t* inbox) {
    auto* const numbers = reinterpret_cast<std::uint16_t*>(inbox + first_number(m_k));
    for (std::uint32_t w = 0; w < credit_sets(m_k); ++w) {
        for (std::uint64_t rest = inbox[1 + w]; rest != 0; rest &= rest - 1) {
            const std::uint32_t o = w * 64 + static_cast<std::uint32_t>(lowest(rest));
            const std::uint32_t number = m_k.counted ? numbers[o] : 1;
            if (m_k.counted) numbers[o] = 0;
            m_b.outputs[o].credits = static_cast<std::uint16_t>(m_b.outputs[o].credits + number);
            m_b.changed = true;
        }
        inbox[1 + w] = 0;
    }
}

void apenet_step::take_word(std::uint32_t i, const flit& f) {
    input& q = m_b.inputs[i];
    if (++q.words > m_k.params.depth)
        throw protocol_error(fmt::format("router {}: a word came for a full FIFO", m_b.id));
    if (f.is_head()) {
        std::uint32_t place = std::uint32_t{q.first} + q.packets;
        if (place >= m_k.params.depth) place -= m_k.params.depth;
        m_b.slots[std::size_t{i} * m_k.params.depth + place] = {f.packet, m_b.arrivals++};
        if (q.packets++ == 0) return bring_to_front(i, q);
    }
    if (f.is_tail() && q.candidates == 0 && is_whole(q)) ask(i, q);
}

/// Begins with the packet whose header has come to the front of input i.
void apenet_step::bring_to_front(std::uint32_t i, input& q) {
    q.packet = front(i).packet;
    packet& p = m_c.packets[q.packet];
    p.hops = static_cast<std::uint16_t>(p.hops + m_k.counts_hops);
    q.length = q.left = static_cast<std::uint16_t>(p.flits);
    q.candidates = 0;
    if (is_whole(q)) ask(i, q);
}

/// Finds the candidates of the first packet of input i, and puts the input into its place among those that
/// ask.
void apenet_step::ask(std::uint32_t i, input& q) {
    packet& p = m_c.packets[q.packet];
    route_set ways;
    const std::uint32_t port = i / m_vcs;
    m_c.net.find_candidates(m_b.id, port, i - port * m_vcs, p.route, ways);
    q.candidates = static_cast<std::uint8_t>(ways.size);
    route_candidate* const kept = m_b.ways + std::size_t{i} * m_k.ways;
    for (std::uint32_t n = 0; n < ways.size; ++n) {
        kept[n] = ways.candidates[n];
        kept[n].vcs = static_cast<std::uint16_t>(kept[n].vcs << p.route.vc_base);
    }
    q.asks = true;
    const std::uint32_t order = front(i).order;
    std::uint32_t place = m_b.asking++;
    for (; place != 0; --place) {
        const std::uint32_t before = m_b.queue[place - 1];
        if (static_cast<std::int32_t>(front(before).order - order) < 0) break;
        m_b.queue[place] = static_cast<std::uint16_t>(before);
    }
    m_b.queue[place] = static_cast<std::uint16_t>(i);
    m_b.changed = true;
}

// ---- arbitration

/// Arbitration: every packet asks for one output VC, and every output port takes one of the packets that ask.
/// If there is too little room for a packet, that room is kept for it in this cycle: otherwise short packets
/// would hold up a long one for ever.
void apenet_step::allocate() {
    std::uint16_t claimed[64] = {};
    winner best[64];
    std::uint32_t drawn[1024];  // random number by input
    std::uint64_t asked = 0;
    for (std::uint32_t n = 0; n < m_b.asking; ++n) {
        const std::uint32_t i = m_b.queue[n], o = output_for(i, claimed);
        if (o == input::none) continue;
        const std::uint32_t port = o / m_vcs;
        if (m_k.params.service == apenet_service::random) drawn[i] = m_b.random.next();
        if (!is_member(asked, port) || beats(port, i, best[port].input, drawn))
            best[port] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(o)};
        m_b.changed = m_b.changed || is_member(asked, port);  // the loser asks again
        asked |= std::uint64_t{1} << port;
    }
    for (; asked != 0; asked &= asked - 1) {
        const winner& one = best[lowest(asked)];
        grant(one.input, one.output);
    }
}

/// Returns the output VC that the first packet of input i asks for: the one with most credits, an escape only
/// if there is no other; input::none if none has the credits. `claimed`: VCs by port that are kept for
/// packets before it; adds to it if there is none.
std::uint32_t apenet_step::output_for(std::uint32_t i, std::uint16_t* claimed) const {
    const input& q = m_b.inputs[i];
    const route_candidate* const ways = m_b.ways + std::size_t{i} * m_k.ways;
    const std::uint32_t need = need_of(q);
    std::uint32_t found = input::none, room = 0;
    for (std::uint32_t n = 0; n < q.candidates; ++n) {
        const route_candidate& way = ways[n];
        if (way.escape && found != input::none) break;
        if (is_busy(way.port)) continue;
        for (std::uint32_t rest = way.vcs & ~claimed[way.port] & ~m_b.ports[way.port].owned; rest != 0;
             rest &= rest - 1) {
            const std::uint32_t o = way.port * m_vcs + static_cast<std::uint32_t>(lowest(rest));
            if (m_b.outputs[o].credits < need || m_b.outputs[o].credits <= room) continue;
            found = o;
            room = m_b.outputs[o].credits;
        }
    }
    if (found == input::none)
        for (std::uint32_t n = 0; n < q.candidates; ++n)
            if (!is_busy(ways[n].port))
                claimed[ways[n].port] = static_cast<std::uint16_t>(claimed[ways[n].port] | ways[n].vcs);
    return found;
}

/// Inputs that ask for an output port, as arbiters see them.
class apenet_step::contest final : public arbiter_requests {
  public:
    contest(const apenet_step& s, const std::uint32_t* drawn) : m_s(s), m_drawn(drawn) {}
    std::uint64_t age(std::uint32_t i) const override { return first_of(i).generated; }
    std::uint64_t since(std::uint32_t i) const override { return m_s.front(i).order; }
    std::uint32_t queue(std::uint32_t i) const override { return m_s.m_b.inputs[i].words; }
    std::uint32_t port(std::uint32_t i) const override { return i / m_s.m_vcs; }
    std::uint32_t message_class(std::uint32_t i) const override {
        return m_s.m_c.net.shares().class_of(first_of(i).route.vc_base);
    }
    std::uint64_t random(std::uint32_t i, std::uint32_t) const override { return m_drawn[i]; }

  private:
    const packet& first_of(std::uint32_t i) const { return m_s.m_c.packets[m_s.m_b.inputs[i].packet]; }

    const apenet_step& m_s;
    const std::uint32_t* m_drawn;
};

/// True if input i beats input `other` at a port. Inputs are looked at in order of arrival, so without a
/// policy the first one gets the port.
bool apenet_step::beats(std::uint32_t port, std::uint32_t i, std::uint32_t other,
                        const std::uint32_t* drawn) const {
    if (m_k.policy == nullptr) return false;
    return m_k.policy->beats({&m_b.ports[port].turn, nullptr, m_k.all, port, 0}, i, other,
                             contest(*this, drawn));
}

void apenet_step::grant(std::uint32_t i, std::uint32_t o) {
    const std::uint32_t port = o / m_vcs;
    apenet_port& p = m_b.ports[port];
    m_b.inputs[i].out = static_cast<std::uint16_t>(o);
    m_b.inputs[i].asks = false;
    m_b.outputs[o].owner = static_cast<std::uint16_t>(i);
    p.owned = static_cast<std::uint16_t>(p.owned | 1U << (o - port * m_vcs));
    p.turn = static_cast<std::uint16_t>(i);
    m_b.entering |= std::uint64_t{1} << port;
    std::uint16_t* const end = m_b.queue + m_b.asking--;
    std::uint16_t* const place = std::find(m_b.queue, end, i);
    std::copy(place + 1, end, place);
}

// ---- from the crossbar onto the link

/// True if the packet that has an output VC can move a word into the output FIFO.
bool apenet_step::can_enter(std::uint32_t port, std::uint32_t vc) const {
    const output& o = m_b.outputs[port * m_vcs + vc];
    return o.credits != 0 && m_b.inputs[o.owner].words != 0;
}

/// Moves a word into an output FIFO: of the packet that is entering. If there are several (wormhole), the
/// packet of the last word goes on while it can, then the next VC has its turn.
void apenet_step::enter(std::uint32_t port) {
    apenet_port& p = m_b.ports[port];
    if (p.words == m_k.params.output_depth) return;
    std::uint32_t vc = p.last;
    if (!is_member(p.owned, vc) || !can_enter(port, vc)) {
        std::uint32_t able = 0;
        for (std::uint32_t rest = p.owned; rest != 0; rest &= rest - 1) {
            const auto v = static_cast<std::uint32_t>(lowest(rest));
            if (can_enter(port, v)) able |= 1U << v;
        }
        if (able == 0) return;
        vc = round_robin(able, p.last);
    }
    p.last = static_cast<std::uint8_t>(vc);
    output& o = m_b.outputs[port * m_vcs + vc];
    const std::uint32_t i = o.owner;
    input& q = m_b.inputs[i];
    ++run_for(port, q, vc).words;
    ++p.words;
    ++o.entered;
    --o.credits;
    m_b.sending |= std::uint64_t{1} << port;
    if (q.left == 1) {
        o.owner = output::no_owner;
        p.owned = static_cast<std::uint16_t>(p.owned & ~(1U << vc));
        if (p.owned == 0) m_b.entering &= ~(std::uint64_t{1} << port);
        m_b.changed = true;
    }
    leave(i, q);
}

/// Returns the run that the next word of a packet belongs to, which is a new one if another packet's word
/// came between.
apenet_run& apenet_step::run_for(std::uint32_t port, const input& q, std::uint32_t vc) {
    apenet_port& p = m_b.ports[port];
    apenet_run* const runs = m_b.runs + std::size_t{port} * m_k.runs;
    const std::uint32_t number = std::uint32_t{q.length} - q.left;
    if (number != 0 && p.runs != 0 && runs[p.last_run].packet == q.packet) return runs[p.last_run];
    if (p.runs++ == 0)
        p.last_run = p.first;
    else if (++p.last_run == m_k.runs)
        p.last_run = 0;
    apenet_run& made = runs[p.last_run];
    made = {q.packet, static_cast<std::uint16_t>(number), 0, q.length, static_cast<std::uint8_t>(vc), false};
    return made;
}

/// Takes a word out of input i. Its place is free again, of which the sender will be told.
void apenet_step::leave(std::uint32_t i, input& q) {
    const std::uint32_t port = i / m_vcs;
    ++q.owed;
    if (!is_member(m_b.owing, port)) {
        const cycle_t at = m_b.ports[port].told_at;
        m_b.tells_at = m_b.owing == 0 ? at : std::min(m_b.tells_at, at);
        m_b.owing |= std::uint64_t{1} << port;
        if (at > m_t) m_b.inbox.wake(m_c.ring, at);
    }
    --q.words;
    if (--q.left != 0) return;
    q.out = input::none;
    q.candidates = 0;
    if (++q.first == m_k.params.depth) q.first = 0;
    if (--q.packets != 0) bring_to_front(i, q);
}

/// Sends a word by the link of a port. The first word of a packet, or of one that is taken up again, follows
/// the words of a frame.
void apenet_step::send(std::uint32_t port) {
    apenet_port& p = m_b.ports[port];
    if (p.free_at > m_t || is_waking(p, port)) return;
    apenet_run* run = m_b.runs + std::size_t{port} * m_k.runs + p.first;
    if (run->words == 0) {
        if (p.runs == 1) return;  // more words of the run are to come
        end_run(port, p);
        run = m_b.runs + std::size_t{port} * m_k.runs + p.first;
    }
    if (!run->framed) {
        run->framed = true;
        if (p.far && m_k.params.frame != 0) return carry(p, port, m_k.params.frame);
    }
    put_word(port, p, *run);
}

void apenet_step::put_word(std::uint32_t port, apenet_port& p, apenet_run& r) {
    std::uint32_t number = r.next;
    const bool last = number + 1U == r.length;
    const std::uint32_t kind = (number == 0 ? flit::head : 0) | (last ? flit::tail : 0);
    if (number == 0) number = m_c.net.head_number(packet_id(r.packet));  // other kinds of routers read it
    m_c.ring.put_flit(m_b.wires[port].flits, flit::make_word(r.packet, number, r.vc, kind), r.vc, m_t);
    carry(p, port, 1);
    ++m_b.outputs[port * m_vcs + r.vc].sent;
    ++r.next;
    --r.words;
    --p.words;
    if (last) end_run(port, p);
}

void apenet_step::end_run(std::uint32_t port, apenet_port& p) {
    if (++p.first == m_k.runs) p.first = 0;
    if (--p.runs == 0) m_b.sending &= ~(std::uint64_t{1} << port);
}

/// True if the link of a port sleeps or wakes. A word that is to be sent wakes it.
bool apenet_step::is_waking(apenet_port& p, std::uint32_t port) {
    const std::uint32_t s = m_b.extras[port].flits.sleeps;
    if (s == 0) return false;
    p.free_at = m_c.net.sleeper(s - 1).ready(m_t, m_t);
    return p.free_at > m_t;
}

/// Keeps the link of a port busy for some words.
void apenet_step::carry(apenet_port& p, std::uint32_t port, std::uint32_t words) {
    const wire_extras& x = m_b.extras[port].flits;
    p.free_at = m_t + std::uint64_t{words} * x.cycles_per_flit;
    if (x.sleeps != 0) m_c.net.sleeper(x.sleeps - 1U).carry(m_t, words * x.cycles_per_flit);
}

// ---- credits

/// Tells credits of the ports whose last update was long enough ago.
void apenet_step::tell_credits() {
    m_b.tells_at = ~cycle_t{0};
    for (std::uint64_t rest = m_b.owing; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::uint32_t>(lowest(rest));
        apenet_port& p = m_b.ports[port];
        if (p.told_at <= m_t)
            tell_credits_of(port, p);
        else
            m_b.tells_at = std::min(m_b.tells_at, p.told_at);
    }
}

/// Tells all credits that a port owes. A node is told at once, a router after credit_interval cycles at the
/// earliest.
void apenet_step::tell_credits_of(std::uint32_t port, apenet_port& p) {
    const wire& w = m_b.wires[port].credits;
    const wire_extras& x = m_b.extras[port].credits;
    for (std::uint32_t v = 0; v < m_vcs; ++v) {
        input& q = m_b.inputs[port * m_vcs + v];
        if (q.owed == 0) continue;
        if (x.counts != 0) {
            auto* const numbers =
                reinterpret_cast<std::uint16_t*>(m_c.ring.at(m_t + w.delay) + w.inbox + x.counts);
            numbers[w.first_bit + v] = static_cast<std::uint16_t>(numbers[w.first_bit + v] + q.owed);
        }
        m_c.ring.put_credit(w, v, m_t);
        q.owed = 0;
    }
    m_b.owing &= ~(std::uint64_t{1} << port);
    p.told_at = m_t + (p.far ? m_k.params.credit_interval : 1);
}

}  // namespace sare
