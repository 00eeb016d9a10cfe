// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <poll.h>

#include <cstdint>
#include <string>

/// Sockets that never wait.
namespace sare::traffic {

/// A file descriptor, which is closed with its object.
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
    int get() const { return m_fd; }  ///< the descriptor; -1: none is open
    bool is_open() const { return m_fd >= 0; }
    void reset();  ///< closes the descriptor, if one is open

  private:
    int m_fd = -1;
};

/// An address "unix:PATH" or "tcp:HOST:PORT" (a PATH alone is the former), or of datagrams "udp:HOST:PORT".
struct socket_address {
    std::string path;            ///< path of a Unix socket; "": TCP or UDP
    std::string scheme = "tcp";  ///< "tcp" or "udp"
    std::string host;
    std::uint16_t port = 0;  ///< 0: any that is free

    /// Reads "tcp:HOST:PORT", "unix:PATH" or PATH; a relative PATH is put behind `folder`, unless that is "".
    /// Throws config::error at `at` if the path is empty or too long for a Unix socket, if the TCP host or
    /// port is malformed, or if the host is not localhost, ::1 or 127.* and `anywhere` is false.
    static socket_address read(const std::string& text, const config::location& at, bool anywhere,
                               const std::string& folder = "");
    /// Reads "udp:HOST:PORT"; throws as read() does, and for any other scheme.
    static socket_address read_udp(const std::string& text, const config::location& at, bool anywhere);
    /// Returns the canonical form, "unix:PATH" (with the folder) or "SCHEME:HOST:PORT".
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

/// A connection with a buffer for each direction. Only reading tells that it has ended, since the last bytes
/// of the other side are to be read before: if sending fails, the bytes that wait are discarded without a
/// word.
class byte_stream {
  public:
    /// `most_waiting`: most bytes that may wait to be sent.
    byte_stream(descriptor fd, std::size_t most_waiting);

    int get() const { return m_fd.get(); }
    /// Reads the bytes that are there, up to a bounded number. Returns false if the other side has closed the
    /// connection and everything was read before, or has reset it. Throws peer_failure for another error.
    bool read();
    /// First byte, and number, of the bytes that were read and not taken.
    const char* begin() const { return m_in.data() + m_taken; }
    std::size_t size() const { return m_in.size() - m_taken; }
    /// Takes the first `bytes` bytes, which must have been read.
    void take(std::size_t bytes);

    /// Sends as many bytes as is possible without waiting; flush() sends the rest. Throws as flush() does.
    void write(const std::string& bytes);
    /// Adds bytes that the next flush() sends.
    void queue(const std::string& bytes) { m_out += bytes; }
    /// Sends as many of the bytes that wait as is possible without waiting. Throws peer_failure if more than
    /// `most_waiting` bytes are left.
    void flush();
    /// Closes both directions. Bytes that were sent still arrive; those that wait in the buffer are not sent.
    void hang_up();
    /// Returns the event to wait for: bytes that come, and, if has_unsent(), room to send.
    pollfd watched() const {
        return {m_fd.get(), static_cast<short>(has_unsent() ? POLLIN | POLLOUT : POLLIN), 0};
    }
    bool has_unsent() const { return m_sent != m_out.size(); }

  private:
    descriptor m_fd;
    std::size_t m_most_waiting;           ///< most bytes that wait to be sent
    std::string m_in, m_out;              ///< bytes that have come; bytes to be sent
    std::size_t m_taken = 0, m_sent = 0;  ///< bytes of m_in that were taken; bytes of m_out that were sent
};

}  // namespace sare::traffic
