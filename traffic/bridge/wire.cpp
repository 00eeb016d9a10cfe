// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/wire.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace sare::traffic::wire {
namespace {

computer read_computer(reader& in) {
    computer c;
    c.node = in.get<std::uint32_t>();
    const auto macs = in.get<std::uint8_t>();
    if (macs > max_macs) throw peer_failure(fmt::format("{} MACs of a node; up to {}", macs, max_macs));
    for (unsigned i = 0; i < macs; ++i) {
        mac_address m;
        for (auto& byte : m.bytes) byte = in.get<std::uint8_t>();
        c.macs.push_back(m);
    }
    return c;
}

/// True for a name that may go into messages and file names.
bool is_plain(const std::string& name) {
    for (const char c : name)
        if (c < ' ' || c > '~' || c == '"' || c == ',' || c == '/') return false;
    return !name.empty();
}

}  // namespace

const std::string& writer::finish() {
    const auto length = static_cast<std::uint32_t>(m_bytes.size() - 4);
    for (std::size_t i = 0; i < 4; ++i) m_bytes[i] = static_cast<char>(length >> (8 * i));
    return m_bytes;
}

void reader::need(std::size_t bytes) const {
    if (left() < bytes) throw peer_failure(fmt::format("a record ends {} bytes too early", bytes - left()));
}

double reader::get_double() {
    const auto bits = get<std::uint64_t>();
    double d = 0;
    std::memcpy(&d, &bits, sizeof d);
    return d;
}

std::string reader::get_text(std::size_t length) {
    need(length);
    std::string text(m_at, length);
    m_at += length;
    return text;
}

std::vector<std::uint8_t> reader::get_bytes(std::size_t length) {
    need(length);
    const auto* first = reinterpret_cast<const std::uint8_t*>(m_at);
    m_at += length;
    return {first, first + length};
}

void reader::expect_end() const {
    if (left() != 0) throw peer_failure(fmt::format("a record has {} bytes too many", left()));
}

hello read_hello(reader& in) {
    if (in.get<std::uint32_t>() != magic) throw peer_failure("it speaks another protocol");
    const auto theirs = in.get<std::uint16_t>();
    if (theirs != version)
        throw peer_failure(
            fmt::format("it speaks version {} of the protocol; this is version {}", theirs, version));
    hello h;
    const auto nodes = in.get<std::uint16_t>();
    h.clock_hz = in.get_double();
    h.quantum = in.get<std::uint64_t>();
    h.lookahead = in.get<std::uint64_t>();
    h.name = in.get_text(in.get<std::uint8_t>());
    if (h.name.size() > max_name || !is_plain(h.name))
        throw peer_failure(fmt::format(
            "its name must be of 1 to {} printable characters without '\"', ',' and '/'", max_name));
    if (!std::isfinite(h.clock_hz) || h.clock_hz < 0 || h.clock_hz > 1e15)
        throw peer_failure("its clock must be of 0 to 1e15 Hz");
    if (nodes == 0 || nodes > max_nodes)
        throw peer_failure(fmt::format("it has {} nodes; a session has 1 to {}", nodes, max_nodes));
    for (unsigned i = 0; i < nodes; ++i) h.computers.push_back(read_computer(in));
    in.expect_end();
    return h;
}

std::string welcome(const bridge_terms& terms, const peer& newcomer) {
    writer w(type::welcome);
    w.put(version).put(terms.nodes).put(terms.quantum).put(newcomer.access_latency()).put(newcomer.granted());
    w.put(terms.max_frame).put(static_cast<std::uint16_t>(newcomer.computers().size()));
    for (const computer& c : newcomer.computers()) w.put(c.node);
    return w.finish();
}

std::string text_record(type t, const std::string& text) {
    return writer(t).put(text.substr(0, max_text)).finish();
}

std::string time_record(type t, picoseconds time) {
    return writer(t).put(time).finish();
}

std::string frame_record(const frame& f, std::uint32_t place) {
    writer w(type::frame);
    w.put(f.time).put(place).put(f.source).put(f.length);
    if (f.bytes == nullptr) return w.put(std::uint8_t{1}).put(f.id).finish();
    return w.put(std::uint8_t{0}).put(*f.bytes).finish();
}

frame read_frame(reader& in, std::uint32_t& place) {
    frame f;
    f.time = in.get<std::uint64_t>();
    place = in.get<std::uint32_t>();
    f.destination = in.get<std::uint32_t>();
    f.length = in.get<std::uint32_t>();
    const auto meta = in.get<std::uint8_t>();
    if (meta > 1) throw peer_failure("a frame is neither bytes (0) nor meta-information (1)");
    if (meta == 1)
        f.id = in.get<std::uint64_t>();
    else
        f.bytes = std::make_shared<const std::vector<std::uint8_t>>(in.get_bytes(f.length));
    in.expect_end();
    return f;
}

}  // namespace sare::traffic::wire
