// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/format.h"
#include "cosim/pins/pin_arbiter.h"

#include <deque>
#include <stdexcept>
#include <vector>

/// Models, exact to the cycle, of the modules in rtl/ of which the bridges of managers and of subordinates
/// consist. The outputs of a model depend on its state alone, unless a function takes inputs; step() makes
/// the state of the next cycle.
namespace sare::axi {

/// Model of sare_fifo, a queue. front() and pop() must be called only if valid() (not checked). Within a
/// cycle pop() must be called before push(), so that a full queue can take an item in place of another.
template <class T>
class fifo {
  public:
    /// `depth`: largest number of items at the end of a cycle.
    explicit fifo(std::uint32_t depth) : m_depth(depth) {}
    /// Returns true if there is an item.
    bool valid() const { return !m_items.empty(); }
    /// Returns true if fewer than `depth` items are in the queue.
    bool room() const { return m_items.size() < m_depth; }
    const T& front() const { return m_items.front(); }  ///< the oldest item
    void pop() { m_items.pop_front(); }                 ///< removes the oldest item
    /// Appends an item. Throws std::logic_error if there is no room.
    void push(const T& item) {
        m_items.push_back(item);
        if (m_items.size() > m_depth) throw std::logic_error("a queue of an AXI bridge overflows");
    }

  private:
    std::uint32_t m_depth;  ///< largest number of items
    std::deque<T> m_items;  ///< items, the oldest first
};

using cosim::round_robin;

/// Arbiter of two sources of packets, 0 and 1, that take turns, packet by packet; source 0 is first.
class packet_turns {
  public:
    /// Value for "no source".
    static constexpr std::uint32_t none = round_robin::none;

    /// Returns the source whose packet is under way; if none is, the one of `requests` (a mask with source 0
    /// in bit 0) that has the next turn; none: no packet is under way, and no source requests.
    std::uint32_t now(std::uint32_t requests) const {
        return m_from != none ? m_from : m_turn.pick(requests);
    }
    /// Ends a cycle. `now`: result of now() in this cycle; `done`: true if the last flit of the packet was
    /// taken in it.
    void step(std::uint32_t now, bool done) {
        if (m_from == none && now != none) m_turn.served(now);
        m_from = done ? none : now;
    }

  private:
    round_robin m_turn{2};
    std::uint32_t m_from = none;  ///< source whose packet has begun and not ended
};

/// Model of sare_packetizer, which cuts a header and the beats behind it into the flits of a packet.
class packetizer {
  public:
    /// `f`: width of a flit; `header_bits`, `beat_bits`: number of bits of a header, and of a beat; each
    /// begins with a new flit.
    packetizer(const format& f, std::uint32_t header_bits, std::uint32_t beat_bits)
        : m_width(f.flit_width),
          m_header_flits(f.flits_for(header_bits)),
          m_beat_flits(f.flits_for(beat_bits)) {}

    /// A flit that is shown at the output.
    struct shown {
        stream_flit flit;
        bool ends_beat;  ///< true: the flit is the last one of a beat
    };
    /// Returns the present flit of a packet with header `header` and `beats` beats. `beat`: the present beat;
    /// used only if in_beats().
    shown show(const wide& header, std::uint32_t beats, const wide& beat) const {
        const bool last = m_part + 1 == (in_beats() ? m_beat_flits : m_header_flits);
        return {
            {true, last && m_place == beats, (in_beats() ? beat : header).slice(m_part * m_width, m_width)},
            in_beats() && last};
    }
    /// Returns true if all flits of the header have been taken, so that the present flit is one of a beat.
    bool in_beats() const { return m_place != 0; }
    /// Returns the number of flits of a packet with `beats` beats.
    std::uint32_t length(std::uint32_t beats) const { return m_header_flits + beats * m_beat_flits; }
    /// Goes on to the next flit, since the present one was taken. `tail`: stream_flit::tail of the flit
    /// taken: it was the last one of its packet, so that a header is next.
    void taken(bool tail) {
        if (++m_part < (in_beats() ? m_beat_flits : m_header_flits)) return;
        m_part = 0;
        m_place = tail ? 0 : m_place + 1;
    }

  private:
    std::uint32_t m_width, m_header_flits, m_beat_flits;
    std::uint32_t m_part = 0;   ///< number of the present flit in the header or beat, from 0
    std::uint32_t m_place = 0;  ///< 0: the present flit is one of the header; k: one of beat k of the packet,
                                ///< from 1
};

/// Model of sare_depacketizer, which makes header and beats of the flits of a packet.
class depacketizer {
  public:
    /// `f`: width of a flit; `header_bits`, `beat_bits`: number of bits of a header, and of a beat; each
    /// begins with a new flit.
    depacketizer(const format& f, std::uint32_t header_bits, std::uint32_t beat_bits)
        : m_width(f.flit_width),
          m_header_flits(f.flits_for(header_bits)),
          m_beat_flits(f.flits_for(beat_bits)) {}

    /// A beat of a packet; `last`: it is the last one of its packet.
    struct beat {
        wide what;
        bool last;
    };
    /// Returns true if a flit at the input, should there be one, is taken in this cycle.
    bool ready() const { return !m_open || (m_more && m_beats.room()); }
    /// Returns true if a whole header has come and step() was not called with `done` since.
    bool valid() const { return m_open; }
    const wide& header() const { return m_header; }  ///< the header; has a meaning only if valid()
    /// Returns true if a whole beat has come and was not taken.
    bool has_beat() const { return m_beats.valid(); }
    /// Returns the first beat that was not taken; call only if has_beat().
    const beat& front() const { return m_beats.front(); }

    /// Ends a cycle. `in`: flit at the input, which is taken if it is valid and ready(); `beat_taken`:
    /// front() was taken in this cycle. `done`: the bridge has used the packet of header() completely.
    void step(const stream_flit& in, bool beat_taken, bool done) {
        const bool taken = in.valid && ready();
        if (beat_taken) m_beats.pop();
        const bool opens = taken && !m_open ? take_header(in) : false;
        if (taken && !opens && m_open) take_beat(in);
        m_open = opens || (m_open && !done);
    }

  private:
    bool take_header(const stream_flit& in) {
        m_header.put(m_part * m_width, m_width, in.data);
        if (++m_part < m_header_flits) return false;
        m_part = 0;
        m_more = !in.tail;
        return true;
    }
    void take_beat(const stream_flit& in) {
        m_beat.put(m_part * m_width, m_width, in.data);
        if (++m_part < m_beat_flits) return;
        m_part = 0;
        m_more = !in.tail;
        m_beats.push({m_beat, in.tail});
    }

    std::uint32_t m_width, m_header_flits, m_beat_flits;
    std::uint32_t m_part = 0;  ///< number of the next flit in its header or beat, from 0
    bool m_open = false;       ///< true: a packet's header has come, and the packet is not done
    bool m_more = false;       ///< true: the tail of this packet has not come yet
    wide m_header, m_beat;
    fifo<beat> m_beats{2};
};

/// Model of sare_packet_merge, which joins several streams of flits into one, packet by packet, in turn. A
/// stream is chosen in the cycle before its first flit is shown; a single stream is passed on at once.
class packet_merge {
  public:
    /// `inputs`: number of streams, 1 to 32.
    explicit packet_merge(std::uint32_t inputs) : m_inputs(inputs), m_turn(inputs) {}

    /// Returns a mask, with stream 0 in bit 0, of the stream whose flit, should there be one, is taken in
    /// this cycle; 0: none. `ready`: true if the joined flit is taken.
    std::uint32_t ready(bool ready) const {
        if (!ready) return 0;
        return m_inputs == 1 ? 1 : m_from == round_robin::none ? 0 : 1u << m_from;
    }
    /// Returns the joined flit for the flits `in` of all streams; not valid if there is none.
    stream_flit show(const std::vector<stream_flit>& in) const {
        if (m_inputs == 1) return in[0];
        return m_from == round_robin::none ? stream_flit{} : in[m_from];
    }
    /// Ends a cycle. `in`: flits that all streams had in it; `ready`: true if the joined flit was taken in
    /// it.
    void step(const std::vector<stream_flit>& in, bool ready) {
        if (m_inputs == 1) return;
        if (m_from != round_robin::none) {
            if (in[m_from].valid && ready && in[m_from].tail) m_from = round_robin::none;
            return;
        }
        std::uint32_t requests = 0;
        for (std::uint32_t k = 0; k < m_inputs; ++k) requests |= static_cast<std::uint32_t>(in[k].valid) << k;
        if (requests == 0) return;
        m_from = m_turn.pick(requests);
        m_turn.served(m_from);
    }

  private:
    std::uint32_t m_inputs;
    round_robin m_turn;
    std::uint32_t m_from = round_robin::none;  ///< stream whose packet is under way; none: there is none
};

/// Model of sare_axi_order, which decides which transactions may begin so that the responses of each ID come
/// in order.
class order_rule {
  public:
    /// `slots`: largest number of open transactions; `per_id`: largest number of open transactions of one ID.
    /// `keeps_order`: true if the network keeps the order of packets of a class between two nodes; if false,
    /// an ID has at most one open transaction.
    order_rule(std::uint32_t slots, std::uint32_t per_id, bool keeps_order)
        : m_slots(slots), m_per_id(per_id), m_keeps_order(keeps_order) {}

    /// Returns true if a transaction of ID `id` may begin now. `key`: number that stands for its destination
    /// node and message class; all open transactions of the ID must have the same key.
    bool may(std::uint64_t id, std::uint64_t key) const {
        std::uint32_t same = 0;
        for (const auto& o : m_open) {
            if (o.first != id) continue;
            if (!m_keeps_order || o.second != key) return false;
            ++same;
        }
        return m_open.size() < m_slots && same < m_per_id;
    }
    /// Adds a transaction of ID `id` that begins now, for which may() must have returned true (not checked).
    void take(std::uint64_t id, std::uint64_t key) { m_open.push_back({id, key}); }
    /// Removes the oldest transaction of an ID, which has ended. Throws std::logic_error if none is open.
    void done(std::uint64_t id) {
        const auto is = [&](const auto& o) { return o.first == id; };
        const auto at = std::find_if(m_open.begin(), m_open.end(), is);
        if (at == m_open.end()) throw std::logic_error("an AXI transaction ends that has not begun");
        m_open.erase(at);
    }

  private:
    std::uint32_t m_slots, m_per_id;
    bool m_keeps_order;
    /// ID and key of each open transaction, the oldest first.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_open;
};

}  // namespace sare::axi
