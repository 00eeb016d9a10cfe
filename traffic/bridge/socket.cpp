// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/socket.h"

#include "traffic/bridge/peer.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sare::traffic {
namespace {

constexpr std::size_t most_read = 1 << 16;  ///< bytes read in one go

[[noreturn]] void cannot(const config::location& at, const std::string& what) {
    throw config::error(at, what + ": " + std::strerror(errno));
}

sockaddr_un unix_address(const std::string& path) {
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    path.copy(a.sun_path, sizeof a.sun_path - 1);
    return a;
}

descriptor connect_unix(const std::string& path) {
    descriptor fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const sockaddr_un a = unix_address(path);
    if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0) return fd;
    const int problem = errno;
    fd.reset();
    errno = problem;
    return fd;
}

/// True for a socket's file that a killed run left behind; one that somebody listens at stays.
bool is_left_over(const std::string& path) {
    struct stat s {};
    if (lstat(path.c_str(), &s) != 0 || !S_ISSOCK(s.st_mode)) return false;
    return !connect_unix(path).is_open() && errno == ECONNREFUSED;
}

socket_address read_host_and_port(const std::string& text, const std::string& scheme,
                                  const config::location& at, bool anywhere) {
    socket_address a;
    a.scheme = scheme;
    const auto colon = text.rfind(':');
    const std::string port = text.substr(colon + 1);
    a.host = colon > 4 ? text.substr(4, colon - 4) : "";
    if (a.host.empty() || port.empty() || port.size() > 5 ||
        port.find_first_not_of("0123456789") != std::string::npos || std::stoul(port) > 65535)
        throw config::error(at, "'" + text + "' is no address; write " + scheme + ":HOST:PORT" +
                                    (scheme == "tcp" ? " or unix:PATH" : ""));
    a.port = static_cast<std::uint16_t>(std::stoul(port));
    if (!anywhere && a.host != "localhost" && a.host != "::1" && a.host.rfind("127.", 0) != 0)
        throw config::error(at, "'" + text +
                                    "' is reached from other machines, and whoever connects takes part; "
                                    "write 'anywhere: true' beside it if that is meant");
    return a;
}

}  // namespace

void descriptor::reset() {
    if (m_fd >= 0) ::close(m_fd);
    m_fd = -1;
}

socket_address socket_address::read(const std::string& text, const config::location& at, bool anywhere,
                                    const std::string& folder) {
    socket_address a;
    if (text.rfind("tcp:", 0) != 0) {
        a.path = text.rfind("unix:", 0) == 0 ? text.substr(5) : text;
        if (!a.path.empty() && a.path[0] != '/' && !folder.empty()) a.path = folder + "/" + a.path;
        constexpr std::size_t longest = sizeof(sockaddr_un::sun_path) - 1;
        if (a.path.empty() || a.path.size() > longest)
            throw config::error(
                at, fmt::format("'{}': the path of a Unix socket has 1 to {} characters", text, longest));
        return a;
    }
    return read_host_and_port(text, "tcp", at, anywhere);
}

socket_address socket_address::read_udp(const std::string& text, const config::location& at, bool anywhere) {
    if (text.rfind("udp:", 0) != 0)
        throw config::error(at, "'" + text + "' is no address; write udp:HOST:PORT");
    return read_host_and_port(text, "udp", at, anywhere);
}

std::string socket_address::text() const {
    return path.empty() ? fmt::format("{}:{}:{}", scheme, host, port) : "unix:" + path;
}

listener::listener(const socket_address& address, const config::location& at) : m_address(address) {
    if (address.path.empty())
        listen_tcp(at);
    else
        listen_unix(at);
}

listener::~listener() {
    if (!m_address.path.empty()) unlink(m_address.path.c_str());
}

void listener::listen_unix(const config::location& at) {
    const std::string& path = m_address.path;
    if (is_left_over(path)) unlink(path.c_str());
    descriptor fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const sockaddr_un a = unix_address(path);
    const mode_t before = umask(0177);
    const bool bound = bind(fd.get(), reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0;
    umask(before);
    if (!bound || listen(fd.get(), 64) != 0) cannot(at, "cannot listen at unix:" + path);
    m_fd = std::move(fd);
}

void listener::listen_tcp(const config::location& at) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* found = nullptr;
    const std::string port = std::to_string(m_address.port);
    if (const int status = getaddrinfo(m_address.host.c_str(), port.c_str(), &hints, &found); status != 0)
        throw config::error(at, "cannot listen at " + m_address.text() + ": " + gai_strerror(status));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> freed(found, freeaddrinfo);
    descriptor fd(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd.get(), found->ai_addr, found->ai_addrlen) != 0 || listen(fd.get(), 64) != 0)
        cannot(at, "cannot listen at " + m_address.text());
    sockaddr_storage got{};
    socklen_t length = sizeof got;
    getsockname(fd.get(), reinterpret_cast<sockaddr*>(&got), &length);
    m_address.port = ntohs(got.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(got).sin6_port
                                                     : reinterpret_cast<sockaddr_in&>(got).sin_port);
    m_fd = std::move(fd);
}

descriptor listener::accept() {
    descriptor fd(accept4(m_fd.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    const int on = 1;  // fails on a Unix socket, which needs no telling
    if (fd.is_open()) setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

descriptor connect_to(const socket_address& address) {
    return connect_unix(address.path);
}

byte_stream::byte_stream(descriptor fd, std::size_t most_waiting)
    : m_fd(std::move(fd)), m_most_waiting(most_waiting) {}

bool byte_stream::read() {
    if (m_taken == m_in.size()) {
        m_in.clear();
        m_taken = 0;
    }
    std::array<char, most_read> buffer;  // not initialised: a slice reads some bytes
    const ssize_t got = recv(m_fd.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) m_in.append(buffer.data(), static_cast<std::size_t>(got));
    if (got >= 0) return got != 0;
    if (errno == EAGAIN || errno == EINTR) return true;
    if (errno == ECONNRESET) return false;
    throw peer_failure(std::string("reading from it failed: ") + std::strerror(errno));
}

void byte_stream::take(std::size_t bytes) {
    m_taken += bytes;
    if (m_taken > most_read) {
        m_in.erase(0, m_taken);
        m_taken = 0;
    }
}

void byte_stream::write(const std::string& bytes) {
    queue(bytes);
    flush();
}

void byte_stream::hang_up() {
    shutdown(m_fd.get(), SHUT_RDWR);
}

void byte_stream::flush() {
    while (has_unsent()) {
        const ssize_t sent =
            send(m_fd.get(), m_out.data() + m_sent, m_out.size() - m_sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) break;
        if (sent < 0) {  // it may have said why, which is still to be read
            m_sent = m_out.size();
            break;
        }
        m_sent += static_cast<std::size_t>(sent);
    }
    if (!has_unsent()) {
        m_out.clear();
        m_sent = 0;
    } else if (m_out.size() - m_sent > m_most_waiting) {
        throw peer_failure(
            fmt::format("it does not take what is sent to it: {} bytes wait", m_out.size() - m_sent));
    }
}

}  // namespace sare::traffic
