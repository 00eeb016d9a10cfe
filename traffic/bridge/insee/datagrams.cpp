// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/insee/datagrams.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace sare::traffic::insee {
namespace {

constexpr std::size_t longest = 512;  ///< bytes; INSEE's datagrams have 32 at most

in_addr read_ipv4(const std::string& text, const config::location& at) {
    in_addr a{};
    if (inet_pton(AF_INET, text == "localhost" ? "127.0.0.1" : text.c_str(), &a) != 1)
        throw config::error(at, "'" + text + "' is no IPv4 address; write it as 127.0.0.1");
    return a;
}

}  // namespace

datagrams::datagrams(const socket_address& address, const std::string& group, const config::location& at)
    : m_address(address), m_fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    const in_addr host = read_ipv4(address.host, at);
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons(address.port);
    a.sin_addr = host;
    if (!group.empty()) {
        a.sin_addr = read_ipv4(group, at);
        if (!IN_MULTICAST(ntohl(a.sin_addr.s_addr)))
            throw config::error(
                at, "'" + group + "' is no multicast group; those are 224.0.0.0 to 239.255.255.255");
        const int on = 1;  // its clients on this machine listen there, too
        setsockopt(m_fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    }
    if (bind(m_fd.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) != 0)
        throw config::error(at, "cannot listen at " + address.text() + ": " + std::strerror(errno));
    socklen_t length = sizeof a;
    getsockname(m_fd.get(), reinterpret_cast<sockaddr*>(&a), &length);
    m_address.port = ntohs(a.sin_port);
    if (group.empty()) return;
    m_group = a;
    join(a.sin_addr, host, at);
}

void datagrams::join(const in_addr& group, const in_addr& interface, const config::location& at) {
    const ip_mreq wanted{group, interface};
    const int off = 0;
    setsockopt(m_fd.get(), IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off);
    if (setsockopt(m_fd.get(), IPPROTO_IP, IP_ADD_MEMBERSHIP, &wanted, sizeof wanted) != 0 ||
        setsockopt(m_fd.get(), IPPROTO_IP, IP_MULTICAST_IF, &interface, sizeof interface) != 0)
        throw config::error(at, "cannot join the group by the interface of " + m_address.text() + ": " +
                                    std::strerror(errno));
}

std::optional<datagrams::datagram> datagrams::receive() {
    datagram d;
    std::array<char, longest> buffer;  // not initialised: a datagram reads some bytes
    socklen_t length = sizeof d.from;
    const ssize_t got = recvfrom(m_fd.get(), buffer.data(), buffer.size(), MSG_DONTWAIT,
                                 reinterpret_cast<sockaddr*>(&d.from), &length);
    if (got < 0) return std::nullopt;
    d.bytes.assign(buffer.data(), static_cast<std::size_t>(got));
    return d;
}

void datagrams::send(const std::string& bytes, const sockaddr_in& to) {
    const sockaddr_in& there = m_group ? *m_group : to;
    sendto(m_fd.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&there), sizeof there);
}

}  // namespace sare::traffic::insee
