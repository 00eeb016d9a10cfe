// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/simbricks/link.h"

namespace sare::traffic::simbricks {

/// The first words of both sides on a Unix socket, sent at once; the listener's carry the shared memory.
class handshake {
  public:
    handshake() = default;
    /// Sends the words of the side that has connected. Throws peer_failure.
    static handshake as_connecter(descriptor line);
    /// Sends the words of the listener, with memory for queues of `entries` that hold `max_frame` bytes each.
    static handshake as_listener(descriptor line, std::uint64_t entries, std::uint32_t max_frame);

    int get() const { return m_line.get(); }
    /// Reads what has come. Returns true once all of it is there. Throws peer_failure if it is wrong.
    bool hear();
    /// Returns the connection, after hear(). Throws peer_failure if its queues cannot hold `max_frame` bytes.
    connection finish(std::uint32_t max_frame);

  private:
    static constexpr std::size_t most = 2048;  ///< bytes, with the words of the upper layer

    void send(const std::vector<std::uint64_t>& words) const;
    void receive();
    void check(std::uint64_t version, std::uint64_t flags, std::uint64_t upper) const;
    std::uint64_t word(std::size_t place) const;

    descriptor m_line, m_file;
    shared_memory m_memory;
    bool m_listens = false;
    queue_shape m_in, m_out;
    std::string m_heard;
};

}  // namespace sare::traffic::simbricks
