// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/random/random_network.h"

namespace sare::axi {

random_network::random_network(std::uint32_t nodes, std::uint32_t classes, bool keeps_order,
                               std::uint64_t seed)
    : m_classes(classes),
      m_keeps_order(keeps_order),
      m_random(seed, stream::test, 300),
      m_leaving(nodes * classes),
      m_inboxes(nodes * classes) {}

std::uint32_t random_network::ready() {
    std::uint32_t classes = 0;
    for (std::uint32_t c = 0; c < m_classes; ++c)
        classes |= static_cast<std::uint32_t>(m_random.bernoulli(m_stalls.take)) << c;
    return classes;
}

void random_network::sent(std::uint32_t node, std::uint32_t message_class, const leaving_flit& f) {
    packet& p = m_leaving[node * m_classes + message_class];
    if (p.flits.empty()) {
        p = {node, f.node, f.length, m_now + m_random.below(m_stalls.slowest + 1), {}};
        ++m_packets;
    }
    if (p.node != f.node || p.length != f.length) note_error("what is said of a packet changes within it");
    p.flits.push_back(f.what.data);
    if (f.what.tail != (p.flits.size() == p.length)) note_error("a packet is not as long as it says");
    ++m_flits;
    if (!f.what.tail) return;
    if (p.node * m_classes >= m_inboxes.size())
        note_error("a packet for no node");
    else
        inbox_of(p.node, message_class).waiting.push_back(p);
    p.flits.clear();
}

bool random_network::next_packet(inbox& box) {
    std::vector<std::size_t> may;
    std::uint32_t seen = 0;  // sources of which there is an earlier one, a bit each
    for (std::size_t k = 0; k < box.waiting.size(); ++k) {
        const packet& p = box.waiting[k];
        const bool first = (seen >> p.source & 1) == 0;
        seen |= 1u << p.source;
        if (p.due <= m_now && (first || !m_keeps_order)) may.push_back(k);
    }
    if (may.empty()) return false;
    const auto at = static_cast<std::ptrdiff_t>(may[m_random.below(static_cast<std::uint32_t>(may.size()))]);
    box.open = box.waiting[static_cast<std::size_t>(at)];
    box.waiting.erase(box.waiting.begin() + at);
    return true;
}

const stream_flit& random_network::shown(std::uint32_t node, std::uint32_t message_class) {
    inbox& box = inbox_of(node, message_class);
    if (box.shown.valid || (box.open.flits.empty() && !next_packet(box))) return box.shown;
    if (m_random.bernoulli(m_stalls.give))
        box.shown = {true, box.open.flits.size() == 1, box.open.flits.front()};
    return box.shown;
}

void random_network::taken(std::uint32_t node, std::uint32_t message_class) {
    inbox& box = inbox_of(node, message_class);
    box.shown.valid = false;
    box.open.flits.pop_front();
    if (box.open.flits.empty()) --m_packets;
}

}  // namespace sare::axi
