// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/nics.h"

#include "tlm/base/bits.h"
#include "tlm/base/fetch_ahead.h"
#include "tlm/router_api/protocol_error.h"

/// The work of a cycle on a NIC is compiled as one piece of code, so its parts are inlined and stand before
/// their callers.
namespace sare {

/// Sends when the pool has no free slot. Not inlined, so that send() need not save registers.
__attribute__((noinline)) std::uint32_t nics::send_with_more_slots(std::uint32_t number, const message& m) {
    m_around.message_slots.make_room();
    return send(number, m);
}

std::uint32_t nics::send(std::uint32_t number, const message& m) {
    if (__builtin_expect(!m_around.message_slots.has_room(), 0)) return send_with_more_slots(number, m);
    const std::uint32_t id = m_around.message_slots.take_free();
    message_record& record = m_around.messages[id];
    nic_state& n = m_nics[number];
    record.what = m;
    record.is_copy = 0;
    record.next = class_queue::none;
    record.flits_to_inject = record.flits_to_consume = m.flits;
    if (__builtin_expect(m_prefetches | n.pads, 0)) {
        if (n.pads)
            record.what.flits = record.flits_to_inject = record.flits_to_consume =
                (m.flits + n.max_packet - 1) / n.max_packet * n.max_packet;
        fetch_ahead(&n.flits);  // the lines that inject_all() needs
        fetch_ahead(&n.hops_to);
        fetch_ahead(n.vc_credits);
    }
    class_queue& queue = n.queues[m.message_class];
    if (queue.first == class_queue::none)
        queue.first = id;
    else
        m_around.messages[queue.last].next = id;
    queue.last = id;
    ++m_messages_sent;
    ++queue.queued;
    if (n.queued++ == 0) {
        m_injecting[number >> 6] |= std::uint64_t{1} << (number & 63);
        ++m_injecting_nodes;
    }
    return id;
}

/// Sets queue.vc to the next VC with `need` credits that is not paused, after the last one used, VCs of the
/// class before shared ones. Returns false if there is none.
template <nic_links L>
SARE_INLINE bool nics::next_vc(const nic_state& n, class_queue& queue, std::uint32_t need) const {
    std::uint32_t vc = queue.vc;
    do {
        vc = vc == queue.last_vc ? queue.first_vc : vc + 1u;
        if (L == nic_links::any ? is_open(n, vc, need) : n.vc_credits[vc] >= need) {
            queue.vc = static_cast<std::uint8_t>(vc);
            return true;
        }
    } while (vc != queue.vc);
    if (__builtin_expect(m_around.shares.shared() == 0, 1)) return false;
    const vc_mask open = open_shared_vcs(n, queue, need);
    if (open != 0) queue.vc = static_cast<std::uint8_t>(lowest(open));
    return open != 0;
}

/// Makes a packet of the message at the front.
SARE_INLINE nics::made_packet nics::make_packet(nic_state& n, const class_queue& queue,
                                                const message_record& m, std::uint32_t flits, cycle_t t) {
    const std::uint32_t id = m_around.packet_slots.take();
    packet& p = m_around.packets[id];
    p.route = queue.header;
    p.route.destination = m.what.destination;
    if (m_prepares != nullptr) m_prepares->begin(p.route, n.random);
    p.flits = flits;
    p.message = queue.first;
    p.hops = 0;
    p.generated = m.what.generated;
    p.injected = t;
    ++n.injected_packets;
    if (m_observer != nullptr) m_observer->packet_injected(n.node, p, t);
    const std::uint32_t to = column(p.route);
    if (n.hops_to != nullptr) p.hops = n.hops_to[to];
    return {id, route_key(queue, to)};
}

/// Begins the next packet of the message at the front; false if there is no room for it.
template <nic_links L>
SARE_INLINE bool nics::start_packet(nic_state& n, class_queue& queue, message_record& m, std::uint32_t& key,
                                    cycle_t t) {
    const std::uint32_t flits = m.flits_to_inject < n.max_packet ? m.flits_to_inject : n.max_packet;
    if (!next_vc<L>(n, queue, n.head_credits != 0 ? n.head_credits : flits)) return false;
    queue.sequence = 0;
    queue.flits_left = flits;
    const made_packet made = make_packet(n, queue, m, flits, t);
    queue.packet = made.id;
    key = made.key;
    if (m.flits_to_inject == m.what.flits) m.injected = t;
    m.flits_to_inject -= flits;
    return true;
}

/// Removes the message at the front, whose last flit has left. The caller must note if the NIC has nothing
/// left.
SARE_INLINE void nics::end_message(nic_state& n, class_queue& queue, const message_record& m) {
    queue.first = m.next;
    --n.queued;
    if (--queue.queued == queue.call_level) has_room(n, queue);
}

/// Removes the message at the front if no flits of it are left to be made into packets.
void nics::leave_source(nic_state& n, class_queue& queue) {
    const message_record& m = m_around.messages[queue.first];
    if (m.flits_to_inject != 0) return;
    end_message(n, queue, m);
    note_idle(n);
}

/// Puts a flit on the link.
template <nic_links L>
SARE_INLINE void nics::send_flit(nic_state& n, const class_queue& queue, std::uint64_t word,
                                 std::uint64_t* there, cycle_t t) {
    const std::uint32_t vc = queue.vc;
    --n.vc_credits[vc];
    ++n.injected_flits;
    if constexpr (L != nic_links::any) {
        link_ring::put_flit_in<L != nic_links::polled>(there, n.flits, word, vc);
    } else {
        if (n.counts_more) take_places(n, vc, 1, t);
        m_around.ring.put_flit(n.flits, word, vc, t);
        n.link_free = t + n.flits_extras.cycles_per_flit;
        if (n.flits_extras.sleeps != 0) sleeper_of(n).carry(t, n.flits_extras.cycles_per_flit);
    }
}

/// Injects a message of one flit: a short form of start_packet() and inject_class().
template <nic_links L>
SARE_INLINE bool nics::inject_whole(nic_state& n, class_queue& queue, message_record& m, std::uint64_t* there,
                                    cycle_t t) {
    if (!next_vc<L>(n, queue, n.single_flit_credits)) return false;
    const made_packet p = make_packet(n, queue, m, 1, t);
    m.injected = t;
    m.flits_to_inject = 0;
    constexpr std::uint32_t kind = flit::head | flit::tail;
    send_flit<L>(n, queue, flit::make_word(p.id, p.key, queue.vc, kind), there, t);
    end_message(n, queue, m);
    return true;
}

/// Sends a flit of one class if there is one and a credit for it.
template <nic_links L>
SARE_INLINE bool nics::inject_class(nic_state& n, class_queue& queue, std::uint64_t* there, cycle_t t) {
    message_record& m = m_around.messages[queue.first];
    std::uint32_t number, kind = 0;
    if (queue.packet == class_queue::none) {
        if (m.what.flits == 1) return inject_whole<L>(n, queue, m, there, t);
        if (!start_packet<L>(n, queue, m, number, t)) return false;
        kind = flit::head;
    } else {
        if (n.vc_credits[queue.vc] == 0) return false;
        number = queue.sequence;
    }
    const bool last = --queue.flits_left == 0;
    if (last) kind |= flit::tail;
    send_flit<L>(n, queue, flit::make_word(queue.packet, number, queue.vc, kind), there, t);
    ++queue.sequence;
    if (!last) return true;
    queue.packet = class_queue::none;
    if (m.flits_to_inject == 0) end_message(n, queue, m);
    return true;
}

bool nics::inject_any(nic_state& n, class_queue& queue, cycle_t t) {
    return inject_class<nic_links::any>(n, queue, nullptr, t);
}

/// Wakes the link if it sleeps. Returns true if it cannot take a flit in cycle `t`.
bool nics::is_waking(nic_state& n, cycle_t t) {
    if (n.flits_extras.sleeps == 0) return false;
    n.link_free = sleeper_of(n).ready(t, t);
    return n.link_free > t;
}

/// Sends a flit of the class whose turn it is, or of the next class that can send.
template <nic_links L>
SARE_INLINE void nics::inject_in_turn(nic_state& n, std::uint64_t* there, cycle_t t) {
    if (L == nic_links::any && (n.link_free > t || is_waking(n, t))) return;
    if (L == nic_links::any && n.counts_more && !m_gates.empty()) m_gates[number_of(n)].advance(t);
    if (L == nic_links::any && !m_policies.empty() && m_policies[number_of(n)]) return inject_by_policy(n, t);
    std::uint32_t c = n.next_queue;
    for (std::uint32_t k = 0; k < m_around.classes; ++k) {
        const std::uint32_t next = c + 1 == m_around.classes ? 0 : c + 1;
        if (n.queues[c].first != class_queue::none && inject_class<L>(n, n.queues[c], there, t)) {
            n.next_queue = static_cast<std::uint8_t>(next);
            return;
        }
        c = next;
    }
}

void nics::stop_injecting(std::size_t word, std::uint64_t nodes) {
    m_injecting[word] &= ~nodes;
    m_injecting_nodes -= static_cast<std::uint32_t>(__builtin_popcountll(nodes));
}

void nics::note_idle(const nic_state& n) {
    if (n.queued == 0) stop_injecting(number_of(n) >> 6, std::uint64_t{1} << (number_of(n) & 63));
}

/// Calls f(n, bit) for each NIC of a word that has something to inject. Returns the bits of NICs that have
/// nothing left then.
template <class F>
SARE_INLINE std::uint64_t nics::inject_word(std::size_t w, F&& f) {
    nic_state* const some = &m_nics[w * 64];
    std::uint64_t idle = 0;
    for (std::uint64_t rest = m_injecting[w]; rest != 0; rest &= rest - 1) {
        nic_state& n = some[lowest(rest)];
        f(n, rest & (0 - rest));
        if (n.queued == 0) idle |= rest & (0 - rest);
    }
    return idle;
}

/// Injects from the NICs of a word, in a network with one message class.
template <nic_links L>
SARE_INLINE std::uint64_t nics::inject_usual(std::size_t w, std::uint64_t* there, cycle_t t) {
    return inject_word(w, [&](nic_state& n, std::uint64_t) { inject_class<L>(n, n.queues[0], there, t); });
}

void nics::inject_all(cycle_t t) {
    std::uint64_t* const there = m_around.ring.at(t + m_usual_flit_delay);
    for (std::size_t w = 0; w < m_injecting.size(); ++w) {
        if (m_injecting[w] == 0) continue;
        const std::uint64_t unusual = m_injecting[w] & ~m_uniform[w];
        std::uint64_t idle;
        if (unusual == 0 && m_around.classes == 1)
            idle = m_found ? inject_usual<nic_links::polled>(w, there, t)
                           : inject_usual<nic_links::uniform>(w, there, t);
        else
            idle = inject_word(w, [&](nic_state& n, std::uint64_t bit) {
                (unusual & bit) == 0 ? inject_in_turn<nic_links::uniform>(n, there, t)
                                     : inject_in_turn<nic_links::any>(n, nullptr, t);
            });
        if (idle != 0) stop_injecting(w, idle);
    }
}

void nics::inject_one(nic_state& n, cycle_t t) {
    inject_in_turn<nic_links::any>(n, nullptr, t);
}

/// Lets classes take turns, as inject_in_turn() does.
void nics::inject_begun(cycle_t t) {
    for (std::size_t w = 0; w < m_injecting.size(); ++w) {
        const std::uint64_t idle = inject_word(w, [&](nic_state& n, std::uint64_t) {
            if (n.link_free > t || is_waking(n, t)) return;
            for (std::uint32_t k = 0; k < m_around.classes; ++k) {
                const std::uint32_t c = (n.next_queue + k) % m_around.classes;
                if (n.queues[c].packet == class_queue::none) continue;
                if (!inject_class<nic_links::any>(n, n.queues[c], nullptr, t)) continue;
                n.next_queue = static_cast<std::uint8_t>((c + 1) % m_around.classes);
                break;
            }
        });
        if (idle != 0) stop_injecting(w, idle);
    }
}

/// Consumes a packet whose tail has come, in a network with bit errors; drops it and returns false if it is
/// bad.
bool nics::take_good(nic_state& n, const packet& p, std::uint32_t id) {
    n.coming_flits -= p.flits;
    if (p.bad) {
        m_drop_bad(n.node, id);
        return false;
    }
    n.consumed_flits += p.flits;
    return true;
}

/// Ends a message whose last packet has come.
SARE_INLINE void nics::finish_message(const nic_state& n, const message_record& m, std::uint32_t id) {
    if (m.lost || m_wants_deliveries || (m.what.tag >> 63) != 0)
        m_arrivals.push_back({n.node, id});
    else
        m_around.message_slots.give_back(id);
}

/// Consumes a packet. With bit errors, L is always nic_links::any.
template <nic_links L>
SARE_INLINE void nics::finish_packet(nic_state& n, const packet& p, std::uint32_t id, cycle_t t) {
    if (L == nic_links::any && m_drop_bad && !take_good(n, p, id)) return;
    const std::uint32_t message = p.message;
    ++n.consumed_packets;
    m_flit_hops += std::uint64_t{p.flits} * p.hops;
    message_record& m = m_around.messages[message];
    m.flits_to_consume -= p.flits;
    const bool last = m.flits_to_consume == 0;
    if (m_observer != nullptr) {
        if (last && p.flits == m.what.flits && !m.lost) {
            m_observer->single_packet_message_consumed(n.node, p, m, t);
        } else {
            m_observer->packet_consumed(n.node, p, t);
            if (last && !m.lost) m_observer->message_consumed(m, t);
        }
    }
    m_around.packet_slots.give_back(id);
    if (last) finish_message(n, m, message);
}

/// Throws protocol_error unless VC `vc` carries one packet at a time, whole and in order, to its destination.
SARE_INLINE void nics::check_place(nic_state& n, const packet& p, const flit& f, std::uint32_t vc) {
    std::uint64_t& expected = n.expected[vc];
    const std::uint64_t start = std::uint64_t{f.packet} << 16;
    if (f.is_head()) {
        if (expected != 0 || p.route.destination != n.node) report_out_of_place(n.node, f);
        if (!f.is_tail()) expected = start + 1;
    } else {
        if (expected != start + f.sequence) report_out_of_place(n.node, f);
        expected = f.is_tail() ? 0 : expected + 1;
    }
}

template <nic_links L>
SARE_INLINE void nics::consume(nic_state& n, std::uint64_t word, std::uint32_t vc, std::uint64_t* back,
                               cycle_t t) {
    const flit f = flit::from_word(word);
    const packet& p = m_around.packets[f.packet];
    check_place(n, p, f, vc);
    if constexpr (L != nic_links::any)
        link_ring::put_credit_in<L != nic_links::polled>(back, n.credits, vc);
    else
        m_around.ring.put_credit(n.credits, n.credits_extras, vc, t);
    ++(L == nic_links::any && m_drop_bad ? n.coming_flits : n.consumed_flits);
    if (f.is_tail()) finish_packet<L>(n, p, f.packet, t);
}

void nics::report_credits() {
    throw protocol_error("more credits came back to a NIC than it spent");
}

SARE_INLINE void nics::take_credits(nic_state& n, vc_mask vcs) {
    for (; vcs != 0; vcs &= vcs - 1)
        if (++n.vc_credits[lowest(vcs)] > n.depth) report_credits();
}

/// Returns what has come to a NIC; `here`: plane of the cycle.
template <nic_links L>
SARE_INLINE nics::incoming nics::sets_of(const nic_state& n, const std::uint64_t* here) const {
    const std::uint64_t word = here[n.inbox];
    if (L != nic_links::any || __builtin_expect(has_small_sets(), 1))
        return {static_cast<std::uint32_t>(word), word >> 32};
    return {word, here[n.flit_at - 1]};
}

template <nic_links L>
SARE_INLINE void nics::run_one(nic_state& n, std::uint64_t* here, std::uint64_t* back, cycle_t t) {
    const incoming come = sets_of<L>(n, here);
    if (L == nic_links::any && !has_small_sets()) here[n.flit_at - 1] = 0;
    here[n.inbox] = 0;
    const vc_mask credits = come.credits;
    if (credits != 0) {
        if (L == nic_links::any && n.counts_more && !m_batched)
            for (vc_mask rest = credits; rest != 0; rest &= rest - 1)
                take_places(n, static_cast<std::uint32_t>(lowest(rest)), -1, t);
        else if (L == nic_links::any && m_batched)
            take_batches(n, credits, reinterpret_cast<std::uint16_t*>(here + n.flit_at + 1), t);
        else
            take_credits(n, credits);
        if (come.flit == 0) return;
    }
    if (L == nic_links::any && come.flit == 0) return;
    const auto vc = static_cast<std::uint32_t>(lowest(come.flit));
    if (L == nic_links::any && holds_any() && hold_back(n, here[n.flit_at], vc)) return;
    consume<L>(n, here[n.flit_at], vc, back, t);
}

bool nics::packet_ends(std::uint32_t word, std::uint64_t awake, const std::uint64_t* here) const {
    for (; awake != 0; awake &= awake - 1) {
        const nic_state& n = m_nics[word * 64 + lowest(awake)];
        if (sets_of<nic_links::any>(n, here).flit != 0 && flit::from_word(here[n.flit_at]).is_tail())
            return true;
    }
    return false;
}

template <nic_links L>
void nics::run_usual(std::uint32_t word, std::uint64_t awake, cycle_t t) {
    std::uint64_t* const here = m_around.ring.at(t);
    nic_state* const some = &m_nics[std::size_t{word} * 64];
    std::uint64_t* const back = m_around.ring.at(t + m_usual_credit_delay);
    for (; awake != 0; awake &= awake - 1) run_one<L>(some[lowest(awake)], here, back, t);
}

/// Runs NICs in order of their numbers, as observers and workloads are told in that order.
void nics::run(std::uint32_t word, std::uint64_t awake, cycle_t t) {
    const std::uint64_t uniform = awake & m_uniform[word];
    if (m_prefetches) {
        for (; awake != 0; awake &= awake - 1)
            m_awake.push_back(word * 64 + static_cast<std::uint32_t>(lowest(awake)));
    } else if (uniform == awake) {
        m_found ? run_usual<nic_links::polled>(word, awake, t)
                : run_usual<nic_links::uniform>(word, awake, t);
    } else {
        run_any(word, awake, t);
    }
}

void nics::run_any(std::uint32_t word, std::uint64_t awake, cycle_t t) {
    std::uint64_t* const here = m_around.ring.at(t);
    nic_state* const some = &m_nics[std::size_t{word} * 64];
    std::uint64_t* const back = m_around.ring.at(t + m_usual_credit_delay);
    const std::uint64_t uniform = m_uniform[word];
    for (; awake != 0; awake &= awake - 1) {
        const std::uint64_t k = lowest(awake);
        if (is_member(uniform, k))
            run_one<nic_links::uniform>(some[k], here, back, t);
        else
            run_one<nic_links::any>(some[k], here, nullptr, t);
    }
}

/// Runs the NICs of m_awake in stages, each of which fetches ahead what the next one will touch.
void nics::run_left(cycle_t t) {
    constexpr std::size_t apart = 3;  // NICs from one stage to the next
    const std::size_t n = m_awake.size();
    std::uint64_t* const here = m_around.ring.at(t);
    std::uint64_t* const back = m_around.ring.at(t + m_usual_credit_delay);
    const auto nic = [&](std::size_t k) -> nic_state& { return m_nics[m_awake[k]]; };
    const auto packet_for = [&](const nic_state& to) -> const packet* {
        return sets_of<nic_links::any>(to, here).flit == 0
                   ? nullptr
                   : &m_around.packets[flit::from_word(here[to.flit_at]).packet];
    };
    for (std::size_t k = 0; k < n + 4 * apart; ++k) {
        if (k < n) {
            fetch_ahead(&nic(k));
            fetch_ahead(&nic(k).credits);
        }
        if (const std::size_t j = k - apart; j < n) {
            fetch_ahead(here + nic(j).inbox);
            fetch_ahead(here + nic(j).flit_at);
            fetch_ahead(nic(j).vc_credits);
            fetch_ahead(nic(j).expected);
        }
        if (const std::size_t j = k - 2 * apart; j < n)
            if (const packet* p = packet_for(nic(j))) fetch_ahead(p);
        if (const std::size_t j = k - 3 * apart; j < n)
            if (const packet* p = packet_for(nic(j))) fetch_ahead(&m_around.messages[p->message]);
        if (const std::size_t j = k - 4 * apart; j < n) {
            if (is_member(m_uniform[m_awake[j] >> 6], m_awake[j] & 63))
                run_one<nic_links::uniform>(nic(j), here, back, t);
            else
                run_one<nic_links::any>(nic(j), here, nullptr, t);
        }
    }
    m_awake.clear();
}

void nics::consume_held(nic_state& n, const flit& f, cycle_t t) {
    consume<nic_links::any>(n, f.as_word(), f.vc, nullptr, t);
}

// ---- NICs whose work is done outside

std::uint32_t nics::flit_leaves(std::uint32_t node, std::uint32_t message_class, cycle_t t) {
    nic_state& n = m_nics[node];
    class_queue& queue = n.queues[message_class];
    message_record& m = m_around.messages[queue.first];
    const std::size_t k = std::size_t{node} * m_around.classes + message_class;
    waiting_packet& w = m_waiting[k];
    if (queue.packet == class_queue::none) {
        queue.flits_left = w.flits;
        queue.packet = make_waiting(n, queue, m, k);
        packet_leaves(node, queue.packet, t);
        know_hops(n, queue.packet);
    }
    const std::uint32_t id = queue.packet;
    ++n.injected_flits;
    if (--queue.flits_left != 0) return id;
    w.flits = 0;
    queue.packet = class_queue::none;
    leave_source(n, queue);
    return id;
}

void nics::packet_arrives(std::uint32_t node, std::uint32_t id, cycle_t t) {
    finish_packet<nic_links::any>(m_nics[node], m_around.packets[id], id, t);
}

void nics::flit_arrives(std::uint32_t node, const flit& f, cycle_t t) {
    nic_state& n = m_nics[node];
    const packet& p = m_around.packets[f.packet];
    check_place(n, p, f, f.vc);
    ++(m_drop_bad ? n.coming_flits : n.consumed_flits);
    if (f.is_tail()) finish_packet<nic_links::any>(n, p, f.packet, t);
}

}  // namespace sare
