// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/insee/lock_step.h"

namespace sare::traffic::insee {

/// Parameters of the protocol `insee`.
struct parameters {
    std::string listen = "tcp:127.0.0.1:8082";        ///< address at which hosts connect, for their frames
    std::string synchronise = "udp:127.0.0.1:12345";  ///< address at which clients send the datagrams CONNECT
                                                      ///< and TS, and get OK and CONTINUE
    std::string group;  ///< multicast group to which CONTINUE is sent, at the port of `synchronise`; empty:
                        ///< to each client by itself
    bool anywhere = false;  ///< true: other machines may reach both addresses; false: addresses must be of
                            ///< this machine alone
    bool region_ends_run = false;  ///< true: the run ends with the end of the region of interest
    std::uint32_t hosts = 2;       ///< number of simulated computers with which the run begins
    picoseconds cpu_cycle = 5000;  ///< picoseconds of a cycle of the clients' processors, in which the
                                   ///< protocol counts time
    /// Seconds of real time within which a new connection must send the host's MAC address.
    double handshake_s = 10;
    double resend_s = 10;  ///< seconds of real time without a TS after which CONTINUE is sent again
};

/// A host (a simulated computer) and the connection on which its frames come and go.
struct host {
    computer who;      ///< node and address of the host
    byte_stream line;  ///< TCP connection on which the host's frames come and go
};

/// All hosts of INSEE's clients as one peer, since they stop and go on together.
class cluster final : public peer {
  public:
    /// `hosts`, `step`: all hosts and clients, which have come; `warn`: called with lines on datagrams that
    /// no client sends. `terms` must outlive the object.
    cluster(const parameters& p, std::vector<host> hosts, lock_step step, const bridge_terms& terms,
            reception::warner warn);

    void deliver(const frame& f) override;
    void watch(std::vector<pollfd>& all) const override;
    void attend(bridge_side& bridge) override;
    std::string missing() const override { return m_step.missing(); }
    void dismiss(const std::string& reason) override;

  private:
    void send_grant() override;
    void go_on();
    void hear(std::size_t place, bridge_side& bridge);
    void take_records(std::size_t place, bridge_side& bridge);
    void take_frame(std::size_t place, const std::string& bytes, bridge_side& bridge);
    void take_region(std::size_t place, const std::string& bytes, bool begins, bridge_side& bridge);
    std::uint64_t wait_until(picoseconds time) const;
    bool any_half_read() const;

    const parameters m;
    std::vector<host> m_hosts;
    lock_step m_step;
    const bridge_terms& m_terms;
    reception::warner m_warn;
    std::vector<std::size_t> m_place_of;  ///< index in m_hosts of the host on each node
    bool m_to_go = false;    ///< true: the clients have a grant for which CONTINUE was not sent yet
    picoseconds m_went = 0;  ///< time at which the run of the last CONTINUE ended
};

}  // namespace sare::traffic::insee
