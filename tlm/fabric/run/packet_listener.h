// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"
#include "tlm/api/packet.h"
#include "tlm/base/shared_pool.h"

#include <cstdint>
#include <vector>

namespace sare {

/// Collects the packets that arrive in a cycle, for a workload whose wants_packets() is true.
class packet_listener final : public observer {
  public:
    explicit packet_listener(const shared_pool<message_record>& messages) : m_messages(messages) {}
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t) override {
        come.push_back({node, m_messages[p.message].what, p.injected});
    }
    void message_consumed(const message_record&, cycle_t) override {}

    /// A packet that has arrived.
    struct arrival {
        std::uint32_t node;  ///< node where it has arrived
        message what;        ///< message of the packet
        cycle_t injected;    ///< cycle in which its head left the source
    };
    std::vector<arrival> come;  ///< packets that have arrived and of which the workload has not been told yet

  private:
    const shared_pool<message_record>& m_messages;
};

}  // namespace sare
