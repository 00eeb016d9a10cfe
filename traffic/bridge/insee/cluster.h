// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/insee/lock_step.h"

namespace sare::traffic::insee {

/// Parameters of the protocol `insee`.
struct parameters {
    std::string listen = "tcp:127.0.0.1:8082";        ///< address for the hosts' frames
    std::string synchronise = "udp:127.0.0.1:12345";  ///< address for CONNECT, OK, TS and CONTINUE
    std::string group;                                ///< multicast group of `synchronise`; "": none
    bool anywhere = false;         ///< true: both addresses may be reached from other machines
    bool region_ends_run = false;  ///< true: the clients leave with the end of the region of interest
    std::uint32_t hosts = 2;       ///< number of computers that the run begins with
    picoseconds cpu_cycle = 5000;  ///< time of a cycle of the clients' processors, in which they count
    double handshake_s = 10;       ///< seconds of the host from a connection to its MAC address
    double resend_s = 10;          ///< seconds of the host without a TS until CONTINUE is sent again
};

/// A host (simulated computer) and the connection by which its frames come and go.
struct host {
    computer who;
    byte_stream line;
};

/// All hosts of INSEE's clients as one peer: they stop and go on together.
class cluster final : public peer {
  public:
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
    std::vector<std::size_t> m_place_of;  ///< place in m_hosts, by node
    bool m_to_go = false;                 ///< true: CONTINUE is due
    picoseconds m_went = 0;               ///< time at which the last CONTINUE ended
};

}  // namespace sare::traffic::insee
