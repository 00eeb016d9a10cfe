// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/socket.h"

#include <netinet/in.h>

#include <optional>

namespace sare::traffic::insee {

/// A UDP socket (IPv4) whose functions never wait. With a multicast group, it receives only datagrams that
/// are sent to the group.
class datagrams {
  public:
    /// A datagram, and who sent it.
    struct datagram {
        std::string bytes;   ///< contents
        sockaddr_in from{};  ///< address of the sender
    };

    /// Opens the socket. `group`: address of a multicast group, empty for none; multicasts leave and come by
    /// the network interface that has the address's host. Throws config::error at `at` if it cannot be
    /// opened.
    datagrams(const socket_address& address, const std::string& group, const config::location& at);

    int get() const { return m_fd.get(); }                  ///< file descriptor, for poll()
    bool has_group() const { return m_group.has_value(); }  ///< true: a multicast group was given
    /// Returns the address, with the port that the system chose if port 0 was asked for.
    const socket_address& address() const { return m_address; }
    /// Returns the next datagram that has come; nullopt if there is none.
    std::optional<datagram> receive();
    /// Sends a datagram to the group if there is one, else to `to`. It may be lost; errors are ignored.
    void send(const std::string& bytes, const sockaddr_in& to);

  private:
    void join(const in_addr& group, const in_addr& interface, const config::location& at);

    socket_address m_address;
    descriptor m_fd;
    std::optional<sockaddr_in> m_group;
};

}  // namespace sare::traffic::insee
