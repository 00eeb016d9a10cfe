// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>

/// A client of INSEE's full-system protocol, written by what its server reads and writes
/// (docs/bridge-protocols.md).
namespace sare::testing_support {

inline sockaddr_in ipv4(const std::string& host, std::uint16_t port) {
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons(port);
    inet_pton(AF_INET, host.c_str(), &a.sin_addr);
    return a;
}

inline std::string little_endian(std::uint64_t n, std::size_t bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(n >> (8 * i));
    return out;
}

inline std::uint64_t number_of(const std::string& bytes) {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        n |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[i])) << (8 * i);
    return n;
}

class insee_client {
  public:
    /// `pump`: what is done while it waits; false: it waits no longer.
    using pumper = std::function<bool(const std::function<bool()>&)>;

    insee_client(std::uint8_t node, std::uint16_t tcp, std::uint16_t udp, pumper pump, std::string group = "")
        : mac{2, 0, 0, 0, 0, static_cast<char>(node)},
          m_pump(std::move(pump)),
          m_tcp(tcp),
          m_there(ipv4(group.empty() ? "127.0.0.1" : group, udp)) {
        m_udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (group.empty()) return;
        const int on = 1;
        setsockopt(m_udp, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        bind(m_udp, reinterpret_cast<const sockaddr*>(&m_there), sizeof m_there);
        const ip_mreq wanted{m_there.sin_addr, ipv4("127.0.0.1", 0).sin_addr};
        setsockopt(m_udp, IPPROTO_IP, IP_ADD_MEMBERSHIP, &wanted, sizeof wanted);
        setsockopt(m_udp, IPPROTO_IP, IP_MULTICAST_IF, &wanted.imr_interface, sizeof wanted.imr_interface);
    }
    ~insee_client() {
        hang_up();
        close(m_udp);
    }
    insee_client(const insee_client&) = delete;
    insee_client& operator=(const insee_client&) = delete;

    void hang_up() {
        if (m_line >= 0) close(m_line);
        m_line = -1;
    }
    /// The network's answer to its MAC, "" if it hung up.
    std::string come_in() {
        hang_up();
        m_line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in a = ipv4("127.0.0.1", m_tcp);
        m_pump([&] { return connect(m_line, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0; });
        write(mac);
        return read(3);
    }
    void write(const std::string& bytes) const { send(m_line, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
    void send_frame(const std::string& bytes) const { write(little_endian(bytes.size(), 2) + bytes); }
    /// "": it never came, or the network hung up.
    std::string read(std::size_t bytes) const {
        std::string out;
        m_pump([&] {
            std::string more(bytes - out.size(), 0);
            const ssize_t got = recv(m_line, more.data(), more.size(), MSG_DONTWAIT);
            if (got > 0) out += more.substr(0, static_cast<std::size_t>(got));
            return got == 0 || out.size() == bytes;
        });
        return out.size() == bytes ? out : "";
    }
    bool is_cut_off() const {
        char c;
        return m_pump([&] { return recv(m_line, &c, 1, MSG_DONTWAIT | MSG_PEEK) == 0; });
    }

    void say(const std::string& datagram) const {
        sendto(m_udp, datagram.data(), datagram.size(), 0, reinterpret_cast<const sockaddr*>(&m_there),
               sizeof m_there);
    }
    void say_connect(std::uint64_t hosts, std::size_t size_of_long = 4) const {
        say("CONNECT:" + little_endian(hosts, size_of_long) + ":" + mac);
    }
    void say_time(std::uint64_t cycle) const { say("TS:" + mac + ":" + little_endian(cycle, 8)); }
    /// The next datagram that begins so, or "".
    std::string hear(const std::string& word) const {
        std::string out;
        m_pump([&] {
            std::string buffer(100, 0);
            const ssize_t got = recv(m_udp, buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (got > 0) out = buffer.substr(0, static_cast<std::size_t>(got));
            return got > 0 && out.compare(0, word.size(), word) == 0;
        });
        return out.compare(0, word.size(), word) == 0 ? out : "";
    }

    const std::string mac;

  private:
    pumper m_pump;
    std::uint16_t m_tcp;
    sockaddr_in m_there;
    int m_line = -1, m_udp = -1;
};

}  // namespace sare::testing_support
