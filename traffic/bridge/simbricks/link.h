// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"
#include "traffic/bridge/simbricks/queues.h"
#include "traffic/bridge/simbricks/shared_memory.h"

#include <deque>

namespace sare::traffic::simbricks {

/// The terms that the two sides have agreed on.
struct connection {
    std::string name;
    computer who;
    descriptor line;
    shared_memory memory;
    queue_shape in, out;
};

/// A peer that is a simulated NIC at the other end of an Ethernet link. The time of a message from it is the
/// time at which a frame reaches the network. A grant is a SYNC message; a message of the NIC with the
/// granted time or a later one says that it has run so far.
class link final : public peer {
  public:
    /// `latency`: latency of the link, each way.
    link(connection c, picoseconds latency, const bridge_terms& terms);

    void deliver(const frame& f) override;
    /// Adds nothing: no descriptor tells of a message in memory.
    void watch(std::vector<pollfd>&) const override {}
    void attend(bridge_side& bridge) override;
    void dismiss(const std::string& reason) override;

  private:
    struct waiting {
        std::uint8_t type;
        picoseconds time;
        std::shared_ptr<const std::vector<std::uint8_t>> bytes;
    };
    static constexpr std::size_t most_waiting = std::size_t{64} << 20;  ///< bytes of waiting messages
    static constexpr std::size_t cost = 64;  ///< bytes counted for each message beside its frame

    void send_grant() override;
    void put(waiting w);
    void flush();
    bool take_messages(bridge_side& bridge);
    void check(const incoming::message& m);
    void take_frame(const incoming::message& m, bridge_side& bridge);
    bool is_gone() const;

    const bridge_terms& m_terms;
    descriptor m_line;
    shared_memory m_memory;
    incoming m_in;
    outgoing m_out;
    std::deque<waiting> m_waiting;  ///< messages that wait for room in m_out
    std::size_t m_waiting_bytes = 0;
    picoseconds m_last = 0;  ///< time of the last message that came
};

}  // namespace sare::traffic::simbricks
