// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/memory_bridge.h"

#include <algorithm>

namespace sare {
namespace {

/// A payload with its address as the memory knows it, for the time of a call.
class local_address {
  public:
    local_address(tlm::tlm_generic_payload& payload, std::uint64_t base)
        : m_payload(payload), m_address(payload.get_address()) {
        payload.set_address(m_address - base);
    }
    ~local_address() { m_payload.set_address(m_address); }
    local_address(const local_address&) = delete;
    local_address& operator=(const local_address&) = delete;

  private:
    tlm::tlm_generic_payload& m_payload;
    std::uint64_t m_address;
};

}  // namespace

// ---- memory_map ------------------------------------------------------------------------------------------

memory_map::memory_map(cycle_engine& engine, std::vector<address_range> ranges)
    : m_engine(engine), m_ranges(std::move(ranges)) {
    std::sort(m_ranges.begin(), m_ranges.end(), [](const auto& a, const auto& b) { return a.base < b.base; });
    for (std::size_t k = 1; k < m_ranges.size(); ++k)
        if (m_ranges[k].base - m_ranges[k - 1].base < m_ranges[k - 1].size)
            throw config::error("address ranges overlap at " + std::to_string(m_ranges[k].base));
    engine.net().set_bridge(this);
}

const address_range* memory_map::find(std::uint64_t address) const {
    for (const auto& r : m_ranges)
        if (address >= r.base && address - r.base < r.size) return &r;
    return nullptr;
}

void memory_map::request(tlm::tlm_generic_payload& payload, std::uint32_t source,
                         const address_range& range) {
    const std::uint32_t slot = m_accesses.take();
    m_accesses[slot] = {&payload, source, range.node, range.base, 0, false};
    send(slot, source, range.node, payload.is_write(), 0);
}

void memory_map::respond(std::uint32_t slot) {
    access& a = m_accesses[slot];
    a.response = true;
    send(slot, a.target, a.source, a.payload->is_read(), m_engine.net().classes() - 1);
}

void memory_map::send(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool with_data,
                      std::uint32_t message_class) {
    // Command and address take eight bytes; data follows one way or the other.
    constexpr std::uint64_t command_bytes = 8;
    message m;
    m.source = from;
    m.destination = to;
    m.flits = m_engine.net().flits_for(command_bytes +
                                       (with_data ? m_accesses[slot].payload->get_data_length() : 0));
    m.message_class = message_class;
    m.generated = m_engine.cycle();
    constexpr std::uint32_t numbers = 0x7fffffff;  // what bridge_tag leaves beside the slot
    m.tag = cycle_engine::bridge_tag | std::uint64_t{m_messages++ & numbers} << 32 | slot;
    m_accesses[slot].tag = m.tag;
    m_engine.send(m);
}

void memory_map::delivered(const delivery& d) {
    const std::uint32_t slot = slot_of(d.what);
    const access& a = m_accesses[slot];
    if (!a.response) return m_bridges[a.target]->requested(slot);
    end(slot);
}

/// Told for each packet: the first one ends the access, and others may come when its slot has another one.
void memory_map::dropped(const message& m, const std::string&) {
    const std::uint32_t slot = slot_of(m);
    if (m_accesses[slot].tag != m.tag) return;
    m_accesses[slot].payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    end(slot);
}

/// The initiator gets what the payload says.
void memory_map::end(std::uint32_t slot) {
    const access a = m_accesses[slot];
    m_accesses[slot] = {};
    m_accesses.give_back(slot);
    m_bridges[a.source]->responded(*a.payload);
}

// ---- memory_bridge ---------------------------------------------------------------------------------------

memory_bridge::memory_bridge(const sc_core::sc_module_name& name, nic& interface, memory_map& map)
    : sc_core::sc_module(name),
      initiators("initiators"),
      memory("memory"),
      m_nic(interface),
      m_map(map),
      m_requests("requests"),
      m_serve("serve_event"),
      m_respond("respond_event") {
    SC_HAS_PROCESS(memory_bridge);
    initiators.register_b_transport(this, &memory_bridge::b_transport);
    initiators.register_nb_transport_fw(this, &memory_bridge::nb_transport_fw);
    initiators.register_transport_dbg(this, &memory_bridge::transport_dbg);
    SC_THREAD(serve);
    SC_METHOD(begin_requests);
    sensitive << m_requests.get_event();
    dont_initialize();
    SC_METHOD(begin_responses);
    sensitive << m_respond;
    dont_initialize();
    if (map.m_bridges.size() <= interface.node()) map.m_bridges.resize(interface.node() + 1);
    map.m_bridges[interface.node()] = this;
}

/// The range that holds all of an access, with a memory behind it; else the payload says so.
const address_range* memory_bridge::route(tlm::tlm_generic_payload& payload) const {
    const address_range* range = m_map.find(payload.get_address());
    const std::uint64_t last = payload.get_address() + std::max(payload.get_data_length(), 1u) - 1;
    if (range != nullptr && range == m_map.find(last) && range->node < m_map.m_bridges.size()) {
        memory_bridge* owner = m_map.m_bridges[range->node];
        if (owner != nullptr && owner->memory.get_base_port().size() != 0) return range;
    }
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return nullptr;
}

/// Loosely timed: the initiator first lets its own time pass, then waits for the response.
void memory_bridge::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const address_range* range = route(payload);
    if (range == nullptr) return;
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    sc_core::sc_event done;
    m_blocked.push_back({&payload, &done});
    m_map.request(payload, m_nic.node(), *range);
    sc_core::wait(done);
}

/// Approximately timed: a request is taken at once, and comes back with BEGIN_RESP.
tlm::tlm_sync_enum memory_bridge::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
        if (payload.has_mm()) payload.acquire();
        m_requests.notify(payload, delay);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    if (phase == tlm::END_RESP && &payload == m_responding) {
        end_response(delay);
        return tlm::TLM_COMPLETED;
    }
    SC_REPORT_ERROR("/sare/protocol",
                    (std::string(name()) + ": a phase that does not come next in the base protocol").c_str());
    return tlm::TLM_ACCEPTED;
}

void memory_bridge::begin_requests() {
    while (tlm::tlm_generic_payload* payload = m_requests.get_next_transaction()) {
        if (const address_range* range = route(*payload))
            m_map.request(*payload, m_nic.node(), *range);
        else
            responded(*payload);
    }
}

unsigned memory_bridge::transport_dbg(tlm::tlm_generic_payload& payload) {
    const address_range* range = route(payload);
    if (range == nullptr) return 0;
    const local_address here(payload, range->base);
    return m_map.m_bridges[range->node]->memory->transport_dbg(payload);
}

void memory_bridge::requested(std::uint32_t slot) {
    m_to_serve.push_back(slot);
    m_serve.notify(sc_core::SC_ZERO_TIME);
}

/// The memory's side: requests are done one after another, however long each takes.
void memory_bridge::serve() {
    for (;;) {
        while (m_to_serve.empty()) sc_core::wait(m_serve);
        const std::uint32_t slot = m_to_serve.front();
        m_to_serve.pop_front();
        tlm::tlm_generic_payload& payload = *m_map.m_accesses[slot].payload;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        {
            const local_address here(payload, m_map.m_accesses[slot].base);
            memory->b_transport(payload, delay);
        }
        payload.set_dmi_allowed(false);  // there is a network between
        if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
        m_map.respond(slot);
    }
}

/// The initiator's side: the response is here.
void memory_bridge::responded(tlm::tlm_generic_payload& payload) {
    const auto found = std::find_if(m_blocked.begin(), m_blocked.end(),
                                    [&](const blocked& b) { return b.payload == &payload; });
    if (found != m_blocked.end()) {
        found->done->notify(sc_core::SC_ZERO_TIME);
        m_blocked.erase(found);
        return;
    }
    m_responses.push_back(&payload);
    m_respond.notify(sc_core::SC_ZERO_TIME);
}

/// The base protocol wants one response to end before the next begins.
void memory_bridge::begin_responses() {
    if (m_responding != nullptr || m_responses.empty()) return;
    if (sc_core::sc_time_stamp() < m_response_end)
        return m_respond.notify(m_response_end - sc_core::sc_time_stamp());
    m_responding = m_responses.front();
    m_responses.pop_front();
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (initiators->nb_transport_bw(*m_responding, phase, delay) != tlm::TLM_ACCEPTED) end_response(delay);
}

void memory_bridge::end_response(const sc_core::sc_time& delay) {
    if (m_responding->has_mm()) m_responding->release();
    m_responding = nullptr;
    m_response_end = sc_core::sc_time_stamp() + delay;
    m_respond.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace sare
