// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/simbricks/link.h"

#include <fmt/format.h>

#include <sys/socket.h>

#include <cerrno>

namespace sare::traffic::simbricks {

link::link(connection c, picoseconds latency, const bridge_terms& terms)
    : peer(std::move(c.name), {c.who}, latency),
      m_terms(terms),
      m_line(std::move(c.line)),
      m_memory(std::move(c.memory)),
      m_in(m_memory.begin(), c.in),
      m_out(m_memory.begin(), c.out) {}

void link::deliver(const frame& f) {
    if (f.bytes == nullptr) throw peer_failure("a frame without its bytes, which its protocol cannot carry");
    put({type_packet, f.time, f.bytes});
}

void link::send_grant() {
    put({type_sync, granted(), nullptr});
    flush();
}

void link::put(waiting w) {
    m_waiting_bytes += cost + (w.bytes ? w.bytes->size() : 0);
    if (m_waiting_bytes > most_waiting)
        throw peer_failure(
            fmt::format("it does not take what is sent to it: {} bytes wait", m_waiting_bytes));
    m_waiting.push_back(std::move(w));
}

void link::flush() {
    while (!m_waiting.empty()) {
        const waiting& w = m_waiting.front();
        if (!m_out.put(w.type, w.time, w.bytes.get())) return;
        m_waiting_bytes -= cost + (w.bytes ? w.bytes->size() : 0);
        m_waiting.pop_front();
    }
}

void link::attend(bridge_side& bridge) {
    flush();
    if (take_messages(bridge) || !is_gone()) return;
    if (!take_messages(bridge))
        throw peer_failure("it is gone without a word");  // its last ones may have come
}

/// Takes all messages before the granted time; the next one waits in its queue. False: there are none.
bool link::take_messages(bridge_side& bridge) {
    while (const incoming::message* m = m_in.head()) {
        if (m->type == type_terminate) {
            leave("terminated");
            return true;
        }
        check(*m);
        if (m->time >= granted()) {
            if (done() < granted()) set_done(granted());
            return true;
        }
        if (m->type == type_packet) take_frame(*m, bridge);
        m_in.drop();
    }
    return false;
}

void link::check(const incoming::message& m) {
    const auto at = fmt::format(" at {} ps", m.time);
    if (m.type != type_packet && m.type != type_sync)
        throw peer_failure(fmt::format("a message of type {}{}; SYNC is 0, a frame 64", m.type, at));
    if (m.time < m_last) throw peer_failure(fmt::format("a message{} behind one at {} ps", at, m_last));
    m_last = m.time;
    if (m.time - std::min(m.time, granted()) > access_latency())
        throw peer_failure(fmt::format(
            "a message{}, but it may run up to {} ps only: is the latency of its link {} ps, as here?", at,
            granted(), access_latency()));
}

void link::take_frame(const incoming::message& m, bridge_side& bridge) {
    frame f;
    f.time = m.time;
    f.node = f.source = computers()[0].node;
    f.length = m.length;
    f.bytes = m_in.bytes();
    check_sent(f, 0, m_terms);
    bridge.sent(std::move(f));
}

/// True if the other side of the socket is gone; anything that still comes on it means nothing.
bool link::is_gone() const {
    std::array<char, 64> nothing;  // not initialised: nothing is expected
    const ssize_t got = recv(m_line.get(), nothing.data(), nothing.size(), MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

void link::dismiss(const std::string&) {
    m_waiting.clear();
    m_out.put(type_terminate, ~picoseconds{0}, nullptr);
}

}  // namespace sare::traffic::simbricks
