// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/memory_map.h"

#include "tlm/memory/initiator_port.h"
#include "tlm/memory/memory_port.h"
#include "tlm/systemc/reports.h"

namespace sare {

memory_map::memory_map(cycle_engine& engine, std::vector<address_range> ranges)
    : m_engine(engine), m_addresses(with_config_reports([&] { return address_map(std::move(ranges)); })) {
    if (!engine.set_bridge(*this)) m_addresses = address_map({});  // should reports not throw
}

void memory_map::add(std::uint32_t node, memory_port& memory) {
    if (m_memories.size() <= node) m_memories.resize(node + 1);
    m_memories[node].push_back(&memory);
}

memory_port* memory_map::memory_of(const address_range& range) const {
    if (range.node >= m_memories.size() || range.memory >= m_memories[range.node].size()) return nullptr;
    return m_memories[range.node][range.memory];
}

void memory_map::check() {
    if (m_checked) return;
    m_checked = true;
    const std::string engine = m_engine.name();
    for (const address_range& r : m_addresses.ranges()) {
        if (r.node >= m_engine.net().nodes())
            report_error(report_id::memory, engine + ": " + r.text() + ", and there are " +
                                                std::to_string(m_engine.net().nodes()) + " nodes");
        else if (memory_of(r) == nullptr)
            SC_REPORT_WARNING(report_id::memory, (engine + ": " + r.text() +
                                                  ", where no such memory is bound; accesses to it end with "
                                                  "TLM_ADDRESS_ERROR_RESPONSE")
                                                     .c_str());
    }
}

memory_access& memory_map::take() {
    ++m_open;
    return m_accesses.take();
}

void memory_map::over(memory_access& a) {
    a.over = true;
    --m_open;
}

void memory_map::request(memory_access& a) {
    send(a, a.from->node(), a.to->node(), a.is_write(), 0);
}

void memory_map::respond(memory_access& a) {
    a.response = true;
    send(a, a.to->node(), a.from->node(), a.is_read(), m_engine.net().classes() - 1);
}

void memory_map::send(memory_access& a, std::uint32_t from, std::uint32_t to, bool with_data,
                      std::uint32_t class_of) {
    message m;
    m.source = from;
    m.destination = to;
    m.flits = m_engine.net().flits_for(command_bytes + (with_data ? a.get_data_length() : 0));
    m.message_class = class_of;
    m.generated = m_engine.cycle();
    constexpr std::uint32_t numbers = 0x7fffffff;  // what bridge_tag leaves beside the slot
    m.tag = cycle_engine::bridge_tag | std::uint64_t{m_messages++ & numbers} << 32 | a.slot;
    a.tag = m.tag;
    m_engine.send_for_bridge(m);
}

void memory_map::delivered(const delivery& d) {
    memory_access& a = m_accesses[static_cast<std::uint32_t>(d.what.tag)];
    if (a.response)
        a.from->answered(a);
    else
        a.to->requested(a);
}

/// Told for each packet: the first one ends the access, and others may come when its slot has another one.
/// The memory knows at once that the request's number will not come.
void memory_map::dropped(const message& m, const std::string&) {
    memory_access& a = m_accesses[static_cast<std::uint32_t>(m.tag)];
    if (a.tag != m.tag) return;
    a.tag = 0;
    a.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (!a.response) a.to->lost(a);
    a.from->answered(a);
}

}  // namespace sare
