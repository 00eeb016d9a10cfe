// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/map/address_crossing.h"

#include "tlm/systemc/kernel_api.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

namespace sare {
namespace {

/// Parameters of a memory of the first network, called by phases.
memory_bridge_params in_first_network(const address_crossing_params& params) {
    memory_bridge_params p;
    p.timing = memory_timing::phases;
    p.at_once = params.at_once;
    p.atomics = atomic_place::memory;
    return p;
}
memory_bridge_params in_second_network(const address_crossing_params& params) {
    memory_bridge_params p;
    p.outstanding = params.at_once;
    return p;
}
address_crossing_params checked(const std::string& name, memory_map& from, memory_map& to,
                                address_crossing_params params) {
    with_config_reports(name, [&] {
        if (&from.engine() == &to.engine())
            throw config::error("both maps are of one network; a crossing is between two");
        if (params.stages == 0 || params.stages > 1024 || params.at_once == 0 || params.at_once > 1024)
            throw config::error(fmt::format("stages and at_once are {} and {}; both must be 1 to 1024",
                                            params.stages, params.at_once));
    });
    return params;
}

}  // namespace

address_crossing::address_crossing(const sc_core::sc_module_name& name, nic& from, memory_map& from_map,
                                   nic& to, memory_map& to_map, const address_crossing_params& params)
    : sc_core::sc_module(name),
      m_first(from_map.engine().clock()),
      m_second(to_map.engine().clock()),
      m_params(checked(this->name(), from_map, to_map, params)),
      m_near("near", from, from_map, in_first_network(m_params)),
      m_far("far", to, to_map, in_second_network(m_params)),
      m_in("in"),
      m_out("out"),
      m_to_second("to_second"),
      m_to_first("to_first") {
    m_in.register_b_transport(this, &address_crossing::b_transport);
    m_in.register_nb_transport_fw(this, &address_crossing::requested);
    m_in.register_transport_dbg(this, &address_crossing::transport_dbg);
    m_in.register_get_direct_mem_ptr(this, &address_crossing::get_direct_mem_ptr);
    m_out.register_nb_transport_bw(this, &address_crossing::answered);
    m_out.register_invalidate_direct_mem_ptr(this, &address_crossing::invalidate_direct_mem_ptr);
    m_near.memory.bind(m_in);
    m_out.bind(m_far.initiators);
    SARE_HAS_PROCESS(address_crossing);
    SC_METHOD(send);
    sensitive << m_to_second.get_event() << m_free;
    dont_initialize();
    SC_METHOD(respond);
    sensitive << m_to_first.get_event();
    dont_initialize();
}

void address_crossing::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "from = " << m_near.name() << '\n'
        << "to = " << m_far.name() << '\n'
        << "accesses under way = " << m_under_way << '\n';
}

/// Time for crossing, as of a flit: written at the end of this cycle, read `stages` cycles of the other clock
/// later.
sc_core::sc_time address_crossing::until_across(const engine_clock& from, const engine_clock& to,
                                                const sc_core::sc_time& ahead) const {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    const sc_core::sc_time written = from.begin_of(from.cycle_at(now + ahead) + 1);
    cycle_t read = to.cycle_at(written);
    if (to.begin_of(read) < written) ++read;
    return to.begin_of(read + m_params.stages - 1) - now;
}

/// Forwards accesses in modes without messages.
void address_crossing::b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    delay = until_across(m_first, m_second, delay);
    m_out->b_transport(p, delay);
    delay = until_across(m_second, m_first, delay);
}

/// Takes a request; there are at most `at_once`, for which there is room.
tlm::tlm_sync_enum address_crossing::requested(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    p.acquire();
    ++m_under_way;
    m_to_second.notify(p, until_across(m_first, m_second, delay));
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void address_crossing::send() {
    while (tlm::tlm_generic_payload* p = m_to_second.get_next_transaction()) m_waiting.push_back(p);
    while (m_requesting == nullptr && !m_waiting.empty()) {
        m_requesting = m_waiting.front();
        m_waiting.pop_front();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        tlm::tlm_generic_payload& p = *m_requesting;
        const tlm::tlm_sync_enum answer = m_out->nb_transport_fw(p, phase, delay);
        if (answer != tlm::TLM_ACCEPTED) m_requesting = nullptr;
        if (answer == tlm::TLM_COMPLETED) m_to_first.notify(p, until_across(m_second, m_first, delay));
    }
}

tlm::tlm_sync_enum address_crossing::answered(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
    if (m_requesting == &p) {
        m_requesting = nullptr;
        m_free.notify(sc_core::SC_ZERO_TIME);
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    m_to_first.notify(p, until_across(m_second, m_first, delay));
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

/// Hands responses back, which a bridge takes at once.
void address_crossing::respond() {
    while (tlm::tlm_generic_payload* p = m_to_first.get_next_transaction()) {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        --m_under_way;
        m_in->nb_transport_bw(*p, phase, delay);
        p->release();
    }
}

}  // namespace sare
