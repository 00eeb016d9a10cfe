// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <poll.h>

#include <cstdint>
#include <string>

/// Sockets that never wait.
namespace sare::traffic {

/// An owned file descriptor.
class descriptor {
  public:
    descriptor() = default;
    explicit descriptor(int fd) : m_fd(fd) {}
    ~descriptor() { reset(); }
    descriptor(descriptor&& o) noexcept : m_fd(o.m_fd) { o.m_fd = -1; }
    descriptor& operator=(descriptor&& o) noexcept {
        if (this == &o) return *this;
        reset();
        m_fd = o.m_fd;
        o.m_fd = -1;
        return *this;
    }
    int get() const { return m_fd; }
    bool is_open() const { return m_fd >= 0; }
    void reset();

  private:
    int m_fd = -1;
};

/// An address "unix:PATH" or "tcp:HOST:PORT" (a PATH alone is the former), or of datagrams "udp:HOST:PORT".
struct socket_address {
    std::string path;  ///< path of a Unix socket; "": TCP or UDP
    std::string scheme = "tcp";
    std::string host;
    std::uint16_t port = 0;

    /// Reads an address; a path is relative to `folder`. Throws config::error at `at`; a TCP host other than
    /// this machine's own needs `anywhere`.
    static socket_address read(const std::string& text, const config::location& at, bool anywhere,
                               const std::string& folder = "");
    static socket_address read_udp(const std::string& text, const config::location& at, bool anywhere);
    std::string text() const;
};

/// A listening socket. Throws config::error at construction if it cannot listen; a Unix socket is only for
/// its owner, and its file goes with it.
class listener {
  public:
    listener(const socket_address& address, const config::location& at);
    ~listener();
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;

    /// Returns the address, with the port that the system chose if 0 was asked for.
    const socket_address& address() const { return m_address; }
    int get() const { return m_fd.get(); }
    /// Returns the next connection; not open if there is none just now.
    descriptor accept();

  private:
    void listen_unix(const config::location& at);
    void listen_tcp(const config::location& at);

    socket_address m_address;
    descriptor m_fd;
};

/// Connects to a Unix socket; the result is not open if nobody listens there now.
descriptor connect_to(const socket_address& address);

/// Both ends of a stream's buffers. Throws peer_failure if the stream is broken. Only reading finds that the
/// other side is gone: it may have said something before.
class byte_stream {
  public:
    byte_stream(descriptor fd, std::size_t most_waiting);

    int get() const { return m_fd.get(); }
    /// Reads what is there, up to a bounded amount. False: the other side has closed, and all was read
    /// before.
    bool read();
    /// Returns the bytes that were read and not taken.
    const char* begin() const { return m_in.data() + m_taken; }
    std::size_t size() const { return m_in.size() - m_taken; }
    void take(std::size_t bytes);

    /// Sends as much as goes, flush() the rest. More than `most_waiting` bytes left is a failure.
    void write(const std::string& bytes);
    /// Adds bytes that the next flush() sends.
    void queue(const std::string& bytes) { m_out += bytes; }
    void flush();
    /// Hangs up; what was sent still arrives.
    void hang_up();
    /// Returns what to wait for: what comes, and room for what is unsent.
    pollfd watched() const {
        return {m_fd.get(), static_cast<short>(has_unsent() ? POLLIN | POLLOUT : POLLIN), 0};
    }
    bool has_unsent() const { return m_sent != m_out.size(); }

  private:
    descriptor m_fd;
    std::size_t m_most_waiting;
    std::string m_in, m_out;
    std::size_t m_taken = 0, m_sent = 0;
};

}  // namespace sare::traffic
