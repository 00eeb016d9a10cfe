// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"
#include "traffic/bridge/socket.h"

#include <chrono>
#include <functional>
#include <list>
#include <optional>

namespace sare::traffic {

/// A listening socket, and the connections to it that have not yet sent the first message that a protocol
/// demands.
class newcomers {
  public:
    /// Function that looks at the bytes that a connection has sent so far. Returns true if they are a
    /// complete first message and the connection has joined; the function has then moved from the stream.
    /// Throws peer_failure for bytes that no peer sends.
    using hearer = std::function<bool(byte_stream&)>;
    /// Function that tells a connection, in a message of the protocol, the reason `why` it is refused.
    using refuser = std::function<void(byte_stream&, const std::string& why)>;

    /// `wanted`: name of the first message, for errors; `limit_s`: seconds of real time from a connection to
    /// its complete first message; `refuse`: called for each connection that is refused.
    newcomers(std::string wanted, double limit_s, refuser refuse)
        : m_wanted(std::move(wanted)), m_limit_s(limit_s), m_refuse(std::move(refuse)) {}

    /// Begins to listen at `address`; call once. `warn`: called with a line for each connection that is
    /// refused. Throws config::error at `at` if the address cannot be used.
    void open(const socket_address& address, const config::location& at, const reception::warner& warn);
    /// Returns the address of the socket, with the port that the system chose if port 0 was asked for.
    const socket_address& address() const { return m_address; }
    /// Appends the descriptors, for poll(), that tell when attend() has something to do.
    void watch(std::vector<pollfd>& all) const;
    /// Accepts new connections and reads what all have sent, without waiting; gives each to `hear`, until
    /// `enough` returns true. Refuses connections that send wrong bytes, hang up or are too late.
    void attend(const hearer& hear, const std::function<bool()>& enough);
    /// Stops listening, and refuses, with the reason `why`, all connections that have not joined.
    void close(const std::string& why);

  private:
    using clock = std::chrono::steady_clock;
    /// A connection that has not joined, and the time at which it was accepted.
    struct newcomer {
        byte_stream line;
        clock::time_point since = clock::now();
    };
    static constexpr std::size_t most = 64;  ///< largest number of connections that have not joined
    /// Largest number of bytes that may wait to be sent to a connection.
    static constexpr std::size_t most_unsent = std::size_t{64} << 20;

    void accept();
    bool has_joined(newcomer& n, const hearer& hear) const;
    void refuse(newcomer& n, const std::string& why);

    std::string m_wanted;
    double m_limit_s;
    refuser m_refuse;
    socket_address m_address;
    reception::warner m_warn;
    std::optional<listener> m_listener;
    std::list<newcomer> m_all;
};

}  // namespace sare::traffic
