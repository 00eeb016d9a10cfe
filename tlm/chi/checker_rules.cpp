// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/checker.h"

#include <algorithm>

namespace sare::chi {
bool checker_rules::expect(bool right, const std::string& rule) {
    if (!right && violations.size() < 10)
        violations.push_back(sc_core::sc_time_stamp().to_string() + ": " + rule);
    return right;
}

void checker_rules::flit_seen(const flit& f) {
    switch (f.on) {
        case channel::req:
            return on_request(f);
        case channel::rsp:
            return on_response(f);
        case channel::dat:
            return on_data(f);
        case channel::snp:
            return on_snoop(f);
    }
}

/// Returns true for the last packet.
bool checker_rules::add_packet(std::uint32_t& come, const flit& f) {
    const std::uint32_t step = m_bus_bytes / 16;
    if (!expect(f.data_id < 4 && f.data_id % step == 0, "a DataID that is not a packet's")) return false;
    expect((come >> f.data_id & 1) == 0, "a data packet comes twice");
    come |= 1U << f.data_id;
    for (std::uint32_t k = 0; k < 4; k += step)
        if ((come >> k & 1) == 0) return false;
    return true;
}

void checker_rules::on_request(const flit& f) {
    const auto [found, is_new] = m_requests.try_emplace({f.source, f.txn});
    request& r = found->second;
    if (is_new) {
        ++transactions;
        expect(f.allow_retry, "a request without AllowRetry that was not refused");
    } else if (expect(r.refused, "a TxnID that is in use")) {
        expect(!f.allow_retry && --m_credits[{f.source, f.target}] >= 0,
               "a request goes again without a credit");
        expect(r.f.opcode == f.opcode && r.f.address == f.address,
               "another request goes in place of a refused one");
    }
    r = request();
    r.f = f;
}

void checker_rules::on_response(const flit& f) {
    if (f.is(rsp::snp_resp)) return answer_snoop(f);
    if (f.is(rsp::pcrd_grant)) {
        ++m_credits[{f.target, f.source}];
        return;
    }
    if (f.is(rsp::comp_ack)) {
        expect(m_acks.erase({f.source, f.target, f.txn}) == 1, "CompAck without a completion that wants it");
        return;
    }
    const auto found = m_requests.find({f.target, f.txn});
    if (!expect(found != m_requests.end() && !found->second.refused, "a response to no request")) return;
    const flit& asked = found->second.f;
    if (f.is(rsp::retry_ack)) {
        expect(asked.allow_retry, "RetryAck to a request without AllowRetry");
        found->second.refused = true;
    } else if (f.is(rsp::comp)) {
        expect(!is_read(asked) && !fetches(asked) && !asked.is(req::write_back_full),
               "Comp to a request that wants another answer");
        completed(f);
    } else if (f.is(rsp::comp_dbid_resp) || f.is(rsp::dbid_resp)) {
        expect(is_write(asked) || is_atomic(asked), "a DBID for a request without data");
        const req op = asked.is(req::write_back_full) ? req::write_back_full : req::write_no_snp_full;
        expect(m_writes.try_emplace({f.target, f.source, f.db}, write{op, 0}).second,
               "a DBID that is in use");
        if (f.is(rsp::comp_dbid_resp)) completed(f);
    } else {
        expect(false, "an opcode that RSP does not have");
    }
}

void checker_rules::completed(const flit& f) {
    const auto found = m_requests.find({f.target, f.txn});
    const flit& asked = found->second.f;
    if (asked.exp_comp_ack)
        expect(m_acks.try_emplace({f.target, f.source, f.db}, line_of(asked.address)).second,
               "a DBID that is in use");
    m_requests.erase(found);
}

void checker_rules::on_data(const flit& f) {
    if (f.is(dat::snp_resp_data)) return answer_snoop(f);
    if (f.is(dat::comp_data)) {
        const auto found = m_requests.find({f.target, f.txn});
        if (!expect(found != m_requests.end() && (is_read(found->second.f) || fetches(found->second.f)),
                    "CompData for no read"))
            return;
        if (add_packet(found->second.data, f)) completed(f);
        return;
    }
    const auto found = m_writes.find({f.source, f.target, f.txn});
    if (!expect(found != m_writes.end(), "write data without a DBID")) return;
    expect(f.is(dat::copy_back_wr_data) == (found->second.op == req::write_back_full),
           "write data of the other kind");
    if (add_packet(found->second.data, f)) m_writes.erase(found);
}

void checker_rules::on_snoop(const flit& f) {
    for (const auto& [at, s] : m_snoops)
        expect(std::get<0>(at) != f.target || s.line != f.address,
               "a second snoop to a line before the answer");
    for (const auto& [at, line] : m_acks)
        expect(std::get<0>(at) != f.target || line != f.address, "a snoop to a line before its CompAck");
    expect(m_snoops.try_emplace({f.target, f.source, f.txn}, snooped{f.address, 0}).second,
           "a snoop's TxnID is in use");
}

void checker_rules::answer_snoop(const flit& f) {
    const auto found = m_snoops.find({f.source, f.target, f.txn});
    if (!expect(found != m_snoops.end(), "an answer to no snoop")) return;
    if (f.on == channel::rsp || add_packet(found->second.data, f)) m_snoops.erase(found);
}

// ---- checker ---------------------------------------------------------------------------------------------

checker::checker(const sc_core::sc_module_name& name, std::uint32_t id, std::uint32_t bus_bytes)
    : sc_core::sc_module(name), node("node"), network("network"), rules(bus_bytes), m_node(id) {
    node.bind(*this);
    network.bind(*this);
}

void checker::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "node = " << m_node << '\n'
        << "transactions = " << rules.transactions << ", open = " << rules.open() << '\n';
    for (const std::string& v : rules.violations) out << "violation: " << v << '\n';
}

/// `credits`: credits of the flits in this direction; a credit in this direction is for the other one.
void checker::link(std::array<std::uint32_t, channels>& credits, const flit& f, const char* from) {
    std::uint32_t& left = credits[number_of(f.on)];
    if (rules.expect(left != 0, std::string(from) + " sends a flit without a link credit")) --left;
    rules.flit_seen(f);
}

tlm::tlm_sync_enum checker::nb_transport_fw(flit& f, phase& p, sc_core::sc_time& delay) {
    if (p == phase::credit) {
        ++m_to_node[static_cast<std::size_t>(f.on)];
    } else {
        flit seen = f;
        seen.source = m_node;
        link(m_to_network, seen, "the node");
    }
    return network->nb_transport_fw(f, p, delay);
}

tlm::tlm_sync_enum checker::nb_transport_bw(flit& f, phase& p, sc_core::sc_time& delay) {
    if (p == phase::credit)
        ++m_to_network[static_cast<std::size_t>(f.on)];
    else
        link(m_to_node, f, "the network");
    return node->nb_transport_bw(f, p, delay);
}

}  // namespace sare::chi
