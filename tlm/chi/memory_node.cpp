// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/memory_node.h"

#include "tlm/systemc/kernel_api.h"
#include "tlm/systemc/reports.h"

#include <algorithm>

namespace sare::chi {

memory_node::memory_node(const sc_core::sc_module_name& name, std::uint32_t bus_bytes)
    : agent(name, bus_bytes), memory("memory") {
    SARE_HAS_PROCESS(memory_node);
    SC_THREAD(run);
}

void memory_node::dump(std::ostream& out) const {
    agent::dump(out);
    out << "requests held = " << m_accesses->open << '\n'
        << "reads = " << m_reads << ", writes = " << m_writes << '\n';
}

bool memory_node::debug(const debug_access& a) {
    tlm::tlm_generic_payload p;
    p.set_command(a.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    p.set_address(a.address);
    p.set_data_ptr(a.bytes);
    p.set_data_length(a.length);
    p.set_streaming_width(a.length);
    return memory->transport_dbg(p) == a.length;
}

void memory_node::received(const flit& f) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (f.on == channel::req) m_accesses->most_open = std::max(m_accesses->most_open, ++m_accesses->open);
    if (f.is(req::read_no_snp)) {
        m_queue.push_back({f, {}, now});
        m_come.notify(sc_core::SC_ZERO_TIME);
    } else if (writes_memory(f)) {
        while (m_open.count(m_next_db) != 0) ++m_next_db;
        m_open[m_next_db] = {f, {}, now};
        flit answer = flit::answer(rsp::dbid_resp, f);
        answer.db = m_next_db++;
        send(answer);
    } else if (f.is(dat::non_copy_back_wr_data) && m_open.count(f.txn) != 0) {
        const auto found = m_open.find(f.txn);
        if (!found->second.data.add(f, bus_bytes())) return;
        m_queue.push_back(found->second);
        m_open.erase(found);
        m_come.notify(sc_core::SC_ZERO_TIME);
    } else {
        report_error(report_id::protocol,
                     std::string(name()) + ": a flit that a subordinate node does not take");
    }
}

void memory_node::run() {
    for (;;) {
        while (m_queue.empty()) sc_core::wait(m_come);
        request r = m_queue.front();
        m_queue.pop_front();
        serve(r);
        --m_accesses->open;
    }
}

void memory_node::access(tlm::tlm_generic_payload& p) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    memory->b_transport(p, delay);
    if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
}

void memory_node::serve(request& r) {
    std::array<unsigned char, line_bytes> data = r.data.data(), enables{};
    tlm::tlm_generic_payload p;
    p.set_address(line_of(r.f.address));
    p.set_data_ptr(data.data());
    p.set_data_length(line_bytes);
    p.set_streaming_width(line_bytes);
    const bool read = r.f.is(req::read_no_snp);
    p.set_command(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    if (r.f.is(req::write_no_snp_ptl)) {
        for (std::uint32_t k = 0; k < line_bytes; ++k)
            enables[k] = (r.data.enables() >> k & 1) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        p.set_byte_enable_ptr(enables.data());
        p.set_byte_enable_length(line_bytes);
    }
    access(p);
    m_accesses->statistics.count(p, r.arrived, sc_core::sc_time_stamp());
    ++(read ? m_reads : m_writes);
    flit answer = flit::answer(rsp::comp, r.f);
    if (read) answer = flit::answer(dat::comp_data, r.f);
    answer.error = p.is_response_error();
    answer.resp = resp_uc;
    answer.address = r.f.address;
    answer.enables = ~std::uint64_t{0};
    if (read)
        send_line(answer, data);
    else
        send(answer);
}

}  // namespace sare::chi
