// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/simbricks/link.h"

namespace sare::traffic::simbricks {

/// The first words of both sides on a Unix socket, sent at once; the listener's bear the shared memory.
class handshake {
  public:
    handshake() = default;
    /// Sends the words of the one that has connected. Throws peer_failure.
    static handshake as_connecter(descriptor line);
    /// Sends those of the one that listens, with memory for queues of `entries` that hold `max_frame` bytes
    /// each.
    static handshake as_listener(descriptor line, std::uint64_t entries, std::uint32_t max_frame);

    int get() const { return m_line.get(); }
    /// Reads what has come. True: all of it, and it is right. Throws peer_failure for what is not.
    bool hear();
    /// Afterwards. Throws peer_failure where its queues cannot hold frames of `max_frame` bytes.
    connection finish(std::uint32_t max_frame);

  private:
    static constexpr std::size_t most = 2048;  ///< bytes, with those of the upper layer

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
