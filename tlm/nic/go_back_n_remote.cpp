// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/world.h"
#include "tlm/nic/go_back_n.h"

#include <algorithm>

/// Flows from one process to another: what an end must know of the message of a packet comes with it.
namespace sare {
namespace {

/// Of a packet from another process, which may be padded, and of its message; then those of its workload.
enum word : std::uint8_t { packet_flits, flits, injected, tag, bytes, own_words };

}  // namespace

std::uint32_t go_back_n::words_with_messages() const {
    return own_words + m_inner.words_with_messages();
}

/// None are needed of an acknowledgement, or of a copy of what has been acknowledged meanwhile.
void go_back_n::write_words(const message& m, std::uint64_t* words) const {
    std::fill_n(words, words_with_messages(), 0);
    if ((m.tag & acknowledges) != 0) return;
    const flow& f = m_flows[static_cast<std::uint32_t>(m.tag >> 32) & 0x3fffffff];
    const std::uint32_t place = static_cast<std::uint32_t>(m.tag) - static_cast<std::uint32_t>(f.base);
    if (place >= f.packets.size()) return;
    const open_message& of = m_messages[f.packets[place].message];
    words[packet_flits] = f.packets[place].flits;
    words[flits] = of.what.flits;
    words[injected] = of.injected;
    words[tag] = of.what.tag;
    words[bytes] = of.what.bytes;
    if (m_inner.words_with_messages() != 0) m_inner.write_words(of.what, words + own_words);
}

std::uint64_t go_back_n::tag_of(const message& m, const std::uint64_t* words) {
    m_words.assign(words, words + words_with_messages());
    return m.tag;
}

/// Flows have numbers of the process that sends.
std::uint32_t go_back_n::flow_of(const delivery& d) {
    const message& m = d.what;
    if (is_here(m.source)) return static_cast<std::uint32_t>(m.tag >> 32) & 0x3fffffff;
    return (m.tag & acknowledges) != 0 ? flow_of(m.destination, m.source, m.message_class)
                                       : flow_of(m.source, m.destination, m.message_class);
}

/// Packets of a flow are taken in order, and so are its messages.
void go_back_n::take_from_elsewhere(std::uint32_t id, const delivery& d) {
    flow& f = m_flows[id];
    if (!is_next(f, d)) return;
    ++f.expected;
    if (f.to_arrive == 0) f.to_arrive = static_cast<std::uint32_t>(m_words[flits]);
    f.to_arrive -= static_cast<std::uint32_t>(m_words[packet_flits]);
    m_counters.useful_flits += m_words[packet_flits];
    m_statistics->packet_consumed(f.destination, m_came[f.destination], d.consumed);
    if (f.to_arrive != 0) return;
    message what = d.what;
    what.flits = static_cast<std::uint32_t>(m_words[flits]);
    what.tag = m_words[tag];
    what.bytes = m_words[bytes];
    if (m_inner.words_with_messages() != 0) what.tag = m_inner.tag_of(what, m_words.data() + own_words);
    message_arrived(what, m_words[injected], d.consumed);
}

void go_back_n::agree(world& all, std::uint32_t most) {
    dynamic_cast<agreeing_workload&>(m_inner).agree(all, most);
}

void go_back_n::add_up(world& all) {
    m_inner.add_up(all);
    counters& c = m_counters;
    for (std::uint64_t* const n : {&c.packets, &c.sent_again, &c.acknowledgements, &c.time_outs,
                                   &c.duplicates, &c.out_of_order, &c.started_messages, &c.useful_flits})
        *n = all.sum(*n);
}

}  // namespace sare
