// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/packet_trace.h"
#include "tlm/inside/record/record_streams.h"
#include "tlm/router_api/view.h"

#include <deque>
#include <map>

namespace sare {

class network_view;

/// Records the state of all routers and links, cycle by cycle, for a page that plays it. It expects what
/// mostly happens: flits come out of a link after the same time as the flit before, leave one after the other
/// when their packet has an output VC, take a credit with them. It records what is otherwise, so that the
/// record is exact for every kind of router. Foreign blocks, as in RTL, show only what they send.
class network_recorder final : public observer, public flit_observer, public cycle_observer {
  public:
    /// Observes the network from cycle `from` to before cycle `to`, or to stop(). `packets`, a trace that has
    /// been started, numbers the packets; it and `net` must outlive this object.
    network_recorder(fabric& net, packet_trace& packets, cycle_t from, cycle_t to);
    ~network_recorder() override { stop(); }
    network_recorder(const network_recorder&) = delete;
    network_recorder& operator=(const network_recorder&) = delete;

    /// Ends the observation.
    void stop();
    /// Writes the record as JSON: the network (write_network_json()), sets(), streams(). Call after stop().
    void write(std::ostream& out) const;
    const record_streams& streams() const { return m_out; }
    /// Returns the sets of output VCs (port * VCs + VC) that packets have asked for, and their numbers.
    const std::map<std::vector<std::uint32_t>, std::uint32_t>& sets() const { return m_sets; }
    std::uint64_t steps() const { return m_steps; }        ///< number of cycles with a change
    std::size_t packets() const { return m_ends.size(); }  ///< number of packets seen

    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override { end(p, now, false); }
    void message_consumed(const message_record&, cycle_t) override {}
    void packet_dropped(std::uint32_t, const packet& p, cycle_t now) override { end(p, now, true); }
    void flit_arrives(std::uint32_t on, const flit& f, const packet& p, cycle_t now) override;
    void cycle_over(cycle_t t) override;

  private:
    using rs = record_stream;
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// A flit by the row of its packet and its place in it, with the VC of the link that it takes.
    struct recorded_flit {
        std::uint32_t packet = none;
        std::uint16_t flit = 0;
        std::uint8_t vc = 0;
        bool operator==(const recorded_flit& o) const {
            return packet == o.packet && flit == o.flit && vc == o.vc;
        }
    };
    struct link {
        std::uint32_t from = none, to = none;  ///< first output VC of its beginning, input VC of its end
        std::deque<std::pair<recorded_flit, cycle_t>> way;  ///< flits expected, and when they left
        cycle_t delay = 1;                                  ///< cycles that the latest flit took
        recorded_flit now;                                  ///< flit that comes in this cycle
    };
    enum class state : std::uint8_t { idle, route, bids, active };  ///< see state_of_front()
    /// A VC of a port, input and output, as a player knows it.
    struct vc {
        std::uint32_t router, port, number;  ///< place; `number`: of the VC in its port
        std::uint32_t first, link = none;    ///< first VC of the router; link from the port
        std::deque<recorded_flit> flits;
        state is = state::idle;
        std::uint32_t what =
            none;  ///< active: output VC (port * VCs + VC); bids: number of the set asked for
        cycle_t left = ~cycle_t{0};  ///< cycle after that in which a flit last left
        std::uint32_t credits = 0, owner = none, sent = 0;
        std::uint32_t va_input = none, va_output = none, sa_input = none, sa_output = none;  ///< arbiters
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
    cycle_t m_now = 0, m_next = 0;  ///< cycle; first one after those recorded
    bool m_runs = true;
    std::uint64_t m_steps = 0;
    std::vector<std::pair<link_end, link_end>> m_ends_of_links;
    std::vector<link> m_links;
    std::vector<vc> m_vcs;                    ///< by router, port, VC
    std::vector<std::uint16_t> m_turns;       ///< by arbiter: requester served last; see record_turns()
    std::vector<std::uint32_t> m_first_turn;  ///< by router
    std::map<std::vector<std::uint32_t>, std::uint32_t> m_sets;
    std::vector<recorded_flit> m_seen;  ///< flits in an input VC
    struct known_packet {
        std::uint64_t number;
        std::uint32_t row;
    };
    std::vector<known_packet> m_rows;  ///< by slot
    /// Cycles of injection and lengths of packets, and their numbers in the stream `ends`; by row.
    struct row {
        cycle_t injected;
        std::uint32_t flits;
        std::uint64_t end = 0;
    };
    std::vector<row> m_ends;
    traced_packet m_last;  ///< the packet of the last row
    record_streams m_out;
};

}  // namespace sare
