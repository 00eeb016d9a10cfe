// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/memory_map.h"

#include "tlm/fabric/fabric.h"
#include "tlm/memory/atomic/atomic_access.h"
#include "tlm/memory/initiator_port.h"
#include "tlm/memory/latency_estimate.h"
#include "tlm/memory/memory_bridge.h"
#include "tlm/memory/memory_port.h"
#include "tlm/state/archive.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

namespace sare {

memory_map::memory_map(cycle_engine& engine, std::vector<address_range> ranges)
    : m_engine(engine),
      m_addresses(with_config_reports(std::string("the memory map of ") + engine.name(),
                                      [&] { return address_map(std::move(ranges)); })),
      m_latency(std::make_unique<latency_estimate>(engine)) {
    if (!engine.set_bridge(*this)) m_addresses = address_map({});  // should reports not throw
}

memory_map::~memory_map() = default;

void memory_map::join(memory_bridge_base& bridge) {
    m_bridges.push_back(&bridge);
    m_report.add(bridge);
    m_latency->set_nic_delay(bridge.node(), bridge.nic_delay());
}

void memory_map::invalidate(const memory_port& memory, std::uint64_t first, std::uint64_t last) {
    for (const address_range& r : m_addresses.ranges()) {
        const auto seen = memory_of(r) == &memory ? r.addresses_of(first, last) : std::nullopt;
        if (!seen) continue;
        for (memory_bridge_base* bridge : m_bridges) bridge->forget_direct(seen->first, seen->second);
    }
}

void memory_map::add(std::uint32_t node, memory_port& memory) {
    if (node >= m_engine.net().view().nodes())
        return report_error(report_id::memory,
                            fmt::format("{}: a memory at node {}, and there are {} nodes", m_engine.name(),
                                        node, m_engine.net().view().nodes()));
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
        if (r.node >= m_engine.net().view().nodes())
            report_error(report_id::memory, fmt::format("{}: {}, and there are {} nodes", engine, r.text(),
                                                        m_engine.net().view().nodes()));
        else if (memory_of(r) == nullptr)
            SC_REPORT_WARNING(
                report_id::memory,
                (engine + ": " + r.text() +
                 ", where no such memory is bound; accesses to it end with TLM_ADDRESS_ERROR_RESPONSE")
                    .c_str());
    }
}

memory_access& memory_map::take(access_mode mode) {
    memory_access& a = m_accesses.take();
    a.mode = mode;
    if (mode == access_mode::exact) ++m_open;
    return a;
}

void memory_map::over(memory_access& a) {
    a.over = true;
    if (a.mode == access_mode::exact) --m_open;
}

std::uint32_t memory_map::flits_of(std::uint32_t data_bytes) {
    const std::uint64_t bytes = command_bytes + std::uint64_t{data_bytes};
    sized& last = m_last_sizes[data_bytes != 0 ? 1 : 0];
    if (last.bytes != bytes) last = {bytes, std::as_const(m_engine).net().port().flits_for(bytes)};
    return last.flits;
}

cycle_t memory_map::estimate(std::uint32_t from, std::uint32_t to, std::uint32_t bytes) {
    return m_latency->cycles(from, to, flits_of(bytes));
}

void memory_map::probe(initiator_port& from, memory_port& to, const tlm::tlm_generic_payload& like) {
    memory_access& a = take(access_mode::exact);
    a.probe = true;
    a.from = &from;
    a.to = &to;
    a.set_command(like.get_command());
    a.set_data_length(like.get_data_length());
    if (const auto* options = like.get_extension<access_options>()) {
        a.request_class = options->request_class;
        a.response_class = options->response_class;
    }
    request(a);
}

/// Takes a message of a probe: a request is answered at once.
void memory_map::arrived(memory_access& probe) {
    if (!probe.response) return respond(probe);
    probe.from->probed();
    over(probe);
    probe.release();
}

void memory_map::request(memory_access& a) {
    m_own_classes = m_own_classes || a.has_classes();
    send(a, a.from->node(), a.to->node(), a.is_write() ? a.get_data_length() : 0, a.request_class, now());
}

bool memory_map::may_respond_ahead(std::uint32_t node) const {
    return m_memories[node].size() == 1 && m_other == nullptr && !m_own_classes &&
           std::as_const(m_engine).net().view().classes() > 1;
}

void memory_map::respond(memory_access& a, const sc_core::sc_time& when) {
    a.response = true;
    const std::uint32_t last = std::as_const(m_engine).net().view().classes() - 1;
    send(a, a.to->node(), a.from->node(), response_bytes(a),
         a.response_class == access_options::last ? last : a.response_class, when);
}

void memory_map::send(memory_access& a, std::uint32_t from, std::uint32_t to, std::uint32_t bytes,
                      std::uint32_t class_of, const sc_core::sc_time& when) {
    if (a.mode != access_mode::exact) {
        a.tag = 0;
        const bool timed = a.mode == access_mode::estimate;
        return a.from->carry(a, timed ? estimate(from, to, bytes) : 0);
    }
    message m;
    m.source = from;
    m.destination = to;
    m.flits = flits_of(bytes);
    m.message_class = class_of;
    constexpr std::uint32_t numbers = 0x3fffffff;  // what is left beside bridge_tag, shared_tag and the slot
    m.tag = cycle_engine::bridge_tag | std::uint64_t{m_messages++ & numbers} << 32 | a.slot;
    a.tag = m.tag;
    m_engine.send_for_bridge(m, when);
}

void memory_map::delivered(const delivery& d) {
    if ((d.what.tag & shared_tag) != 0) return m_other->delivered(d);
    memory_access& a = m_accesses[static_cast<std::uint32_t>(d.what.tag)];
    const cycle_t took = d.consumed - d.what.generated;
    const cycle_t empty = m_latency->learn(d.what.source, d.what.destination, d.what.flits, took);
    if (a.probe) return arrived(a);
    note_times(a, d, empty);
    if (a.response)
        a.from->answered(a);
    else
        a.to->requested(a);
}

void memory_map::note_times(memory_access& a, const delivery& d, cycle_t empty) {
    const engine_clock& clock = m_engine.clock();
    const cycle_t took = d.consumed - d.injected;
    access_times& t = a.times;
    (a.response ? t.response_injected : t.request_injected) = clock.began(d.injected);
    (a.response ? t.response_arrived : t.request_arrived) = clock.began(d.consumed);
    (a.response ? t.response_stalls : t.request_stalls) = took > empty ? took - empty : 0;
}

bool memory_map::set_trace(transaction_trace* trace) {
    if (trace != nullptr && m_trace != nullptr) {
        report_error(report_id::memory, std::string(m_engine.name()) +
                                            ": its accesses are traced already; stop() that trace first");
        return false;
    }
    m_trace = trace;
    if (trace != nullptr) {
        m_report.count_all();
        m_follower.note_packets();
    }
    return true;
}

/// Ends the access with the first packet that is dropped; later packets may come when its slot has another
/// access. The memory learns at once that the request's number will not come.
void memory_map::dropped(const message& m, const std::string& cause) {
    if ((m.tag & shared_tag) != 0) return m_other->dropped(m, cause);
    memory_access& a = m_accesses[static_cast<std::uint32_t>(m.tag)];
    if (a.tag != m.tag) return;
    a.tag = 0;
    if (a.probe) {
        a.response = true;  // none will come
        return arrived(a);
    }
    a.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (!a.response) a.to->lost(a);
    a.from->answered(a);
}

void memory_map::serialize(archive& a) {
    a.same(m_memories.size(), "which nodes have memories");
    for (const std::vector<memory_port*>& of_node : m_memories) {
        a.same(of_node.size(), "how many memories a node has");
        for (memory_port* memory : of_node) memory->serialize(a);
    }
    if (m_other != nullptr) m_other->serialize(a);
}

}  // namespace sare
