// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"
#include "traffic/bridge/socket.h"

#include <chrono>
#include <functional>
#include <list>
#include <optional>

namespace sare::traffic {

/// A listener, and the connections that have not yet sent the first message that a protocol wants.
class newcomers {
  public:
    /// Reads the bytes that a connection has sent. Returns true if it has joined; the stream is moved away
    /// then. Throws peer_failure for bytes that no peer sends.
    using hearer = std::function<bool(byte_stream&)>;
    /// Tells a connection, in the protocol's own form, why it is sent away.
    using refuser = std::function<void(byte_stream&, const std::string& why)>;

    /// `wanted`: name, for error messages, of the message that a connection has to send within `limit_s`
    /// seconds of the host.
    newcomers(std::string wanted, double limit_s, refuser refuse)
        : m_wanted(std::move(wanted)), m_limit_s(limit_s), m_refuse(std::move(refuse)) {}

    /// Listens at `address`. Throws config::error if it cannot.
    void open(const socket_address& address, const config::location& at, const reception::warner& warn);
    /// Returns the address, with the port that the system chose if 0 was asked for.
    const socket_address& address() const { return m_address; }
    /// Adds the descriptors to wait for.
    void watch(std::vector<pollfd>& all) const;
    /// Takes new connections and reads from all, without waiting, until `enough` returns true.
    void attend(const hearer& hear, const std::function<bool()>& enough);
    /// Stops listening, and sends all connections away with the reason `why`.
    void close(const std::string& why);

  private:
    using clock = std::chrono::steady_clock;
    struct newcomer {
        byte_stream line;
        clock::time_point since = clock::now();
    };
    static constexpr std::size_t most = 64;                            ///< most connections at a time
    static constexpr std::size_t most_unsent = std::size_t{64} << 20;  ///< see byte_stream

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
