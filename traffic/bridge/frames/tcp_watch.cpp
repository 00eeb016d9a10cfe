// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/frames/tcp_watch.h"

namespace sare::traffic {
namespace {

/// The bytes of a frame; beyond its end there are zeros.
class view {
  public:
    explicit view(const std::vector<std::uint8_t>& bytes) : m_bytes(bytes) {}
    std::uint32_t at(std::size_t i) const { return i < m_bytes.size() ? m_bytes[i] : 0; }
    std::uint32_t u16(std::size_t i) const { return at(i) << 8 | at(i + 1); }
    std::uint32_t u32(std::size_t i) const { return u16(i) << 16 | u16(i + 2); }
    std::vector<std::uint8_t> slice(std::size_t from, std::size_t length) const {
        std::vector<std::uint8_t> out;
        for (std::size_t i = from; i < from + length; ++i) out.push_back(static_cast<std::uint8_t>(at(i)));
        return out;
    }

  private:
    const std::vector<std::uint8_t>& m_bytes;
};

/// Begin and end of a TCP segment, and the addresses that it is between. None: begin is 0.
struct segment {
    std::size_t begin = 0, end = 0;
    std::vector<std::uint8_t> addresses;
};

segment find_segment(const view& v) {
    constexpr std::uint32_t vlan = 0x8100, ipv4 = 0x0800, ipv6 = 0x86dd, tcp = 6;
    std::size_t ip = 14;
    std::uint32_t type = v.u16(12);
    if (type == vlan) {
        type = v.u16(16);
        ip = 18;
    }
    segment s;
    const bool first_fragment = (v.u16(ip + 6) & 0x1fff) == 0;
    if (type == ipv4 && v.at(ip + 9) == tcp && first_fragment) {
        s.begin = ip + 4 * (v.at(ip) & 15);
        s.end = ip + v.u16(ip + 2);
        s.addresses = v.slice(ip + 12, 8);
    } else if (type == ipv6 && v.at(ip + 6) == tcp) {
        s.begin = ip + 40;
        s.end = s.begin + v.u16(ip + 4);
        s.addresses = v.slice(ip + 8, 32);
    }
    return s;
}

}  // namespace

bool tcp_watch::is_retransmission(const std::vector<std::uint8_t>& frame) {
    const view v(frame);
    segment s = find_segment(v);
    if (s.begin == 0) return false;
    const std::size_t data = s.begin + 4 * (v.at(s.begin + 12) >> 4);
    const std::uint32_t flags = v.at(s.begin + 13), sequence = v.u32(s.begin + 4);
    constexpr std::uint32_t fin = 1, syn = 2;
    const std::size_t bytes = data < s.end ? s.end - data : 0;
    const auto length = static_cast<std::uint32_t>(bytes) + ((flags & syn) != 0) + ((flags & fin) != 0);
    if (length == 0) return false;  // an acknowledgement alone
    const std::uint32_t end = sequence + length;
    const flow key{std::move(s.addresses), v.u32(s.begin)};
    const auto known = m_next.find(key);
    if (known == m_next.end()) {
        if (m_next.size() < most_flows) m_next.emplace(key, end);
        return false;
    }
    // Modulo 2^32. A connection may begin anew with any number.
    const bool is_new =
        (flags & syn) != 0 ? end != known->second : static_cast<std::int32_t>(end - known->second) > 0;
    if (is_new) known->second = end;
    return !is_new;
}

}  // namespace sare::traffic
