// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/insee/datagrams.h"
#include "traffic/bridge/peer.h"

namespace sare::traffic::insee {

/// The protocol by which INSEE synchronises its clients: each client sends CONNECT and gets OK; whenever it
/// has stopped it sends TS with its time, and when all have stopped, they get CONTINUE with the number of
/// cycles to run.
class lock_step {
  public:
    /// `d`: socket of the protocol. `hosts`: number of hosts that all clients announce together. `resend_s`:
    /// seconds of the host without a datagram until CONTINUE is sent once more, as it may have been lost.
    lock_step(datagrams d, std::uint32_t hosts, double resend_s);

    const socket_address& address() const { return m_datagrams.address(); }
    /// Adds the descriptors to wait for.
    void watch(std::vector<pollfd>& all) const;
    /// Reads the datagrams that have come. Throws peer_failure on a breach of the protocol; warns of
    /// datagrams of others.
    void attend(const reception::warner& warn);

    std::uint32_t hosts() const { return m_announced; }  ///< number of hosts announced by clients so far
    /// True if all clients have sent CONNECT, and TS with the same time.
    bool stopped() const;
    /// Returns the clients whose TS is missing: "; no TS of 02:00:00:00:00:01".
    std::string missing() const;
    /// Lets all clients, which are stopped(), run for `cycles` cycles of their processors.
    void go(std::uint64_t cycles);

  private:
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
    std::uint32_t m_hosts, m_announced = 0;  ///< number of hosts wanted, and of those announced so far
    double m_resend_s;  ///< seconds after which a CONTINUE that clients do not answer is sent again
    descriptor m_timer;
    std::vector<client> m_clients;
    std::size_t m_long = 0;  ///< bytes of `long` on a client's machine
    bool m_has_time = false, m_has_run = false;
    std::uint64_t m_next = 0;                ///< client cycle at which all are to stop
    std::uint64_t m_last = 0, m_cycles = 0;  ///< start and cycles of the last CONTINUE
};

}  // namespace sare::traffic::insee
