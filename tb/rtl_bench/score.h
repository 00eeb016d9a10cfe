// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/rtl_bench/coverage.h"
#include "tb/rtl_bench/setting.h"
#include "tb/rtl_bench/signals.h"

#include <deque>
#include <unordered_map>

namespace sare::bench {

/// The scoreboard: knows which flits must come out, and counts flits, packets and coverage. Sources tell it
/// which flits they put on pins, sinks which they find there. The first error ends the simulation.
class score {
  public:
    /// `table`: output port of each destination node.
    score(const setting& s, std::vector<std::uint32_t> table);

    /// Begins a packet, of which nothing has been sent yet, at input `port` on VC `vc`. It must leave by
    /// `out_port`, on a VC of the message class whose first VC is `vc_base`, and has `length` flits. Returns
    /// its number, from 1.
    std::uint64_t begin(std::uint32_t port, std::uint32_t vc, std::uint32_t out_port, std::uint32_t vc_base,
                        std::uint32_t destination, std::uint32_t length);
    /// @name Events of a cycle; `cycle` is the cycle in which the flit is on the pins
    /// A source puts flit `f`, the next one of packet number `packet`, on the pins.
    void sent(std::uint64_t cycle, std::uint64_t packet, const flit_pins& f);
    /// A sink finds flit `f` on the pins of output `port`; a wrong flit is an error (error()).
    void left(std::uint64_t cycle, std::uint32_t port, const flit_pins& f);
    /// A sink gives credits to the router at output `port`: one for each VC in the mask `vcs`, which may be
    /// 0. Must be called in every cycle.
    void credits_given(std::uint32_t port, std::uint32_t vcs);
    /// A source finds credits of the router at input `port`: one for each VC in the mask `vcs`, which may be
    /// 0.
    void credits_back(std::uint32_t port, std::uint32_t vcs);
    /// Ends a cycle; call after all of its events.
    void end_of_cycle();

    /// Returns the first error in one line; empty if there is none.
    const std::string& error() const { return m_error; }
    /// Stores an error if it is the first one, and ends the simulation.
    void fail(const std::string& what);
    /// Returns true if every packet that has begun has left, its tail included.
    bool empty() const { return m_packets.empty(); }
    /// Returns true if every credit is back, those of the router's inputs at the sources and those of its
    /// outputs at the router.
    bool all_credits_back() const;
    std::uint64_t flits() const { return m_flits; }      ///< number of flits that have left
    std::uint64_t packets() const { return m_done; }     ///< number of packets whose tail has left
    const coverage& covered() const { return m_cover; }  ///< functional coverage

  private:
    /// A packet that has begun and not left.
    struct packet {
        std::uint32_t in_port, in_vc, out_port, vc_base, destination, length;
        std::uint32_t sent = 0, left = 0;  ///< number of its flits that were sent, and that have left
        std::uint32_t out_vc = 0;          ///< VC on which it leaves; valid once its head has left
        std::uint64_t head_at = 0;         ///< cycle in which its head was on the input pins
        /// True: when its head came, all credits of its input VC were back, and an output VC of its class was
        /// free with all credits.
        bool unhindered = false;
    };
    /// An input VC.
    struct in_vc {
        std::uint32_t held = 0;           ///< number of flits sent for which no credit has come back
        std::uint64_t tail_at = 0;        ///< cycle of the last tail on it; 0: there was none
        bool was_full = false;            ///< true: its buffer has been full, and has not been empty since
        std::deque<std::uint64_t> order;  ///< numbers of the packets that have begun and not left, in order
    };
    /// An output VC.
    struct out_vc {
        std::uint32_t used = 0;  ///< number of credits that the router has used and that were not given back
        bool open = false;       ///< true: the head of a packet has left, and its tail has not
        std::uint64_t empty_since = 0;  ///< cycle in which the router used its last credit; 0: it has credits
        bool credit_now = false;        ///< true: the sink gives a credit in this cycle
    };
    /// A flit by the number of its packet and its place in the packet, from 0.
    struct flit_number {
        std::uint64_t packet;
        std::uint32_t sequence;
    };

    void head_sent(std::uint64_t cycle, packet& p, in_vc& i, const flit_pins& f);
    bool vc_is_free(const packet& p) const;
    bool is_right(const packet& p, std::uint32_t port, const flit_pins& f, std::uint32_t sequence);
    bool header_is_right(const packet& p, const flit_pins& f);
    void head_left(std::uint64_t cycle, std::uint64_t id, packet& p, const flit_pins& f);
    void tail_left(std::uint64_t id, const packet& p);
    void cover_latency(std::uint64_t took, const packet& p);
    void cover_output(std::uint64_t cycle, std::uint32_t port, const flit_pins& f);
    std::string name(const packet& p) const;
    in_vc& in(std::uint32_t port, std::uint32_t vc) { return m_in[port * m_s.model.vcs + vc]; }
    out_vc& out(std::uint32_t port, std::uint32_t vc) { return m_out[port * m_s.model.vcs + vc]; }

    setting m_s;
    std::vector<std::uint32_t> m_table;
    std::unordered_map<std::uint64_t, packet> m_packets;
    /// Flits in the router by their data, which are random.
    std::unordered_map<std::uint64_t, flit_number> m_inside;
    std::vector<in_vc> m_in;
    std::vector<out_vc> m_out;
    std::uint64_t m_next = 0;                   ///< number of the packet that began last
    std::uint64_t m_flits = 0, m_done = 0;      ///< number of flits, and of packets, that have left
    std::uint64_t m_last_flit = 0;              ///< cycle in which a flit left last
    std::uint32_t m_in_now = 0, m_out_now = 0;  ///< number of flits sent, and of flits that have left, in
                                                ///< this cycle
    std::vector<std::uint32_t> m_heads_now;     ///< number of heads sent in this cycle for each output port
    std::string m_error;

    coverage m_cover;
    /// Numbers of the cover points in m_cover.
    struct points {
        std::uint32_t ports, vcs, lengths, single, longer, full, full_empty, all_busy_in, all_busy_out, reuse,
            last_credit, starved, back_to_back, together, all_in, all_out, wake, credit_and_flit, fastest,
            speculation;
    } m_c{};
};

}  // namespace sare::bench
