// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"
#include "traffic/bridge/simbricks/queues.h"
#include "traffic/bridge/simbricks/shared_memory.h"

#include <deque>

namespace sare::traffic::simbricks {

/// A connection whose handshake is complete.
struct connection {
    /// Name of the peer, for reports and errors.
    std::string name;
    computer who;          ///< computer of the peer
    descriptor line;       ///< Unix socket of the handshake
    shared_memory memory;  ///< memory of both queues
    queue_shape in, out;   ///< queue that this side reads; queue that it writes
};

/// A peer that is a simulated NIC at the other end of an Ethernet link. The time of a message from it is the
/// time at which its frame reaches the network. A grant is a SYNC message; a message from the NIC with the
/// granted time or a later one means that it has run up to the granted time.
class link final : public peer {
  public:
    /// `latency`: picoseconds that a frame takes on the link in each direction. `terms` must outlive the
    /// object.
    link(connection c, picoseconds latency, const bridge_terms& terms);

    void deliver(const frame& f) override;
    /// Appends nothing, as no descriptor tells of a message in shared memory.
    void watch(std::vector<pollfd>&) const override {}
    void attend(bridge_side& bridge) override;
    void dismiss(const std::string& reason) override;

  private:
    /// A message that waits for room in m_out.
    struct waiting {
        std::uint8_t type;
        picoseconds time;
        std::shared_ptr<const std::vector<std::uint8_t>> bytes;
    };
    /// Largest number of bytes of messages that wait for room in m_out; more is an error of the peer.
    static constexpr std::size_t most_waiting = std::size_t{64} << 20;
    static constexpr std::size_t cost = 64;  ///< bytes that each message counts beside its frame

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
    picoseconds m_last = 0;  ///< time of the last message that was read
};

}  // namespace sare::traffic::simbricks
