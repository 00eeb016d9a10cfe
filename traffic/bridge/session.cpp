// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::traffic {

session::session(byte_stream s, wire::hello h, const bridge_terms& terms)
    : peer(std::move(h.name), std::move(h.computers), h.lookahead == 0 ? terms.access_latency : h.lookahead),
      m_stream(std::move(s)),
      m_terms(terms),
      m_place_of(terms.nodes) {
    for (std::size_t i = 0; i < computers().size(); ++i)
        m_place_of[computers()[i].node] = static_cast<std::uint32_t>(i);
    m_stream.queue(wire::welcome(terms, *this));
}

void session::deliver(const frame& f) {
    m_stream.queue(wire::frame_record(f, m_place_of[f.node]));
}

void session::send_grant() {
    m_stream.write(wire::time_record(wire::type::grant, granted()));
}

void session::watch(std::vector<pollfd>& all) const {
    all.push_back(m_stream.watched());
}

void session::attend(bridge_side& bridge) {
    m_stream.flush();
    const bool open = m_stream.read();
    take_records(bridge);
    if (!open && !has_left()) throw peer_failure("it is gone without a word");
}

void session::take_records(bridge_side& bridge) {
    while (!has_left() && m_stream.size() >= 4) {
        const auto length = wire::reader(m_stream.begin(), 4).get<std::uint32_t>();
        if (length == 0 || length > wire::max_record)
            throw peer_failure(fmt::format("a record of {} bytes; it has 1 to {}", length, wire::max_record));
        if (m_stream.size() < 4 + std::size_t{length}) return;
        wire::reader in(m_stream.begin() + 4, length);
        take(static_cast<wire::type>(in.get<std::uint8_t>()), in, bridge);
        m_stream.take(4 + std::size_t{length});
    }
}

void session::take(wire::type t, wire::reader& in, bridge_side& bridge) {
    const auto read_time = [&](const char* what) {
        const auto time = in.get<std::uint64_t>();
        in.expect_end();
        check_time(time, what);
        return time;
    };
    switch (t) {
        case wire::type::frame:
            return take_frame(in, bridge);
        case wire::type::done:
            return set_done(read_time("'done'"));
        case wire::type::roi_begin:
            return bridge.region_begins(read_time("the region's begin"));
        case wire::type::roi_end:
            return bridge.region_ends(read_time("the region's end"));
        case wire::type::stats:
            in.expect_end();
            return m_stream.write(wire::writer(wire::type::figures).put(bridge.figures()).finish());
        case wire::type::bye:
            return leave(in.get_text(std::min(in.left(), wire::max_text)));
        default:
            throw peer_failure(
                fmt::format("a record of type {}, which it may not send now", static_cast<unsigned>(t)));
    }
}

void session::take_frame(wire::reader& in, bridge_side& bridge) {
    std::uint32_t place = 0;
    frame f = wire::read_frame(in, place);
    if (place >= computers().size())
        throw peer_failure(fmt::format("a frame of its node {}; it has {}", place, computers().size()));
    f.node = f.source = computers()[place].node;
    check_sent(f, place, m_terms);
    bridge.sent(std::move(f));
}

void session::dismiss(const std::string& reason) {
    if (has_left()) return;
    m_stream.queue(wire::text_record(wire::type::bye, reason));
    try {
        m_stream.flush();
    } catch (const peer_failure&) {
        // It does not listen.
    }
    m_stream.hang_up();
}

}  // namespace sare::traffic
