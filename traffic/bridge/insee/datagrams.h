// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/socket.h"

#include <netinet/in.h>

#include <optional>

namespace sare::traffic::insee {

/// A UDP socket (IPv4) that never waits; with a multicast group, it hears only that group.
class datagrams {
  public:
    struct datagram {
        std::string bytes;
        sockaddr_in from{};
    };

    /// Opens the socket. `group`: multicast group, "" for none. Multicasts go out by the interface of the
    /// address's host, and come in there. Throws config::error, placed at `at`, if it cannot be opened.
    datagrams(const socket_address& address, const std::string& group, const config::location& at);

    int get() const { return m_fd.get(); }  ///< file descriptor
    bool has_group() const { return m_group.has_value(); }
    /// Returns the address, with the port that the system chose if 0 was asked for.
    const socket_address& address() const { return m_address; }
    /// Returns the next datagram, or nothing if there is none just now.
    std::optional<datagram> receive();
    /// Sends a datagram to the group, if there is one, else to `to`. It may be lost.
    void send(const std::string& bytes, const sockaddr_in& to);

  private:
    void join(const in_addr& group, const in_addr& interface, const config::location& at);

    socket_address m_address;
    descriptor m_fd;
    std::optional<sockaddr_in> m_group;
};

}  // namespace sare::traffic::insee
