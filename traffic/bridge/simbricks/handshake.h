// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/simbricks/link.h"

namespace sare::traffic::simbricks {

/// The handshake of SimBricks: each side sends a message on a Unix socket; the listener's carries the file
/// descriptor of the shared memory.
class handshake {
  public:
    /// Makes an object without a connection; assign the result of as_connecter() or as_listener() to it.
    handshake() = default;
    /// Begins the handshake of the side that has connected over `line`: sends its message. Throws
    /// peer_failure if it cannot be sent.
    static handshake as_connecter(descriptor line);
    /// Begins the handshake of the listener on the connection `line`: makes shared memory for two queues of
    /// `entries` entries for frames of `max_frame` bytes, and sends its message. Throws peer_failure if the
    /// message cannot be sent, std::runtime_error if there is no memory.
    static handshake as_listener(descriptor line, std::uint64_t entries, std::uint32_t max_frame);

    int get() const { return m_line.get(); }  ///< file descriptor of the socket
    /// Reads what has come of the other side's message, without waiting. Returns true once the message is
    /// complete. Throws peer_failure if the message is wrong.
    bool hear();
    /// Returns the connection without `name` and `who`; call once, after hear() has returned true. Throws
    /// peer_failure if its queues cannot hold frames of `max_frame` bytes.
    connection finish(std::uint32_t max_frame);

  private:
    static constexpr std::size_t most = 2048;  ///< largest number of bytes of a message, with the upper
                                               ///< layer's part

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
