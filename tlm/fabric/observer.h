// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/packet.h"

namespace sare {

/// Who wants to know of packets and messages: statistics and packet logs. Called once a packet, not once a
/// flit.
class observer {
  public:
    virtual ~observer() = default;
    virtual void packet_injected(std::uint32_t node, const packet& p, cycle_t now) = 0;
    virtual void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) = 0;
    virtual void message_consumed(const message_record& m, cycle_t now) = 0;
    /// Instead of both, where the packet is all of its message.
    virtual void lone_packet_consumed(std::uint32_t node, const packet& p, const message_record& m,
                                      cycle_t now) {
        packet_consumed(node, p, now);
        message_consumed(m, now);
    }
};

}  // namespace sare
