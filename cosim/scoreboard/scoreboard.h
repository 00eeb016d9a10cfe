// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/buffer_places.h"
#include "cosim/pins/pin_adapter.h"
#include "cosim/pins/pin_router.h"
#include "cosim/pins/routing_context.h"
#include "cosim/scoreboard/event_history.h"
#include "cosim/scoreboard/violation.h"

#include <deque>
#include <memory>
#include <string>

namespace sare::cosim {

/// The limits to which a scoreboard holds a router. Times are in cycles. Lists are indexed by output port.
struct router_limits {
    std::uint32_t ports = 0, vcs = 0;         ///< number of ports; number of VCs of each port
    std::vector<std::uint32_t> depth_beyond;  ///< flits of a VC that fit into the buffer beyond each output
                                              ///< port, places in `pool_beyond` included
    /// Smallest and largest time of a head through the empty router: cycle in which it goes out minus cycle
    /// in which it comes in.
    std::uint32_t min_latency = 0, max_latency = 0;
    /// True: packets leave on the VC on which they came in, if routing allows that VC.
    bool keeps_vc = false;
    bool turns_back = true;     ///< false: packets must not leave by the port at which they came in
    std::uint32_t reserve = 0;  ///< number of credits of each output VC that the router may leave unused, as
                                ///< with flow control on_off (pin_adapter.h)
    /// Free places beyond an output VC that a head may wait for.
    pins::head_credits room = pins::head_credits::one_place;
    /// Time from the last flit or credit until the empty router is in its initial state.
    std::uint32_t settling = 4;
    std::uint32_t patience = 1000;  ///< longest time for which a flit that could leave may stay
    /// Longest time for which a flit that could leave may stay while no other flit leaves by its output port
    /// or comes from its input port; 0: patience.
    std::uint32_t standstill = 0;
    std::uint32_t depth = 0;      ///< most flits that an input VC takes of packets that cannot go on; 0: any
    bool counts_credits = false;  ///< true: the router counts credits, and has no ready or on pins
    /// Longest time from one flit of a packet to the next while no other packet, missing flit or missing
    /// credit delays them; 0: not checked.
    std::uint32_t cycles_per_flit = 0;
    /// Number of credits that the router has for each output VC at the begin; 0: depth_beyond.
    std::uint32_t credits = 0;
    std::uint32_t credit_lag = 0;    ///< largest number of credits that have come in and that the router may
                                     ///< not count yet
    std::uint32_t credit_delay = 0;  ///< largest number of cycles from a flit's leaving to the credit for its
                                     ///< place; 0: `patience`
    /// Number of the places of depth_beyond that all VCs of an output port share; 0 for a port behind the end
    /// of the list.
    std::vector<std::uint32_t> pool_beyond = {};
};

/// Watches a router of any kind. It checks that every flit that goes in comes out once, at a port and VC that
/// routing allows; that packets come out whole and in order, and that packets from an input VC to an output
/// port keep their order; that the router sends no more flits than it has credits, and gives no more credits
/// than flits have left; that no flit or credit stays for ever; that a head passes the empty router in the
/// declared time; and that the header of a head names the right destination and the right route at the next
/// router. At the first broken rule cycle() throws a violation with the last events at the port. After that
/// no flits and credits come out; the router itself runs on, for waves of it.
class scoreboard final : public pin_router {
  public:
    /// `watched`: the router; `around`, its place, and `packets` must outlive the object.
    scoreboard(std::unique_ptr<pin_router> watched, router_limits limits, const routing_context& around,
               const packet_table& packets);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    /// Calls finish() of the router, and throws a violation if that throws; does nothing after a violation.
    /// Does not check that the router is empty (packets_inside()).
    void finish() override;

    std::uint64_t flits() const { return m_flits; }  ///< number of flits that came out
    /// Number of heads whose time through the empty router was checked.
    std::uint64_t latencies() const { return m_latencies; }
    /// Number of packets whose head has come in and whose tail has not come out.
    std::uint32_t packets_inside() const { return m_inside_now; }

  private:
    static constexpr std::uint32_t none = ~0u;

    /// A packet in the router.
    struct inside {
        bool here = false;                          ///< true: the packet is in the router
        std::uint64_t uid = 0;                      ///< carried_packet::uid
        std::uint32_t in_port = 0, in_vc = 0;       ///< input port and VC of its head
        std::uint32_t flits_in = 0, flits_out = 0;  ///< flits that have come in, and that have gone out
        std::uint32_t out_port = 0;                 ///< output port that routing allows
        vc_mask out_vcs = 0;                        ///< VCs of that port that routing allows
        std::uint32_t out_vc = 0;                   ///< VC of that port, set when the head has left
        std::vector<cycle_t> came;                  ///< cycle of arrival, by flit
        /// True: no other packet was in the router since its head came, and all credits were there.
        bool alone = false;
        /// Number of cycles since its last flit left in which its next one could have left.
        std::uint32_t idle = 0;
        cycle_t left_at = 0;       ///< cycle in which its last flit left
        cycle_t could_since = 0;   ///< cycle since which its next flit could have left; 0: it cannot
        std::uint64_t others = 0;  ///< flits that had left by its output port when `idle` became 1
        cycle_t idle_since = 0;    ///< cycle in which `idle` became 1
        /// Cycle since which no other packet or missing credit delays it (is_free()).
        cycle_t free_since = 0;
    };
    /// State of an input VC.
    struct input_vc {
        std::deque<std::uint32_t> packets;  ///< numbers of the packets that have come in and not gone out, in
                                            ///< the order of arrival
        std::uint32_t held = 0;    ///< number of flits that have come in and for which no credit was given
        std::uint32_t inside = 0;  ///< number of flits that have come in and not left
        /// Number of cycles since the last credit in which a credit was owed (`held` above `inside`).
        std::uint32_t owing = 0;
        /// Cycle since which a credit is owed, 0: none is; and the flit that left then.
        cycle_t owing_since = 0;
        flit owing_for;
        carried_packet owing_packet;
    };
    /// State of an output VC.
    struct output_vc {
        std::uint32_t packet = none;  ///< number of the packet whose head has left and whose tail has not;
                                      ///< none: there is none
    };
    /// Uses of a port, as output and as input.
    struct port_use {
        std::uint64_t flits = 0;  ///< flits that have left by the port
        /// Last cycle in which a flit left by this output port; and in which one that came by this input port
        /// left.
        cycle_t left_at = 0, sent_from = 0;
    };

    void watch(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out);
    void go_on(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out);
    void came(cycle_t t, std::uint32_t port, const flit& f);
    void head_came(cycle_t t, std::uint32_t port, const flit& f);
    void left(cycle_t t, std::uint32_t port, const port_out& out);
    void check_flit(std::uint32_t port, const flit& f) const;
    void head_left(std::uint32_t port, const flit& f);
    void check_header(std::uint32_t port, const flit& f, const header_fields& header) const;
    void check_latency(cycle_t t, std::uint32_t port, const flit& f);
    void tail_left(const flit& f);
    void credits_left(std::uint32_t port, std::uint32_t vcs);
    void check_waiting(cycle_t t);
    void check_waiting(cycle_t t, input_vc& i);
    [[noreturn]] void fail_waiting(cycle_t t, std::uint32_t packet) const;
    void check_depth(std::uint32_t port, std::uint32_t vc) const;
    bool cannot_go_on(std::uint32_t packet) const;
    void check_pace(cycle_t t);
    bool is_free(std::uint32_t port, const input_vc& i) const;
    void check_credits();
    void note_owing(cycle_t t, const flit& f);
    bool can_leave(std::uint32_t packet) const;
    std::uint32_t places_for_head(std::uint32_t packet) const;
    bool has_credits(std::uint32_t port, std::uint32_t vc, std::uint32_t n) const;
    [[noreturn]] void fail(std::uint32_t port, std::uint32_t vc, const std::string& what,
                           cycle_t since = 0) const;
    [[noreturn]] void fail(std::uint32_t port, const flit& f, const std::string& what,
                           cycle_t since = 0) const;
    std::string text_of(const flit& f) const;
    const input_vc& input(std::uint32_t port, std::uint32_t vc) const {
        return m_in[port * m_limits.vcs + vc];
    }
    input_vc& input(std::uint32_t port, std::uint32_t vc) { return m_in[port * m_limits.vcs + vc]; }
    const output_vc& output(std::uint32_t port, std::uint32_t vc) const {
        return m_out[port * m_limits.vcs + vc];
    }
    output_vc& output(std::uint32_t port, std::uint32_t vc) { return m_out[port * m_limits.vcs + vc]; }

    std::unique_ptr<pin_router> m_watched;
    router_limits m_limits;
    const routing_context& m_around;
    const packet_table& m_packets;
    event_history m_history;
    bool m_failed = false;                ///< true: cycle() or finish() has thrown
    std::vector<inside> m_inside;         ///< by packet number
    std::vector<input_vc> m_in;           ///< [port * vcs + vc]
    std::vector<output_vc> m_out;         ///< [port * vcs + vc]
    std::vector<port_use> m_use;          ///< by port
    std::vector<buffer_places> m_beyond;  ///< places beyond each output port, as credits tell at the pins
    std::vector<std::uint32_t> m_wanted;  ///< number of packets inside that go to each output port
    std::uint32_t m_inside_now = 0;       ///< see packets_inside()
    cycle_t m_last_event = 0;             ///< cycle of the last flit or credit at the pins
    std::uint64_t m_flits = 0, m_latencies = 0;
};

}  // namespace sare::cosim
