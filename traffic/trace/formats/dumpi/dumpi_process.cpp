// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_process.h"

#include <fmt/format.h>

namespace sare::traffic {

using fn = dumpi_function;

bool dumpi_process::next(event& e) {
    while (m_events.empty()) {
        dumpi_call call;
        if (m_over || !m_stream.next(call)) {
            m_over = true;
            return false;
        }
        add_computation(call);
        add(call);
    }
    e = std::move(m_events.front());
    m_events.pop_front();
    e.number = ++m_number;
    return true;
}

/// Adds the computation between the end of a call and the beginning of the next.
void dumpi_process::add_computation(const dumpi_call& call) {
    if (!call.timed) return;
    constexpr double turn = 65536;  ///< seconds are kept in 16 bits
    double idle = call.begin - m_end;
    if (idle < -turn / 2) idle += turn;
    if (m_began && idle > 0) {
        event e;
        e.seconds = idle;
        m_events.push_back(std::move(e));
    }
    m_began = true;
    m_end = call.end;
}

dumpi_process::place dumpi_process::group(std::int64_t name) const {
    std::uint32_t number = 0;
    if (name == dumpi_comm_self) {
        number = m_groups.self(m_task);
    } else if (name != dumpi_comm_world) {
        const auto found = m_names.find(name);
        if (found == m_names.end())
            m_stream.fail(fmt::format(
                "who is in communicator {} is not known: {}", name,
                name == dumpi_comm_null ? "it is MPI_COMM_NULL" : "no call of the file has made it"));
        const auto& given = m_groups.made(m_task, found->second);
        if (given.number == dumpi_groups::unknown)
            m_stream.fail(fmt::format("who is in communicator {} is not known: {}", name, given.why));
        number = given.number;
    }
    if (number == 0) return {0, &m_all, 0, m_all.size(), 0};
    const auto& g = m_groups.at(number);
    if (g.first_side == 0) return {number, &g.all, 0, g.all.size(), 0};
    if (g.all.rank(m_task) < g.first_side)
        return {number, &g.all, g.first_side, g.all.size() - g.first_side, g.sides[0]};
    return {number, &g.all, 0, g.first_side, g.sides[1]};
}

/// Checks that what the process was told of itself fits the members of its communicators.
void dumpi_process::check_said(const dumpi_call& c) const {
    const auto found = m_names.find(c.values[0]);
    if (found == m_names.end() || m_groups.made(m_task, found->second).number == dumpi_groups::unknown)
        return;
    const place p = group(c.values[0]);
    const std::uint32_t rank = p.group->rank(m_task) - (p.side != 0 && p.first_peer == 0 ? p.peers : 0);
    std::int64_t made = rank;
    const char* what = "rank";
    if (c.function != fn::comm_rank) {
        made = c.function == fn::comm_size && p.side != 0 ? p.group->size() - p.peers : p.peers;
        what = c.function == fn::comm_size ? "size" : "remote size";
    }
    if (made != c.values[1])
        m_stream.fail(fmt::format("the {} in communicator {} is {} here, but {} by the calls that made it",
                                  what, c.values[0], c.values[1], made));
}

std::uint64_t dumpi_process::bytes(std::int64_t count, std::int64_t datatype) const {
    if (count < 0) m_stream.fail(fmt::format("the count {} is negative", count));
    if (datatype < 0 || static_cast<std::size_t>(datatype) >= m_sizes.size())
        m_stream.fail(fmt::format("datatype {} is not in the table, which has {}", datatype, m_sizes.size()));
    return static_cast<std::uint64_t>(count) * m_sizes[static_cast<std::size_t>(datatype)];
}

std::uint32_t dumpi_process::rank(std::int64_t r, const place& p, const char* what) const {
    if (r < 0 || r >= p.peers)
        m_stream.fail(fmt::format("{} {} is out of range; ranks are 0 to {}", what, r, p.peers - 1));
    return p.first_peer + static_cast<std::uint32_t>(r);
}

/// Fills in the partner of a message or a probe; returns false if there is none (MPI_PROC_NULL).
bool dumpi_process::partner(event& e, op what, std::int64_t peer, std::int64_t tag, std::int64_t comm) {
    const bool receives = what == op::recv || what == op::irecv || what == op::probe;
    if (receives ? peer < -1 : peer < 0) return false;
    const place p = group(comm);
    e.what = what;
    e.communicator = p.number;
    e.peer = peer == -1 ? any_source : rank(peer, p, receives ? "the source" : "the destination");
    e.tag = receives && tag == -1 ? any_tag : tag;
    return true;
}

bool dumpi_process::message(event& e, op what, std::int64_t count, std::int64_t datatype, std::int64_t peer,
                            std::int64_t tag, std::int64_t comm) {
    if (!partner(e, what, peer, tag, comm)) return false;
    e.bytes = bytes(count, datatype);
    return true;
}

/// True for a receive or a probe from no process, when it has ended.
bool dumpi_process::is_from_none(const dumpi_call& call, std::int64_t peer) {
    return peer == -1 && call.statuses.size() == 1 && is_from_no_process(call.statuses[0]);
}

/// Fills in what a receive or a probe for any source got, if that has been recorded.
void dumpi_process::resolve(event& e, const dumpi_call& call, std::int64_t comm) {
    if (call.statuses.size() != 1 || call.statuses[0].source < 0) return;
    if (e.peer == any_source) e.peer = rank(call.statuses[0].source, group(comm), "the source");
    if (e.tag == any_tag && call.statuses[0].tag >= 0) e.tag = call.statuses[0].tag;
}

void dumpi_process::begin_request(std::int64_t name, event e) {
    e.request = ++m_requests;
    m_open[name] = e.request;
    push(std::move(e));
}

void dumpi_process::wait_for(std::int64_t name) {
    const auto found = m_open.find(name);
    if (found == m_open.end()) return;
    event e;
    e.what = op::wait;
    e.request = found->second;
    m_open.erase(found);
    push(std::move(e));
}

void dumpi_process::start(std::int64_t name) {
    const auto found = m_persistent.find(name);
    if (found == m_persistent.end())
        m_stream.fail(fmt::format("request {} is started, but was never made", name));
    if (found->second) begin_request(name, *found->second);
}

void dumpi_process::add(const dumpi_call& c) {
    dumpi_making making;
    if (is_making(c, making)) {
        if (making.makes_communicator()) m_names[making.made] = m_makings;
        ++m_makings;
    }
    if (c.function <= fn::irecv || (c.function >= fn::send_init && c.function <= fn::sendrecv_replace))
        add_message(c);
    else if (c.function <= fn::testsome)
        add_completion(c);
    else if (c.function <= fn::probe)
        add_probe(c);
    else if (c.function >= fn::accumulate && c.function <= fn::win_wait)
        add_one_sided(c);
    else if (c.function == fn::comm_size || c.function == fn::comm_rank || c.function == fn::comm_remote_size)
        check_said(c);
    else if (!add_between(c))
        add_collective(c);
}

void dumpi_process::add_message(const dumpi_call& c) {
    const auto& v = c.values;
    event e;
    switch (c.function) {
        case fn::send:
        case fn::bsend:
        case fn::ssend:
        case fn::rsend:
            if (message(e, op::send, v[0], v[1], v[2], v[3], v[4])) push(std::move(e));
            break;
        case fn::recv:
            if (is_from_none(c, v[2]) || !message(e, op::recv, v[0], v[1], v[2], v[3], v[4])) break;
            resolve(e, c, v[4]);
            push(std::move(e));
            break;
        case fn::isend:
        case fn::ibsend:
        case fn::issend:
        case fn::irsend:
        case fn::irecv:
            if (m_null_receives.count(c.number) > 0) break;
            if (message(e, c.function == fn::irecv ? op::irecv : op::isend, v[0], v[1], v[2], v[3], v[4]))
                begin_request(v[5], std::move(e));
            break;
        case fn::send_init:
        case fn::bsend_init:
        case fn::ssend_init:
        case fn::rsend_init:
        case fn::recv_init: {
            const bool real =
                message(e, c.function == fn::recv_init ? op::irecv : op::isend, v[0], v[1], v[2], v[3], v[4]);
            m_persistent[v[5]] = real ? std::optional<event>(std::move(e)) : std::nullopt;
            break;
        }
        case fn::start:
            start(v[0]);
            break;
        case fn::startall:
            for (const auto name : c.arrays[0]) start(name);
            break;
        case fn::sendrecv:
            exchange(c, {v[0], v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7]}, v[8]);
            break;
        case fn::sendrecv_replace:
            exchange(c, {v[0], v[1], v[2], v[3]}, {v[0], v[1], v[4], v[5]}, v[6]);
            break;
        default:
            break;
    }
}

/// Adds both halves of an exchange: counts, datatypes, partners and tags; the tags may differ.
void dumpi_process::exchange(const dumpi_call& c, const std::array<std::int64_t, 4>& out,
                             const std::array<std::int64_t, 4>& in, std::int64_t comm) {
    event sent, received;
    const bool sends = message(sent, op::isend, out[0], out[1], out[2], out[3], comm);
    if (sends) {
        sent.request = ++m_requests;
        push(sent);
    }
    if (!is_from_none(c, in[2]) && message(received, op::recv, in[0], in[1], in[2], in[3], comm)) {
        resolve(received, c, comm);
        push(std::move(received));
    }
    if (!sends) return;
    event done;
    done.what = op::wait;
    done.request = sent.request;
    push(std::move(done));
}

/// Adds a probe; one that found something waits for it.
void dumpi_process::add_probe(const dumpi_call& c) {
    const auto& v = c.values;
    if (c.function == fn::iprobe && v[3] == 0) return;
    event e;
    if (is_from_none(c, v[0])) return;
    if (!partner(e, op::probe, v[0], v[1], v[2])) return;
    resolve(e, c, v[2]);
    push(std::move(e));
}

/// Adds a completion. A test that found something complete is a wait: later calls have seen it.
void dumpi_process::add_completion(const dumpi_call& c) {
    if (c.function == fn::request_free) m_open.erase(c.values[0]);
    for (const auto name : completed_requests(c)) wait_for(name);
}

}  // namespace sare::traffic
