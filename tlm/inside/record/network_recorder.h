// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/packet_trace.h"
#include "tlm/inside/record/record_streams.h"
#include "tlm/router_api/view.h"

#include <deque>
#include <map>

namespace sare {

class network_view;

/// Records the state of all routers and links, cycle by cycle, for a page that plays it. It expects what the
/// player expects. A flit comes out of a link after the same time as the flit before. It leaves an input VC
/// in the cycle after the flit before if its packet has an output VC and a credit, which it takes. All
/// deviations are recorded, so that the record is exact for every kind of router. Routers in RTL show only
/// the flits that they send.
class network_recorder final : public observer, public flit_observer, public cycle_observer {
  public:
    /// Observes the network in network cycles [from, to), or until stop(). `packets`, a trace that has been
    /// started, numbers the packets; it and `net` must outlive this object.
    network_recorder(fabric& net, packet_trace& packets, cycle_t from, cycle_t to);
    ~network_recorder() override { stop(); }
    network_recorder(const network_recorder&) = delete;
    network_recorder& operator=(const network_recorder&) = delete;

    /// Ends the observation; does nothing the second time.
    void stop();
    /// Writes the record as JSON: the network (write_network_json()), sets(), streams(). Call after stop().
    void write(std::ostream& out) const;
    const record_streams& streams() const { return m_out; }  ///< streams so far
    /// Returns the sets of output VCs (port * VCs + VC) that heads have asked for in VC allocation, each with
    /// its number, from 0.
    const std::map<std::vector<std::uint32_t>, std::uint32_t>& sets() const { return m_sets; }
    std::uint64_t steps() const { return m_steps; }        ///< number of cycles so far with a change
    std::size_t packets() const { return m_ends.size(); }  ///< number of packets seen so far

    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override { end(p, now, false); }
    void message_consumed(const message_record&, cycle_t) override {}
    void packet_dropped(std::uint32_t, const packet& p, cycle_t now) override { end(p, now, true); }
    void flit_arrives(std::uint32_t on, const flit& f, const packet& p, cycle_t now) override;
    void cycle_over(cycle_t t) override;

  private:
    using rs = record_stream;
    static constexpr std::uint32_t none = ~std::uint32_t{0};  ///< no VC, link, arbiter, packet or owner

    /// A flit.
    struct recorded_flit {
        std::uint32_t packet = none;  ///< row of its packet in the table of packets
        std::uint16_t flit = 0;       ///< number in the packet, from 0
        std::uint8_t vc = 0;          ///< VC of the link or buffer in which it is
        bool operator==(const recorded_flit& o) const {
            return packet == o.packet && flit == o.flit && vc == o.vc;
        }
    };
    /// A link, as a player knows it.
    struct link {
        /// Indices in m_vcs of VC 0 of the ports where it begins and ends; none: a node.
        std::uint32_t from = none, to = none;
        std::deque<std::pair<recorded_flit, cycle_t>> way;  ///< flits expected, and cycles in which they left
        cycle_t delay = 1;                                  ///< cycles that the latest flit took
        recorded_flit now;                                  ///< flit that comes in this cycle
    };
    enum class state : std::uint8_t { idle, route, bids, active };  ///< see state_of_front()
    /// A VC of a port, input and output, as a player knows it.
    struct vc {
        std::uint32_t router, port, number;  ///< place; `number`: VC of the port
        std::uint32_t first, link = none;    ///< index in m_vcs of the router's first VC; link from the port
        std::deque<recorded_flit> flits;     ///< flits in the input VC, the front first
        state is = state::idle;              ///< state of the input VC
        std::uint32_t what =
            none;  ///< active: output VC (port * VCs + VC); bids: number of the set asked for
        cycle_t left = ~cycle_t{0};  ///< cycle after the one in which a flit last left the input VC
        std::uint32_t credits = 0, owner = none, sent = 0;  ///< output VC: see out_vc; sent: out_vc::flits
        /// Numbers of the arbiters that grant it.
        std::uint32_t va_input = none, va_output = none, sa_input = none, sa_output = none;
    };

    void number_vcs();
    void number_arbiters();
    std::uint32_t row_of(std::uint32_t slot);
    void end(const packet& p, cycle_t now, bool dropped);
    recorded_flit as_recorded(const flit& f);
    void record_arrival(std::uint32_t number);
    recorded_flit take_from(link& l, std::uint32_t number);
    void record_input(std::uint32_t number);
    void let_go(std::uint32_t number);
    void enter(std::uint32_t number, state is, std::uint32_t value);
    std::pair<state, std::uint32_t> state_of(const vc& in, const in_vc& seen);
    void record_output(std::uint32_t number);
    void record_turns(std::uint32_t router);
    void serve(std::uint32_t arbiter, std::uint32_t requester);
    std::uint32_t set_asked_for(const vc& in);

    fabric& m_net;
    const network_view& m_view;
    packet_trace& m_trace;
    const cycle_t m_from, m_to;
    cycle_t m_now = 0, m_next = 0;                               ///< present cycle; cycle after the last step
    bool m_runs = true;                                          ///< false after stop()
    std::uint64_t m_steps = 0;                                   ///< see steps()
    std::vector<std::pair<link_end, link_end>> m_ends_of_links;  ///< ends of each link
    std::vector<link> m_links;                                   ///< links, in the same order
    std::vector<vc> m_vcs;                                       ///< VCs by router, port, VC
    std::vector<std::uint16_t> m_turns;       ///< requester served last, by arbiter; see record_turns()
    std::vector<std::uint32_t> m_first_turn;  ///< number of the first arbiter of each router
    std::map<std::vector<std::uint32_t>, std::uint32_t> m_sets;  ///< see sets()
    std::vector<recorded_flit> m_seen;                           ///< flits in the input VC looked at
    /// Packet seen last in slot flit::packet: its traced_packet::number, and its row in m_ends; none: ended.
    struct known_packet {
        std::uint64_t number;
        std::uint32_t row;
    };
    std::vector<known_packet> m_rows;  ///< packets by slot
    /// A row of the table of packets.
    struct row {
        cycle_t injected;       ///< cycle of injection
        std::uint32_t flits;    ///< length in flits
        std::uint64_t end = 0;  ///< number in the stream `ends`
    };
    std::vector<row> m_ends;
    traced_packet m_last;  ///< packet of the last row
    record_streams m_out;
};

}  // namespace sare
