// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/home.h"

#include "tlm/chi/atomics.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::chi {
namespace {

bool serves(const flit& f) {
    return is_read(f) || is_write(f) || is_atomic(f) || f.is(req::clean_unique) || f.is(req::make_unique) ||
           f.is(req::evict);
}

}  // namespace

home::home(const sc_core::sc_module_name& name, std::uint32_t bus_bytes, const system_map& map,
           const home_params& params)
    : agent(name, bus_bytes), m_map(map), m_params(params) {
    with_config_reports(this->name(), [&] {
        if (params.trackers == 0 || params.trackers > 4096)
            throw config::error("a home has 1 to 4096 trackers");
        if (map.memories.empty()) throw config::error("a home needs a memory node");
    });
}

void home::dump(std::ostream& out) const {
    agent::dump(out);
    out << "trackers = " << m_trackers.size() << " of " << m_params.trackers
        << ", kept for credits = " << m_reserved << '\n'
        << "lines in caches = " << m_directory.size() << '\n'
        << "requests = " << m_counts.requests << ", refused = " << m_counts.refused
        << ", snoops = " << m_counts.snoops << ", reads = " << m_counts.reads
        << ", writes = " << m_counts.writes << ", atomics = " << m_counts.atomics << '\n';
}

/// Reads in a cache that has the line, or in memory; writes in all of them. Fails during a transaction of the
/// line, whose data may be under way.
bool home::debug(const debug_access& a) {
    const std::uint64_t line = line_of(a.address);
    if (m_lines.count(line) != 0) return false;
    const auto held = m_directory.find(line);
    bool done = false;
    if (held != m_directory.end())
        for (const std::uint32_t node : held->second.nodes)
            if (a.write || !done) done = socket->debug(node, a) || done;
    if (a.write || !done) done = socket->debug(m_map.memory_of(line), a) || done;
    return done;
}

void home::received(const flit& f) {
    if (f.on == channel::req) return requested(f);
    const bool of_memory = f.is(dat::comp_data) || f.is(rsp::comp) || f.is(rsp::dbid_resp);
    if (m_trackers.count(f.txn) == 0)
        return report_error(report_id::protocol, std::string(name()) + ": an answer to nothing");
    tracker& t = m_trackers.at(f.txn);
    if (f.is(rsp::snp_resp) || f.is(dat::snp_resp_data)) return snoop_answered(f.txn, f);
    if (f.is(rsp::comp_ack)) return end(f.txn);
    if (!of_memory) return from_requester(f.txn, f);
    t.error = t.error || f.error;
    if (f.is(rsp::dbid_resp)) {
        flit data = flit::make(dat::non_copy_back_wr_data, f.source, f.db, f.qos);
        data.address = t.request.address;
        data.enables = t.enables;
        return send_line(data, t.line);
    }
    if (f.is(dat::comp_data)) {
        if (!t.from_memory.add(f, bus_bytes())) return;
        t.line = t.from_memory.data();
        t.has_line = true;
    }
    memory_done(f.txn);
}

// ---- requests and retries --------------------------------------------------------------------------------

void home::requested(const flit& f) {
    const auto wrong = [&](const std::string& what) {
        report_error(report_id::protocol, fmt::format("{}: a request of node {} {}", name(), f.source, what));
    };
    if (!serves(f)) return wrong(fmt::format("with opcode {}, which a home does not take", f.opcode));
    if (is_atomic(f) && !fits(f))
        return wrong(fmt::format("for an atomic access of Size {}, which it cannot have there", f.size));
    if (!f.allow_retry && m_reserved == 0) return wrong("without AllowRetry, and no credit has been granted");
    ++m_counts.requests;
    if (f.allow_retry && m_trackers.size() + m_reserved >= m_params.trackers) return refuse(f);
    if (!f.allow_retry) --m_reserved;
    std::uint16_t id = 0;
    while (m_trackers.count(id) != 0) ++id;
    m_trackers[id].request = f;
    m_counts.most_trackers = std::max(m_counts.most_trackers, static_cast<std::uint32_t>(m_trackers.size()));
    auto& waiting = m_lines[line_of(f.address)];
    waiting.push_back(id);
    if (waiting.size() == 1) start(id);
}

void home::refuse(const flit& f) {
    ++m_counts.refused;
    m_refused.push_back(f);
    send(flit::answer(rsp::retry_ack, f));
}

void home::end(std::uint16_t id) {
    const std::uint64_t line = line_of(m_trackers.at(id).request.address);
    m_trackers.erase(id);
    const auto known = m_directory.find(line);
    if (known != m_directory.end() && known->second.nodes.empty()) m_directory.erase(known);
    if (!m_refused.empty()) {
        ++m_reserved;
        send(flit::make(rsp::pcrd_grant, m_refused.front().source, 0, m_refused.front().qos));
        m_refused.pop_front();
    }
    auto& waiting = m_lines.at(line);
    waiting.pop_front();
    if (waiting.empty())
        m_lines.erase(line);
    else
        start(waiting.front());
}

// ---- coherence -------------------------------------------------------------------------------------------

void home::start(std::uint16_t id) {
    const flit& f = m_trackers.at(id).request;
    const std::uint64_t line = line_of(f.address);
    if (f.times != nullptr) f.times->memory_begun = sc_core::sc_time_stamp();
    if (is_write(f) || is_atomic(f)) {
        flit go = flit::answer(f.is(req::write_back_full) ? rsp::comp_dbid_resp : rsp::dbid_resp, f);
        go.db = id;
        return send(go);
    }
    if (f.is(req::evict)) {
        m_directory[line].nodes.erase(f.source);
        send(flit::answer(rsp::comp, f));
        return end(id);
    }
    if (f.is(req::read_no_snp)) return ask_memory(id, req::read_no_snp);
    holders& h = m_directory[line];
    std::set<std::uint32_t> others = h.nodes;
    others.erase(f.source);
    if (f.is(req::read_shared)) {
        if (!h.unique) others.clear();
        return snoop(id, snp::snp_shared, others);
    }
    const snp op = f.is(req::read_unique)    ? snp::snp_unique
                   : f.is(req::clean_unique) ? snp::snp_clean_invalid
                                             : snp::snp_make_invalid;
    snoop(id, op, others);
}

void home::snoop(std::uint16_t id, snp op, const std::set<std::uint32_t>& nodes) {
    tracker& t = m_trackers.at(id);
    t.snoops = static_cast<std::uint32_t>(nodes.size());
    m_counts.snoops += nodes.size();
    for (const std::uint32_t n : nodes) {
        flit f = flit::make(op, n, id, t.request.qos);
        f.address = line_of(t.request.address);
        send(f);
    }
    if (nodes.empty()) after_snoops(id);
}

void home::snoop_answered(std::uint16_t id, const flit& f) {
    tracker& t = m_trackers.at(id);
    if (f.is(dat::snp_resp_data)) {
        line_buffer& buffer = t.snooped[f.source];
        if (!buffer.add(f, bus_bytes())) return;
        t.line = buffer.data();
        t.has_line = true;
        t.dirty = t.dirty || (f.resp & resp_pass_dirty) != 0;
    }
    if ((f.resp & ~resp_pass_dirty) == resp_i) m_directory[line_of(t.request.address)].nodes.erase(f.source);
    if (--t.snoops == 0) after_snoops(id);
}

/// Writes dirty data to memory, unless the requester will own it.
void home::after_snoops(std::uint16_t id) {
    tracker& t = m_trackers.at(id);
    const bool takes_dirty = t.request.is(req::read_unique);
    if (is_atomic(t.request)) return t.has_line ? apply_atomic(id) : ask_memory(id, req::read_no_snp);
    if (t.dirty && !takes_dirty) return ask_memory(id, req::write_no_snp_full);
    if (is_read(t.request) && !t.has_line) return ask_memory(id, req::read_no_snp);
    answer(id);
}

void home::ask_memory(std::uint16_t id, req op) {
    const tracker& t = m_trackers.at(id);
    flit f = flit::make(op, m_map.memory_of(t.request.address), id, t.request.qos);
    f.address = t.request.address;
    ++(op == req::read_no_snp ? m_counts.reads : m_counts.writes);
    send(f);
}

void home::memory_done(std::uint16_t id) {
    tracker& t = m_trackers.at(id);
    t.dirty = false;
    if (is_atomic(t.request)) return t.applied || t.error ? answer_atomic(id) : apply_atomic(id);
    if (t.request.is(req::write_back_full)) return end(id);
    if (writes_memory(t.request)) {
        flit done = flit::answer(rsp::comp, t.request);
        done.error = t.error;
        send(done);
        return end(id);
    }
    answer(id);
}

void home::answer(std::uint16_t id) {
    tracker& t = m_trackers.at(id);
    const flit& f = t.request;
    holders& h = m_directory[line_of(f.address)];
    const bool coherent = !f.is(req::read_no_snp);
    if (coherent && !t.error) h.nodes.insert(f.source);
    h.unique = h.nodes.size() == 1;
    flit reply = flit::answer(rsp::comp, f);
    if (is_read(f)) reply = flit::answer(dat::comp_data, f);
    reply.address = f.address;
    reply.db = id;
    reply.home = f.target;
    reply.resp = h.unique || !coherent ? resp_uc : resp_sc;
    if (t.dirty) reply.resp |= resp_pass_dirty;
    const bool acknowledged = f.exp_comp_ack;
    send_answer(id, reply);
    if (!acknowledged) end(id);
}

void home::send_answer(std::uint16_t id, flit reply) {
    const tracker& t = m_trackers.at(id);
    reply.error = t.error;
    reply.enables = ~std::uint64_t{0};
    reply.times = t.request.times;
    if (reply.times != nullptr) reply.times->memory_done = sc_core::sc_time_stamp();
    if (reply.on == channel::dat)
        send_line(reply, is_atomic(t.request) ? t.before : t.line);
    else
        send(reply);
}

/// Applies an atomic: no cache has the line, and nobody else gets it before memory has it.
void home::apply_atomic(std::uint16_t id) {
    tracker& t = m_trackers.at(id);
    ++m_counts.atomics;
    t.applied = true;
    t.before = t.line;
    const atomic_access what = operation_of(t.request);
    const std::uint32_t bytes = value_bytes(t.request);
    const std::uint64_t at = t.request.address % line_bytes;
    std::array<unsigned char, 2 * atomic_access::most_bytes> operand{};
    const auto& come = t.from_node.data();
    std::copy_n(come.begin() + at, bytes, operand.begin());
    if (what.operation == atomic_operation::compare)
        std::copy_n(come.begin() + swapped_place(at, bytes), bytes, operand.begin() + bytes);
    what.apply(t.line.data() + at, operand.data(), bytes);
    if (m_observer != nullptr)
        m_observer->updated(t.request.address, t.before.data() + at, t.line.data() + at, bytes);
    ask_memory(id, req::write_no_snp_full);
}

void home::answer_atomic(std::uint16_t id) {
    const flit& f = m_trackers.at(id).request;
    flit reply = flit::answer(rsp::comp, f);
    if (fetches(f)) reply = flit::answer(dat::comp_data, f);
    reply.address = f.address;
    reply.db = id;
    reply.home = f.target;
    send_answer(id, reply);
    end(id);
}

/// Takes data that a requester writes.
void home::from_requester(std::uint16_t id, const flit& f) {
    tracker& t = m_trackers.at(id);
    if (!f.is(dat::copy_back_wr_data) && !f.is(dat::non_copy_back_wr_data))
        return report_error(report_id::protocol, std::string(name()) + ": a flit that a home does not take");
    if (!t.from_node.add(f, bus_bytes())) return;
    if (is_atomic(t.request))
        return snoop(id, snp::snp_unique, m_directory[line_of(t.request.address)].nodes);
    t.line = t.from_node.data();
    t.enables = t.from_node.enables();
    if (writes_memory(t.request)) return ask_memory(id, static_cast<req>(t.request.opcode));
    m_directory[line_of(t.request.address)].nodes.erase(t.request.source);
    if ((f.resp & resp_pass_dirty) == 0) return end(id);
    ask_memory(id, req::write_no_snp_full);
}

}  // namespace sare::chi
