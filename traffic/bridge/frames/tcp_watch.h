// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace sare::traffic {

/// Looks at the TCP segments among frames for those that were sent before: IPv4 (RFC 791) and IPv6 (RFC 8200)
/// without extension headers, at most one VLAN tag.
class tcp_watch {
  public:
    /// True: the frame has data of a connection that went by already, by its sequence numbers (RFC
    /// 9293, 3.4).
    bool is_retransmission(const std::vector<std::uint8_t>& frame);

  private:
    static constexpr std::size_t most_flows = 65536;
    using flow = std::tuple<std::vector<std::uint8_t>, std::uint32_t>;  ///< addresses, ports
    std::map<flow, std::uint32_t> m_next;  ///< sequence number behind the last byte
};

}  // namespace sare::traffic
