// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/pins/routing_context.h"
#include "cosim/random/pin_traffic.h"
#include "tlm/base/rng.h"

#include <memory>

namespace sare::cosim {

/// A kind of packets that come into a router in its network: input port, mask of the VCs on which they may
/// come, and header.
struct packet_flow {
    std::uint32_t in = 0, vcs = 0;
    route_header header;
    std::uint32_t out = 0;  ///< output port by which the packets leave
};

/// Random traffic at the pins of one router, as hard on it as the rules allow: phases of every load from idle
/// to a flit a cycle, late credits, stalling ports, lengths from one flit to more than a buffer, hot
/// destinations.
class router_bench final : public pin_traffic {
  public:
    /// `around`: the place of the router, with the output port for each destination; must outlive the object.
    /// The same seed gives the same traffic on every machine.
    router_bench(const router_setting& setting, const routing_context& around, std::uint64_t seed);

    /// Turns on or off additional phases that fill buffers completely and then drain them, since deep buffers
    /// seldom fill by chance; off at first.
    void fill_and_drain(bool on) { m_drains = on; }

    /// Sends only packets of `flows`, which must outlive the object; none at an input VC that no flow has.
    /// Without this call, packets to any node come in at any port.
    void only(const std::vector<packet_flow>& flows);

    packet_table& packets() override { return m_packets; }

    const std::vector<port_in>& inputs(bool closing = false) override;
    /// Checks and counts the flits and credits that leave the router in this cycle. Throws std::runtime_error
    /// for a flit at a wrong port, on a VC that routing does not allow, out of order in its packet, wrongly
    /// marked as head or tail, or sent without a credit; and for a credit for which no flit has left. A
    /// packet that is lost as a whole is noticed only in that empty() stays false.
    void outputs(const std::vector<port_out>& out) override;

    std::uint64_t flits_sent() const { return m_counts.sent; }          ///< flits that went into the router
    std::uint64_t flits_received() const { return m_counts.received; }  ///< flits that came out of it
    std::uint64_t packets_done() const { return m_counts.done; }  ///< packets whose tail came out everywhere
    bool empty() const override { return m_packets.in_use() == 0; }

  private:
    /// Sender into an input VC.
    struct source_vc {
        bool open = false;           ///< true: the head of a packet was sent, and its tail was not
        std::uint32_t packet = 0;    ///< number of that packet
        std::uint16_t sequence = 0;  ///< number in the packet of the next flit to be sent, from 0
    };
    /// Receiver behind an output VC.
    struct sink_vc {
        bool open = false;           ///< true: the head of a packet has come out, and its tail has not
        std::uint32_t packet = 0;    ///< number of that packet
        std::uint16_t sequence = 0;  ///< number in the packet of the flit that must come out next, from 0
    };

    void next_phase();
    void fill_or_drain();
    void give_credits(std::uint32_t q, bool closing);
    void send_flit(std::uint32_t q, bool closing);
    std::uint32_t new_packet(const input_channel& in);
    std::uint32_t nodes() const;
    std::uint32_t destination();
    void draw_route(carried_packet& p);
    void check(std::uint32_t q, const flit& f, const sink_vc& sink) const;

    router_setting m_setting;
    const routing_context& m_around;
    rng m_random;
    packet_table m_packets;
    /// Destination nodes by output port, as a list for each port that leads to any node, in ascending order
    /// of these ports; so the index is not the number of the port.
    std::vector<std::vector<std::uint32_t>> m_nodes_behind;
    /// Flows of each input VC, [port * vcs + vc], if only() was called; else empty.
    std::vector<std::vector<const packet_flow*>> m_flows;
    std::vector<source_vc> m_sources;  ///< senders into input VCs, [port * vcs + vc]
    std::vector<sink_vc> m_sinks;      ///< receivers behind output VCs, [port * vcs + vc]
    /// Places of the router's buffers, by input port, and of the receivers' buffers, by output port.
    std::vector<buffer_places> m_here, m_beyond;
    std::vector<port_in> m_in;  ///< result of inputs()
    /// Packets begun, flits sent and received, and packets whose tail came out.
    struct counts {
        std::uint64_t uids = 0, sent = 0, received = 0, done = 0;
    } m_counts;

    // The present phase of the traffic.
    std::uint32_t m_cycles_left = 0;       ///< number of cycles until the next phase
    double m_load = 0, m_credit_rate = 0;  ///< probability in a cycle that a port sends a flit, and that an
                                           ///< owed credit is given
    std::uint32_t m_longest = 1, m_hot_node = 0;  ///< largest number of flits of a packet; node to which
                                                  ///< traffic is concentrated
    /// Masks of ports, port q in bit q: those that send a flit with probability 0.05 in a cycle, whatever the
    /// load; and those whose receiver gives no credits.
    std::uint32_t m_slow_inputs = 0, m_slow_outputs = 0;
    bool m_equal_lengths = false;  ///< true: all packets have m_longest flits
    bool m_hot = false;            ///< true: half of the packets go to m_hot_node
    bool m_drains = false;         ///< argument of fill_and_drain()
    bool m_is_full = false;        ///< true: this phase fills buffers; the next one drains them
};

}  // namespace sare::cosim
