// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/live/live_log.h"

#include "tlm/api/network_engine.h"
#include "tlm/fabric/fabric.h"

namespace sare {

live_log::live_log(network_engine& engine, fabric& net)
    : m_engine(engine), m_net(net), m_messages(net.view().messages()) {
    engine.add_observer(*this);
    engine.observe_flits(*this);
    m_links = net.stepper().observed_links();
    m_seen.resize(m_links.size());
}

live_log::~live_log() {
    m_engine.remove_observer(*this);
    m_net.stepper().remove_observer(static_cast<const flit_observer&>(*this));
}

std::uint32_t live_log::slot_of(const packet& p) const {
    return static_cast<std::uint32_t>(&p - &m_net.view().packets()[0]);
}

std::optional<std::uint64_t> live_log::number_of(std::uint32_t slot) const {
    if (slot >= m_numbers.size() || m_numbers[slot] == 0) return std::nullopt;
    const record* const its = find(m_numbers[slot] - 1);
    const packet& p = m_net.view().packets()[slot];
    if (its == nullptr || its->injected != p.injected || its->source != p.route.source) return std::nullopt;
    return m_numbers[slot] - 1;
}

const live_log::record* live_log::find(std::uint64_t number) const {
    return number < m_first || number - m_first >= m_records.size() ? nullptr : &m_records[number - m_first];
}

std::optional<std::uint64_t> live_log::came_into(std::uint32_t router, std::uint32_t port,
                                                 cycle_t when) const {
    for (std::size_t n = 0; n < m_links.size(); ++n)
        if (const link_end& to = m_links[n].second; to.what == link_end::kind::router && to.id == router &&
                                                    to.port == port && m_seen[n].cycle == when)
            return m_seen[n].packet;
    return std::nullopt;
}

void live_log::packet_injected(std::uint32_t node, const packet& p, cycle_t now) {
    const std::uint32_t slot = slot_of(p);
    if (slot >= m_numbers.size()) m_numbers.resize(slot + 1);
    record made;
    made.message = m_messages.of(p);
    made.slot = slot;
    made.source = p.route.source;
    made.destination = p.route.destination;
    made.flits = p.flits;
    made.message_class = m_net.view().messages()[p.message].what.message_class;
    made.generated = p.generated;
    made.injected = now;
    note(what::injected, packets(), node, 0, now);
    m_records.push_back(made);
    m_numbers[slot] = packets();
    if (m_records.size() <= kept || m_records.front().ended == record::not_yet) return;
    m_records.pop_front();
    ++m_first;
}

/// Notes that the packet has ended; null if it is unknown.
live_log::record* live_log::end(const packet& p, cycle_t now) {
    const auto number = number_of(slot_of(p));
    if (!number) return nullptr;
    m_numbers[slot_of(p)] = 0;
    record& its = m_records[*number - m_first];
    its.ended = now;
    return &its;
}

void live_log::packet_consumed(std::uint32_t node, const packet& p, cycle_t now) {
    const auto number = number_of(slot_of(p));
    end(p, now);
    if (number) note(what::consumed, *number, node, 0, now);
}

void live_log::packet_dropped(std::uint32_t router, const packet& p, cycle_t now) {
    const auto number = number_of(slot_of(p));
    if (record* const its = end(p, now)) its->dropped_in = router;
    if (number) note(what::dropped, *number, router, 0, now);
    m_messages.packet_dropped(p);
}

void live_log::flit_arrives(std::uint32_t link, const flit& f, const packet&, cycle_t now) {
    const auto number = number_of(f.packet);
    m_seen[link] = {now, f, number};
    const link_end& to = m_links[link].second;
    if (f.is_head() && to.what == link_end::kind::router) head_came(f.packet, to.id, to.port, now);
}

void live_log::head_came(std::uint32_t slot, std::uint32_t router, std::uint32_t port, cycle_t now) {
    if (const auto number = number_of(slot)) note(what::comes, *number, router, port, now);
}

}  // namespace sare
