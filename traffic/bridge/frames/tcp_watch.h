// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace sare::traffic {

/// Finds retransmissions of TCP segments among frames of IPv4 (RFC 791) and IPv6 (RFC 8200) without extension
/// headers, with at most one VLAN tag.
class tcp_watch {
  public:
    /// Takes the bytes of the next frame, in the order of sending. Returns true if it carries data that its
    /// connection, in this direction, has sent before, by sequence numbers (RFC 9293, 3.4); false for all
    /// other frames. Only the first 65,536 directions of connections are watched.
    bool is_retransmission(const std::vector<std::uint8_t>& frame);

  private:
    static constexpr std::size_t most_flows = 65536;
    /// Addresses and ports of a direction of a connection.
    using flow = std::tuple<std::vector<std::uint8_t>, std::uint32_t>;
    std::map<flow, std::uint32_t> m_next;  ///< sequence number behind the last byte that was sent, by
                                           ///< direction
};

}  // namespace sare::traffic
