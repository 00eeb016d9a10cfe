// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <poll.h>

#include <cstdint>
#include <string>

namespace sare::traffic {

/// A file descriptor that is closed when the object is destroyed.
class descriptor {
  public:
    descriptor() = default;
    /// Takes ownership of the file descriptor `fd`; below 0: no descriptor.
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
    int get() const { return m_fd; }            ///< the descriptor; below 0: none is open
    bool is_open() const { return m_fd >= 0; }  ///< true: the object owns a descriptor
    void reset();                               ///< closes the descriptor, if one is open

  private:
    int m_fd = -1;
};

/// The address of a socket: a Unix socket's path, or host and port of TCP or UDP.
struct socket_address {
    std::string path;            ///< path of a Unix socket; empty: TCP or UDP
    std::string scheme = "tcp";  ///< "tcp" or "udp"; not used for a Unix socket
    std::string host;            ///< name or address of the host of TCP or UDP
    std::uint16_t port = 0;      ///< port; 0: any free port, to listen at

    /// Reads "tcp:HOST:PORT", "unix:PATH" or PATH. A relative PATH is put behind `folder`, unless that is
    /// empty. Throws config::error at `at` if the path is empty or too long for a Unix socket, or if host or
    /// port is malformed. If `anywhere` is false, also for a host other than localhost, ::1 or 127.*.
    static socket_address read(const std::string& text, const config::location& at, bool anywhere,
                               const std::string& folder = "");
    /// Reads "udp:HOST:PORT"; throws config::error as read() does, and for any other scheme.
    static socket_address read_udp(const std::string& text, const config::location& at, bool anywhere);
    /// Returns the address as text, "unix:PATH" (with the folder) or "SCHEME:HOST:PORT".
    std::string text() const;
};

/// A listening socket. A Unix socket can be used by its owner only, and its file is removed with the object.
class listener {
  public:
    /// Begins to listen at `address`; the file of a Unix socket at which nobody listens any more is replaced.
    /// Throws config::error at `at` if that fails.
    listener(const socket_address& address, const config::location& at);
    ~listener();
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;

    /// Returns the address, with the port that the system chose if port 0 was asked for.
    const socket_address& address() const { return m_address; }
    int get() const { return m_fd.get(); }  ///< file descriptor, for poll()
    /// Accepts and returns the next connection that waits; the result is not open if none does.
    descriptor accept();

  private:
    void listen_unix(const config::location& at);
    void listen_tcp(const config::location& at);

    socket_address m_address;
    descriptor m_fd;
};

/// Connects to the Unix socket `address.path`; the result is not open if that fails, for instance since
/// nobody listens there.
descriptor connect_to(const socket_address& address);

/// A connection with a buffer for each direction; no function waits. Only read() tells that the connection
/// has ended, since the last bytes of the other side must be read first. If sending fails, the bytes that
/// wait to be sent are discarded silently.
class byte_stream {
  public:
    /// `fd`: the socket; `most_waiting`: largest number of bytes that may wait to be sent.
    byte_stream(descriptor fd, std::size_t most_waiting);

    int get() const { return m_fd.get(); }  ///< file descriptor, for poll()
    /// Reads bytes that have come, at most 64 KiB. Returns false if the other side has closed the connection
    /// and all was read, or has reset it; else true, even if no bytes have come. Throws peer_failure for any
    /// other error.
    bool read();
    /// begin() returns the address of the first byte that was read and not taken, size() the number of such
    /// bytes. Valid until read() or take().
    const char* begin() const { return m_in.data() + m_taken; }
    std::size_t size() const { return m_in.size() - m_taken; }
    /// Removes the first `bytes` bytes, at most size().
    void take(std::size_t bytes);

    /// Appends bytes to those that wait, and does flush(), which may throw.
    void write(const std::string& bytes);
    /// Appends bytes to those that wait; the next flush() or write() sends them.
    void queue(const std::string& bytes) { m_out += bytes; }
    /// Sends as many of the bytes that wait as is possible without waiting. Throws peer_failure if more than
    /// the constructor's `most_waiting` bytes still wait.
    void flush();
    /// Shuts down both directions. Bytes that were sent still arrive; bytes that wait in the buffer are lost.
    void hang_up();
    /// Returns the entry for poll() that waits for bytes that come and, if has_unsent(), for room to send.
    pollfd watched() const {
        return {m_fd.get(), static_cast<short>(has_unsent() ? POLLIN | POLLOUT : POLLIN), 0};
    }
    /// Returns true if bytes wait to be sent.
    bool has_unsent() const { return m_sent != m_out.size(); }

  private:
    descriptor m_fd;
    std::size_t m_most_waiting;           ///< largest number of bytes that may wait to be sent
    std::string m_in, m_out;              ///< bytes that have come; bytes to be sent
    std::size_t m_taken = 0, m_sent = 0;  ///< number of bytes of m_in that were taken; number of bytes of
                                          ///< m_out that were sent
};

}  // namespace sare::traffic
