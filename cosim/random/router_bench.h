// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/pins/routing_context.h"
#include "cosim/random/pin_traffic.h"
#include "tlm/base/rng.h"

#include <memory>

namespace sare::cosim {

/// Random traffic at the pins of one router, legal and as mean as that allows: phases of every load from idle
/// to a flit a cycle, late credits, stalling ports, lengths from one flit to more than a buffer, hot
/// destinations.
class router_bench final : public pin_traffic {
  public:
    /// `around`, which must outlive it, says to which port each destination leads.
    router_bench(const router_setting& setting, const routing_context& around, std::uint64_t seed);

    /// Adds phases that fill buffers to the brim and then drain them, since deep buffers seldom fill by
    /// chance.
    void fill_and_drain(bool on) { m_drains = on; }

    packet_table& packets() override { return m_packets; }

    const std::vector<port_in>& inputs(bool closing = false) override;
    /// Takes the outputs. Throws std::runtime_error for a lost, invented, misordered or misrouted flit.
    void outputs(const std::vector<port_out>& out) override;

    std::uint64_t flits_sent() const { return m_sent; }
    std::uint64_t flits_received() const { return m_received; }
    std::uint64_t packets_done() const { return m_done; }
    bool empty() const override { return m_packets.in_use() == 0; }

  private:
    struct source_vc {
        bool open = false;  ///< true: a packet has begun
        std::uint32_t packet = 0;
        std::uint16_t sequence = 0;
    };
    struct sink_vc {
        bool open = false;
        std::uint32_t packet = 0;
        std::uint16_t sequence = 0;
    };

    void next_phase();
    void fill_or_drain();
    void give_credits(std::uint32_t q, bool closing);
    void send_flit(std::uint32_t q, bool closing);
    std::uint32_t new_packet(const input_channel& in);
    std::uint32_t nodes() const;
    std::uint32_t destination();
    void check(std::uint32_t q, const flit& f, const sink_vc& sink) const;

    router_setting m_setting;
    const routing_context& m_around;
    rng m_random;
    packet_table m_packets;
    std::vector<std::vector<std::uint32_t>> m_nodes_behind;  ///< destinations, by port that leads to them
    std::vector<source_vc> m_sources;                        ///< by port * vcs + vc
    std::vector<sink_vc> m_sinks;                            ///< by port * vcs + vc
    std::vector<buffer_places> m_here, m_beyond;             ///< places of the router, by port; of the sinks
    std::vector<port_in> m_in;
    std::uint64_t m_uids = 0, m_sent = 0, m_received = 0, m_done = 0;

    // The phase.
    std::uint32_t m_cycles_left = 0;
    double m_load = 0, m_credit_rate = 0;
    std::uint32_t m_longest = 1, m_hot_node = 0;
    std::uint32_t m_slow_inputs = 0, m_slow_outputs = 0;  ///< masks of ports
    bool m_equal_lengths = false, m_hot = false;
    bool m_drains = false, m_is_full = false;
};

}  // namespace sare::cosim
