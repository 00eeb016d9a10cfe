// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/format.h"
#include "cosim/pins/pin_arbiter.h"

#include <deque>
#include <stdexcept>
#include <vector>

/// Models of the blocks in rtl/ that both AXI bridges consist of, exact to the cycle. What a block shows
/// depends on its state alone, and step() takes it to the next cycle.
namespace sare::axi {

/// Model of sare_fifo. Call front() and pop() only if valid(). Within a cycle call pop() before push(), which
/// throws std::logic_error if the queue is full.
template <class T>
class fifo {
  public:
    explicit fifo(std::uint32_t depth) : m_depth(depth) {}
    bool valid() const { return !m_items.empty(); }
    bool room() const { return m_items.size() < m_depth; }
    const T& front() const { return m_items.front(); }
    void pop() { m_items.pop_front(); }
    void push(const T& item) {
        m_items.push_back(item);
        if (m_items.size() > m_depth) throw std::logic_error("a queue of an AXI bridge overflows");
    }

  private:
    std::uint32_t m_depth;  ///< most items at an end of a cycle
    std::deque<T> m_items;  ///< oldest first
};

using cosim::round_robin;

/// Two sources of packets that take turns, a packet at a time.
class packet_turns {
  public:
    static constexpr std::uint32_t none = round_robin::none;

    /// Returns the source of the current packet; between packets, the one of `requests` (source 0 in bit 0)
    /// whose turn it is. none: there is no packet and no request.
    std::uint32_t now(std::uint32_t requests) const {
        return m_from != none ? m_from : m_turn.pick(requests);
    }
    /// Ends a cycle. `now`: result of now() in this cycle; `done`: the last flit of its packet is taken.
    void step(std::uint32_t now, bool done) {
        if (m_from == none && now != none) m_turn.served(now);
        m_from = done ? none : now;
    }

  private:
    round_robin m_turn{2};
    std::uint32_t m_from = none;  ///< input whose packet has begun and not ended
};

/// Model of sare_packetizer: cuts a header, and the beats behind it, into the flits of a packet.
class packetizer {
  public:
    /// `header_bits`, `beat_bits`: bits of a header and of a beat, each of which begins with a new flit.
    packetizer(const format& f, std::uint32_t header_bits, std::uint32_t beat_bits)
        : m_width(f.flit_width),
          m_header_flits(f.flits_for(header_bits)),
          m_beat_flits(f.flits_for(beat_bits)) {}

    struct shown {
        stream_flit flit;
        bool ends_beat;  ///< the flit is the last one of a beat
    };
    /// Returns the current flit of a packet with `beats` beats. `beat`: the current beat; only used if
    /// in_beats().
    shown show(const wide& header, std::uint32_t beats, const wide& beat) const {
        const bool last = m_part + 1 == (in_beats() ? m_beat_flits : m_header_flits);
        return {
            {true, last && m_place == beats, (in_beats() ? beat : header).slice(m_part * m_width, m_width)},
            in_beats() && last};
    }
    /// True if the header has left, so that the current flit is one of a beat.
    bool in_beats() const { return m_place != 0; }
    /// Returns the flits of a packet with `beats` beats.
    std::uint32_t length(std::uint32_t beats) const { return m_header_flits + beats * m_beat_flits; }
    /// Notes that the flit shown is taken. `tail`: it is the last one of its packet.
    void taken(bool tail) {
        if (++m_part < (in_beats() ? m_beat_flits : m_header_flits)) return;
        m_part = 0;
        m_place = tail ? 0 : m_place + 1;
    }

  private:
    std::uint32_t m_width, m_header_flits, m_beat_flits;
    std::uint32_t m_part = 0;   ///< flit of the header or beat that is next, from 0
    std::uint32_t m_place = 0;  ///< 0: the header is at work; k: beat k of the packet, from 1
};

/// Model of sare_depacketizer: puts the header and the beats of a packet together from its flits.
class depacketizer {
  public:
    depacketizer(const format& f, std::uint32_t header_bits, std::uint32_t beat_bits)
        : m_width(f.flit_width),
          m_header_flits(f.flits_for(header_bits)),
          m_beat_flits(f.flits_for(beat_bits)) {}

    struct beat {
        wide what;
        bool last;
    };
    bool ready() const { return !m_open || (m_more && m_beats.room()); }  ///< a flit is taken in this cycle
    bool valid() const { return m_open; }                                 ///< a header has come whole
    const wide& header() const { return m_header; }                       ///< only if valid()
    bool has_beat() const { return m_beats.valid(); }                     ///< a beat has come whole
    const beat& front() const { return m_beats.front(); }                 ///< only if has_beat()

    /// Ends a cycle. `in`: flit at the input; `beat_taken`: front() is taken; `done`: the packet of header()
    /// is dealt with.
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
    std::uint32_t m_part = 0;  ///< flit of the header or beat that comes next, from 0
    bool m_open = false;       ///< true: a packet's header has come whole, and the packet is not done
    bool m_more = false;       ///< true: the packet's tail has not come
    wide m_header, m_beat;
    fifo<beat> m_beats{2};
};

/// Model of sare_packet_merge: joins streams of flits, a packet at a time, in turn.
class packet_merge {
  public:
    explicit packet_merge(std::uint32_t inputs) : m_inputs(inputs), m_turn(inputs) {}

    /// Returns a mask (stream 0 in bit 0) of the streams whose flit, if there is one, is taken. `ready`: the
    /// flit that goes on is taken.
    std::uint32_t ready(bool ready) const {
        if (!ready) return 0;
        return m_inputs == 1 ? 1 : m_from == round_robin::none ? 0 : 1u << m_from;
    }
    /// Returns the flit that goes on.
    stream_flit show(const std::vector<stream_flit>& in) const {
        if (m_inputs == 1) return in[0];
        return m_from == round_robin::none ? stream_flit{} : in[m_from];
    }
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
    std::uint32_t m_from = round_robin::none;
};

/// Model of sare_axi_order: says which transactions may begin, so that the responses of an ID come in order.
class order_rule {
  public:
    /// `slots`: most open transactions; `per_id`: most of one ID; `keeps_order`: the network keeps the order
    /// of packets between two nodes (else a second transaction of an ID never begins).
    order_rule(std::uint32_t slots, std::uint32_t per_id, bool keeps_order)
        : m_slots(slots), m_per_id(per_id), m_keeps_order(keeps_order) {}

    /// True if a transaction of an ID may begin now. All open ones of its ID must have the same `key`, which
    /// stands for node and message class.
    bool may(std::uint64_t id, std::uint64_t key) const {
        std::uint32_t same = 0;
        for (const auto& o : m_open) {
            if (o.first != id) continue;
            if (!m_keeps_order || o.second != key) return false;
            ++same;
        }
        return m_open.size() < m_slots && same < m_per_id;
    }
    /// Notes a transaction that begins.
    void take(std::uint64_t id, std::uint64_t key) { m_open.push_back({id, key}); }
    /// Notes that the oldest transaction of an ID has ended. Throws std::logic_error if none is open.
    void done(std::uint64_t id) {
        const auto is = [&](const auto& o) { return o.first == id; };
        const auto at = std::find_if(m_open.begin(), m_open.end(), is);
        if (at == m_open.end()) throw std::logic_error("an AXI transaction ends that has not begun");
        m_open.erase(at);
    }

  private:
    std::uint32_t m_slots, m_per_id;
    bool m_keeps_order;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_open;  ///< ID and key of each, oldest first
};

}  // namespace sare::axi
