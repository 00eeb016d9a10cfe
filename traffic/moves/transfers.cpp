// SPDX-License-Identifier: Apache-2.0
#include "traffic/moves/data_moves.h"

#include <algorithm>
#include <cmath>

/// Transfers: their messages, and the rates of nodes and memories.
namespace sare::traffic {
namespace {

cycle_t whole(double when) {
    return static_cast<cycle_t>(std::ceil(when));
}

}  // namespace

/// Starts the transfers of a move, in packets; a transfer of no bytes has one packet as well.
void data_moves::start_transfers(std::uint32_t a, const move& what, cycle_t now) {
    std::uint32_t rest = what.bytes;
    do {
        const std::uint32_t bytes = std::min(rest, m.packet_bytes);
        if (what.what == move::kind::multicast)
            start_multicast(a, what, bytes, now + m.issue);
        else
            start_transfer(a, what, bytes, now + m.issue);
        rest -= bytes;
    } while (rest != 0);
}

void data_moves::start_transfer(std::uint32_t a, const move& what, std::uint32_t bytes, cycle_t when) {
    transfer t;
    t.actor = a;
    t.from = node(what.plane, m_recording.processors[a].at);
    t.to = node(what.plane, what.to);
    t.bytes = bytes;
    t.acknowledged = what.acknowledged;
    if (what.what == move::kind::read) {
        ++m_actors[a].reads;
        return put(t, when);
    }
    t.at = transfer::writes;
    t.first = t.last = what.to;
    if (what.what == move::kind::forward) {
        t.to = node(what.plane, what.way.front());
        t.way = &what;
        t.began = when;
    } else {
        t.signal = what.what == move::kind::signal || what.bytes <= move::signal_bytes;
    }
    put(t, when);
}

/// Starts a tree: along dimension 0 of the plane to the lines with targets, and along each to its farthest
/// one. The source sends to the line that is farthest; where the way meets another line, a node there sends
/// on, as soon as the head comes by.
void data_moves::start_multicast(std::uint32_t a, const move& what, std::uint32_t bytes, cycle_t when) {
    const plane_order& o = m_planes[what.plane];
    const std::uint32_t sizes[] = {o.first.y ? m.places[1] : m.places[0],
                                   o.first.y ? m.places[0] : m.places[1]};
    const auto own = [&](const grid_position& p) { return o.node(p, m.places[0], m.places[1]); };
    const std::uint32_t source = own(m_recording.processors[a].at), one = own(what.to), other = own(what.end);
    std::uint32_t low[2], high[2], at[2];
    for (std::uint32_t d = 0; d < 2; ++d) {
        const auto along = [&](std::uint32_t n) { return d == 0 ? n % sizes[0] : n / sizes[0]; };
        low[d] = std::min(along(one), along(other));
        high[d] = std::max(along(one), along(other));
        at[d] = along(source);
    }
    const auto ahead = [&](std::uint32_t d, std::uint32_t c) { return (c + sizes[d] - at[d]) % sizes[d]; };
    const auto farthest = [&](std::uint32_t d) {
        std::uint32_t best = low[d];
        for (std::uint32_t c = low[d]; c <= high[d]; ++c)
            if (ahead(d, c) > ahead(d, best)) best = c;
        return best;
    };
    const std::uint32_t last = farthest(0), end = farthest(1), base = first_node(what.plane, what.to.chip);
    for (std::uint32_t c = low[0]; c <= high[0]; ++c) {
        transfer t;
        t.at = transfer::writes;
        t.actor = a;
        t.from = base + (c == last ? at[0] : c) + sizes[0] * at[1];
        t.to = base + c + sizes[0] * end;
        t.bytes = bytes;
        t.acknowledged = what.acknowledged;
        t.signal = what.bytes <= move::signal_bytes;
        // The places of this line: those of the rectangle that have its coordinate in the grid.
        const std::uint32_t place = o.first.backward ? sizes[0] - 1 - c : c;
        t.first = what.to;
        t.last = what.end;
        (o.first.y ? t.first.y : t.first.x) = (o.first.y ? t.last.y : t.last.x) = place;
        put(t, when + (c == last ? 0 : std::uint64_t{m.hop} * ahead(0, c)));
    }
}

/// Begins a transfer at `when`; data of a write enter as fast as their node gives them.
void data_moves::put(const transfer& t, cycle_t when) {
    const std::uint32_t slot = m_transfers.take();
    m_transfers[slot] = t;
    ++m_open;
    if (t.at == transfer::writes) {
        if (t.links == 0) {
            actor& me = m_actors[t.actor];
            ++me.unsent;
            me.writes += t.acknowledged ? 1 : 0;
        }
        node_rates& source = m_nodes[t.from];
        const double begin = source.out.begin(static_cast<double>(when));
        source.out.take(begin, t.bytes);
        when = whole(begin);
    }
    later(when, entry::send, slot);
}

/// Sends the message of the phase that a transfer is in.
void data_moves::send(std::uint32_t slot) {
    const transfer& t = m_transfers[slot];
    const bool data = t.at == transfer::writes || t.at == transfer::answers;
    const bool back = t.at == transfer::answers || t.at == transfer::acknowledges;
    message out;
    out.source = back ? t.to : t.from;
    out.destination = back ? t.from : t.to;
    out.bytes = data ? t.bytes : 0;
    out.flits = m_port->flits_for(out.bytes);
    out.message_class = back ? 1 : 0;
    out.generated = m_port->now();
    out.tag = slot;
    ++m_generated.messages;
    m_generated.flits += out.flits;
    const bool writes = t.at == transfer::writes && t.links == 0;
    const std::uint32_t a = t.actor;
    m_port->send(out);
    if (!writes) return;
    --m_actors[a].unsent;
    look_again(a, out.generated);
}

void data_moves::delivered(const delivery& d) {
    const auto slot = static_cast<std::uint32_t>(d.what.tag);
    switch (m_transfers[slot].at) {
        case transfer::asks:
            answer(slot, d.consumed);
            break;
        case transfer::answers:
        case transfer::writes:
            take_data(slot, d.consumed);
            break;
        case transfer::acknowledges: {
            const std::uint32_t a = m_transfers[slot].actor;
            --m_actors[a].writes;
            forget(slot);
            look_again(a, d.consumed);
            break;
        }
    }
    act(d.consumed);
}

/// Answers: the target's node reads its memory and sends the data, one request after the other.
void data_moves::answer(std::uint32_t slot, cycle_t now) {
    transfer& t = m_transfers[slot];
    node_rates& at = m_nodes[t.to];
    double begin = at.out.begin(static_cast<double>(now + m.read_latency + at.latency));
    if (at.memory != nullptr) begin = at.memory->begin(begin);
    at.out.take(begin, t.bytes);
    if (at.memory != nullptr) at.memory->take(begin, t.bytes);
    t.at = transfer::answers;
    later(whole(begin), entry::send, slot);
}

/// Takes data that have come; they are there when node and memory have taken them.
void data_moves::take_data(std::uint32_t slot, cycle_t now) {
    const transfer& t = m_transfers[slot];
    const bool read = t.at == transfer::answers;
    node_rates& at = m_nodes[read ? t.from : t.to];
    double over = at.in.finish(static_cast<double>(now), t.bytes);
    if (at.memory != nullptr && !read) over = at.memory->finish(over, t.bytes);
    later(whole(over), read ? entry::read_over : entry::write_over, slot);
}

void data_moves::read_over(std::uint32_t slot, cycle_t now) {
    const std::uint32_t a = m_transfers[slot].actor;
    --m_actors[a].reads;
    forget(slot);
    look_again(a, now);
}

void data_moves::write_over(std::uint32_t slot, cycle_t now) {
    if (m_transfers[slot].way != nullptr) take_link(slot, now);
    transfer& t = m_transfers[slot];
    if (t.signal) raise(t.first, t.last, now);
    if (!t.acknowledged) return forget(slot);
    t.at = transfer::acknowledges;
    later(now + m.write_latency + m_nodes[t.to].latency, entry::send, slot);
}

/// Takes the next link with data that have come to its first place; the data at the end of their way are
/// counted.
void data_moves::take_link(std::uint32_t slot, cycle_t now) {
    transfer t = m_transfers[slot];
    if (2 * t.links == t.way->way.size()) {
        ++m_between.packets;
        m_between.cycles += now - t.began;
        return;
    }
    rate_server& link =
        m_between.links.try_emplace(place_number(t.way->way[2 * t.links]), m.ethernet_rate).first->second;
    const double left = link.take(static_cast<double>(now), t.bytes);
    ++t.links;
    t.acknowledged = false;
    const std::uint32_t next = m_transfers.take();
    m_transfers[next] = t;
    ++m_open;
    later(whole(left) + m.ethernet_latency, entry::go_on, next);
}

/// Sends data on within the chip to which a link has brought them: to the next link, or to their target.
void data_moves::go_on(std::uint32_t slot, cycle_t now) {
    transfer t = m_transfers[slot];
    forget(slot);
    const std::vector<grid_position>& way = t.way->way;
    const std::uint32_t next = 2 * t.links;
    t.from = node(m_between.plane, way[next - 1]);
    t.to = node(m_between.plane, next == way.size() ? t.way->to : way[next]);
    put(t, now);
}

/// Raises the semaphores of all places in a rectangle.
void data_moves::raise(const grid_position& first, const grid_position& last, cycle_t now) {
    for (std::uint32_t x = first.x; x <= last.x; ++x)
        for (std::uint32_t y = first.y; y <= last.y; ++y) ++m_signals[place_number({x, y, first.chip})];
    for (std::uint32_t a = 0; a < m_actors.size(); ++a) {
        const grid_position& at = m_recording.processors[a].at;
        if (at.chip == first.chip && at.x >= first.x && at.x <= last.x && at.y >= first.y && at.y <= last.y)
            look_again(a, now);
    }
}

void data_moves::forget(std::uint32_t slot) {
    m_transfers.give_back(slot);
    --m_open;
}

}  // namespace sare::traffic
