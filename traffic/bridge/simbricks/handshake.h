// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/simbricks/link.h"

namespace sare::traffic::simbricks {

/// The handshake of SimBricks: both sides send a message on a Unix socket at once; the listener's carries the
/// file of the shared memory.
class handshake {
  public:
    handshake() = default;
    /// Sends the message of the side that has connected. Throws peer_failure if it cannot be sent.
    static handshake as_connecter(descriptor line);
    /// Sends the message of the listener, with memory for queues of `entries` entries that hold frames of
    /// `max_frame` bytes. Throws peer_failure if it cannot be sent.
    static handshake as_listener(descriptor line, std::uint64_t entries, std::uint32_t max_frame);

    int get() const { return m_line.get(); }  ///< file descriptor of the socket
    /// Reads the other side's message as far as it has come. Returns true once it is complete. Throws
    /// peer_failure if it is wrong.
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
