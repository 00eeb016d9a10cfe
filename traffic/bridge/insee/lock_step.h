// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/insee/datagrams.h"
#include "traffic/bridge/peer.h"

namespace sare::traffic::insee {

/// The protocol by which INSEE synchronises its clients (simulators with one or several hosts). Each client
/// sends CONNECT and gets OK. Whenever a client has stopped, it sends TS with its time; when all have
/// stopped, they get CONTINUE with the number of cycles to run.
class lock_step {
  public:
    /// `d`: socket of the protocol; `hosts`: number of hosts that all clients together must announce;
    /// `resend_s`: seconds of real time after which a CONTINUE that a client has not answered with a TS is
    /// sent again, as it may have been lost.
    lock_step(datagrams d, std::uint32_t hosts, double resend_s);

    const socket_address& address() const { return m_datagrams.address(); }  ///< address of the socket
    /// Appends the descriptors, for poll(), that tell when attend() has something to do.
    void watch(std::vector<pollfd>& all) const;
    /// Reads and answers the datagrams that have come, without waiting. Throws peer_failure if a client
    /// breaks the protocol; calls `warn` for datagrams that no client sends.
    void attend(const reception::warner& warn);

    /// Returns the number of hosts that clients have announced so far by CONNECT.
    std::uint32_t hosts() const { return m_announced; }
    /// Returns true if all hosts are announced, and each client has sent TS with the same time since the last
    /// CONTINUE.
    bool stopped() const;
    /// Returns the clients whose TS is missing as the end of an error text, such as "; no TS of
    /// 02:00:00:00:00:01"; empty if no TS is missing.
    std::string missing() const;
    /// Sends CONTINUE to all clients: they run for `cycles` cycles of their processors. Call only if
    /// stopped().
    void go(std::uint64_t cycles);

  private:
    /// A client: its address for TS, the sender of its CONNECT, and whether it has stopped since the last
    /// CONTINUE.
    struct client {
        mac_address mac;
        sockaddr_in at{};
        bool stopped = false;
    };

    void take(const datagrams::datagram& d, const reception::warner& warn);
    void take_connect(const datagrams::datagram& d, const reception::warner& warn);
    void take_time(const datagrams::datagram& d, const reception::warner& warn);
    client* find(const mac_address& mac);
    std::string go_on() const;
    void send_go_on();
    void set_timer(double seconds);

    datagrams m_datagrams;
    std::uint32_t m_hosts, m_announced = 0;  ///< number of hosts wanted; number of hosts announced so far
    double m_resend_s;                       ///< seconds of real time after which a CONTINUE is sent again
    descriptor m_timer;
    std::vector<client> m_clients;
    std::size_t m_long = 0;  ///< bytes of the type `long` on the clients' machines, 4 or 8; 0: no client yet
    bool m_has_time = false, m_has_run = false;  ///< true: a TS has come; true: go() was called
    std::uint64_t m_next = 0;                    ///< cycle of the clients at which all must stop
    std::uint64_t m_last = 0, m_cycles = 0;  ///< cycle at which the last CONTINUE begins, and number of its
                                             ///< cycles
};

}  // namespace sare::traffic::insee
