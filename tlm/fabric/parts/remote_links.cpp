// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/parts/remote_links.h"

#include "tlm/base/bits.h"
#include "tlm/fabric/parts/words.h"

#include <algorithm>

namespace sare {
namespace {

/// Mark in the word of a flit that is sent to another rank: its packet has a bad bit.
const std::uint64_t bad_packet = flit::make_word(0, 0, 0, 0x80);
}  // namespace

remote_links::remote_links(world& all, partition_map ranks, shared_pool<packet>& packets,
                           shared_pool<message_record>& messages)
    : m_world(all), m_ranks(std::move(ranks)), m_packets(packets), m_messages(messages) {}

remote_links::neighbour& remote_links::at(std::uint32_t rank) {
    const auto place = std::lower_bound(m_neighbours.begin(), m_neighbours.end(), rank,
                                        [](const neighbour& n, std::uint32_t r) { return n.rank < r; });
    if (place != m_neighbours.end() && place->rank == rank) return *place;
    neighbour& made = *m_neighbours.emplace(place);
    made.rank = rank;
    made.beyond = std::make_unique<clock_domain>(running_clock::of_network());
    return made;
}

clock_domain& remote_links::beyond(const link_end& e) {
    return *at(rank_of(e)).beyond;
}

void remote_links::comes_in(const link_end& writer, clock_domain& here, const wire& w, const wire_extras& x,
                            bool has_flits) {
    incoming in{&here, w, x, has_flits, {}};
    in.onward.delay = 0;
    if (has_flits) in.packet.resize(256);
    at(rank_of(writer)).wires.push_back(std::move(in));
}

void remote_links::goes_out(const link_end& reader, clock_domain& here) {
    neighbour& n = at(rank_of(reader));
    auto from = std::find_if(n.out.begin(), n.out.end(), [&](const outgoing& o) { return o.here == &here; });
    if (from == n.out.end()) from = n.out.insert(from, {&here, {}});
    from->numbers.push_back(n.wires_out++);
}

std::uint32_t remote_links::agree() {
    m_window = m_world.least(m_shortest);
    for (const neighbour& n : m_neighbours) m_others.push_back(n.rank);
    m_words.resize(m_neighbours.size());
    // Limits the window if there are no links between ranks at all.
    return static_cast<std::uint32_t>(m_window = std::min<cycle_t>(m_window, 1U << 10));
}

void remote_links::exchange(cycle_t t, cycle_t end) {
    for (std::size_t k = 0; k < m_neighbours.size(); ++k) {
        m_words[k].clear();
        for (cycle_t at = t; at < end; ++at) pack(m_neighbours[k], at, m_words[k]);
        m_counts.words += m_words[k].size();
    }
    m_counts.messages += m_neighbours.size();
    m_world.exchange(m_others, m_words);
    for (std::size_t k = 0; k < m_neighbours.size(); ++k) {
        const std::uint64_t* from = m_words[k].data();
        for (cycle_t at = t; at < end; ++at) from = unpack(m_neighbours[k], at, from);
    }
}

/// Packs cycle `t`: [number of wires | for each: number of the wire, its flit or credits].
void remote_links::pack(neighbour& n, cycle_t t, words& to) {
    const std::size_t count = to.size();
    to.push_back(0);
    for (const outgoing& o : n.out)
        o.here->take_cut(*n.beyond, t, [&](std::uint32_t k, const cut_wire& c, std::uint64_t* inbox) {
            ++to[count];
            to.push_back(o.numbers[k]);
            c.has_flits ? pack_flit(inbox[1], to) : pack_credits(inbox, to);
        });
}

void remote_links::pack_credits(std::uint64_t* inbox, words& to) const {
    to.push_back(inbox[0]);
    if (!m_batched) return;
    auto* const by_vc = reinterpret_cast<std::uint16_t*>(inbox + 1);
    for (std::uint64_t rest = inbox[0]; rest != 0; rest &= rest - 1) {
        to.push_back(by_vc[lowest(rest)]);
        by_vc[lowest(rest)] = 0;
    }
}

void remote_links::pack_flit(std::uint64_t word, words& to) {
    const flit f = flit::from_word(word);
    to.push_back(m_packets[f.packet].bad ? word | bad_packet : word);
    if (m_scattered) return pack_alone(f.packet, to);
    if (f.is_head()) {
        pack_head(m_packets[f.packet], to);
        expect_back(m_packets[f.packet]);
    }
    if (f.is_tail())
        leave(f.packet);
    else if (f.is_head())
        note_gone_on(f.packet);
}

void remote_links::note_gone_on(std::uint32_t id) {
    if (m_gone_on.size() <= id) m_gone_on.resize(m_packets.slots(), 0);
    m_gone_on[id] = 1;
}

/// Packs the packet and its message with a flit that takes a route of its own.
void remote_links::pack_alone(std::uint32_t id, words& to) {
    pack_head(m_packets[id], to);
    to.push_back(m_scattered->go(id, m_packets[id]));
    if (!m_scattered->forget_if_gone(id)) return;
    expect_back(m_packets[id]);
    leave(id);
}

/// Expects a packet again that leaves this rank though its message ends here.
void remote_links::expect_back(const packet& p) {
    const message_record& m = m_messages[p.message];
    if (m.is_copy && comes_back(p, m))
        m_partial.try_emplace(name_of(m), partial{p.message, 0}).first->second.flits_to_come += p.flits;
}

/// Packs a packet and its message; m.next of a copy is the slot of the original in its source's rank.
void remote_links::pack_head(const packet& p, words& to) {
    message_record m = m_messages[p.message];
    if (!m.is_copy) m.next = p.message;
    put_words(p, to);
    put_words(m, to);
    if (m_words_each != 0) pack_words(p, to);
}

void remote_links::pack_words(const packet& p, words& to) {
    const std::size_t at = to.size();
    to.resize(at + m_words_each);
    const message_record& m = m_messages[p.message];
    if (m.is_copy)
        std::copy_n(words_of(p.message), m_words_each, &to[at]);
    else
        m_workload->write_words(m.what, &to[at]);
}

/// True for one of several packets of a message whose destination is here.
bool remote_links::comes_back(const packet& p, const message_record& m) const {
    return p.flits != m.what.flits && m_ranks.of_node[m.what.destination] == m_world.rank();
}

/// Frees the slots of a packet whose last flit has gone, and of its message with the last packet of it here.
void remote_links::leave(std::uint32_t id) {
    const packet& p = m_packets[id];
    message_record& m = m_messages[p.message];
    if (!comes_back(p, m) && (m.flits_to_consume -= p.flits) == 0) {
        if (m_words_each != 0 && !m.is_copy) m_workload->has_left(m.what);
        m_messages.part(0).give_back(p.message);
    }
    if (has_gone_on(id)) m_gone_on[id] = 0;
    m_packets[id].bad = false;  // no free slot has the mark
    m_packets.part(0).give_back(id);
}

const std::uint64_t* remote_links::unpack(neighbour& n, cycle_t t, const std::uint64_t* from) {
    for (std::uint64_t count = *from++; count != 0; --count) {
        incoming& w = n.wires[*from++];
        if (w.has_flits) {
            from = unpack_flit(w, t, from);
            continue;
        }
        for (std::uint64_t rest = *from++; rest != 0; rest &= rest - 1)
            for (std::uint64_t k = m_batched ? *from++ : 1; k != 0; --k)
                w.here->ring().put_credit(w.onward, w.extras, static_cast<std::uint32_t>(lowest(rest)), t);
    }
    return from;
}

const std::uint64_t* remote_links::unpack_flit(incoming& w, cycle_t t, const std::uint64_t* from) {
    const std::uint64_t word = *from++;
    flit f = flit::from_word(word & ~bad_packet);
    std::uint32_t& id = w.packet[f.vc];
    if (m_scattered)
        from = unpack_alone(id, from);
    else if (f.is_head())
        from = take_in(id, from);
    if ((word & bad_packet) != 0) m_packets[id].bad = true;
    f.packet = id;
    w.here->ring().put_flit(w.onward, f, t);
    return from;
}

const std::uint64_t* remote_links::unpack_alone(std::uint32_t& id, const std::uint64_t* from) {
    packet p;
    message_record m;
    const std::uint64_t* const behind = get_words(m, get_words(p, from)) + m_words_each;
    id = m_scattered->find(p);
    if (id == scattered_packets::none) {
        take_in(id, from);
        m_scattered->begin(id, p, m_packets.slots());
    }
    m_scattered->come(id, static_cast<std::uint32_t>(*behind));
    return behind + 1;
}

const std::uint64_t* remote_links::take_in(std::uint32_t& id, const std::uint64_t* from) {
    packet p;
    message_record m;
    from = get_words(m, get_words(p, from));
    id = m_packets.part(0).take();
    p.message = message_of(p, m);
    m_packets[id] = p;
    if (m_words_each != 0 && m_messages[p.message].is_copy) keep_words(p.message, from);
    return from + m_words_each;
}

void remote_links::keep_words(std::uint32_t message, const std::uint64_t* from) {
    const std::size_t least = (std::size_t{message} + 1) * m_words_each;
    if (m_words_by_message.size() < least) m_words_by_message.resize(least);
    std::copy_n(from, m_words_each, words_of(message));
}

/// Returns the message slot for a packet that comes in. Packets that pass through have one each; packets that
/// end here share that of their message.
std::uint32_t remote_links::message_of(const packet& p, const message_record& its) {
    const bool ends = m_ranks.of_node[p.route.destination] == m_world.rank();
    const bool shares = ends && p.flits != its.what.flits;
    if (shares && m_ranks.of_node[its.what.source] == m_world.rank()) return its.next;
    if (shares)
        if (const auto known = m_partial.find(name_of(its)); known != m_partial.end()) {
            const std::uint32_t message = known->second.message;
            if ((known->second.flits_to_come -= p.flits) == 0) m_partial.erase(known);
            return message;
        }
    const std::uint32_t message = m_messages.part(0).take();
    message_record& m = m_messages[message];
    m = its;
    m.is_copy = 1;
    m.lost = false;  // this rank has lost no packet of the message
    m.flits_to_inject = 0;
    m.flits_to_consume = ends ? its.what.flits : p.flits;
    if (shares) m_partial[name_of(its)] = {message, its.what.flits - p.flits};
    return message;
}

}  // namespace sare
