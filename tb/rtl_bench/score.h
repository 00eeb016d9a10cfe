// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/rtl_bench/coverage.h"
#include "tb/rtl_bench/setting.h"
#include "tb/rtl_bench/signals.h"

#include <deque>
#include <unordered_map>

namespace sare::bench {

/// Scoreboard: what must come out, and what was seen. Sources and sinks tell it what they put on pins and
/// find there; the first error ends the simulation. It knows of the router only what its pins show.
class score {
  public:
    /// `table`: output port of each destination.
    score(const setting& s, std::vector<std::uint32_t> table);

    /// Begins a packet of which nothing has been sent, at input `port` on `vc`, for `out_port` on a VC of the
    /// message class whose first VC is `vc_base`, with `length` flits. Returns its number, from 1.
    std::uint64_t begin(std::uint32_t port, std::uint32_t vc, std::uint32_t out_port, std::uint32_t vc_base,
                        std::uint32_t destination, std::uint32_t length);
    /// @name Events; `cycle` is the one in which the flit is on the pins
    /// @{
    /// A source puts a flit of a packet on the pins of its input port.
    void sent(std::uint64_t cycle, std::uint64_t packet, const flit_pins& f);
    /// A sink finds a flit on the pins of output `port`.
    void left(std::uint64_t cycle, std::uint32_t port, const flit_pins& f);
    /// A sink gives credits to the router at output `port`. `vcs`: mask of VCs, one credit each; may be 0.
    void credits_given(std::uint32_t port, std::uint32_t vcs);
    /// A source finds credits of the router at input `port`. `vcs`: mask of VCs, one credit each; may be 0.
    void credits_back(std::uint32_t port, std::uint32_t vcs);
    /// @}
    /// Ends a cycle, after all events.
    void end_of_cycle();

    /// The first error, in one line; "": none.
    const std::string& error() const { return m_error; }
    /// Notes an error, unless there was one, and ends the simulation.
    void fail(const std::string& what);
    /// True if every packet that has begun has left with its tail.
    bool empty() const { return m_packets.empty(); }
    /// True if every credit is back, on both sides.
    bool all_credits_back() const;
    std::uint64_t flits() const { return m_flits; }   ///< number of flits that have left
    std::uint64_t packets() const { return m_done; }  ///< number of packets whose tail has left
    const coverage& covered() const { return m_cover; }

  private:
    struct packet {
        std::uint32_t in_port, in_vc, out_port, vc_base, destination, length;
        std::uint32_t sent = 0, left = 0;  ///< number of its flits that were sent, and have left
        std::uint32_t out_vc = 0;          ///< output VC, once the head has left
        std::uint64_t head_at = 0;         ///< cycle in which the head is on the input pins
        bool unhindered = false;           ///< true: at the front at once, and an output VC was free
    };
    struct in_vc {
        std::uint32_t held = 0;           ///< number of flits sent without a credit back
        std::uint64_t tail_at = 0;        ///< cycle of the last tail; 0: none yet
        bool was_full = false;            ///< true: it was full since it was empty last
        std::deque<std::uint64_t> order;  ///< numbers of the packets that have begun and not left, in order
    };
    struct out_vc {
        std::uint32_t used = 0;         ///< number of credits that the router has used and not got back
        bool open = false;              ///< true: a packet has begun to leave and not ended
        std::uint64_t empty_since = 0;  ///< cycle since which the router has no credit; 0: it had one
        bool credit_now = false;        ///< true: the sink gives a credit in this cycle
    };
    /// A flit: its packet, and its sequence number there.
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
    std::unordered_map<std::uint64_t, flit_number> m_inside;  ///< flits inside, by their data
    std::vector<in_vc> m_in;
    std::vector<out_vc> m_out;
    std::uint64_t m_next = 0;                   ///< number of the packet begun last
    std::uint64_t m_flits = 0, m_done = 0;      ///< number of flits and of packets that have left
    std::uint64_t m_last_flit = 0;              ///< cycle in which the last flit left
    std::uint32_t m_in_now = 0, m_out_now = 0;  ///< number of flits sent, and left, in this cycle
    std::vector<std::uint32_t> m_heads_now;     ///< number of heads sent in this cycle, by output port wanted
    std::string m_error;

    coverage m_cover;
    /// Numbers of the cover points.
    struct points {
        std::uint32_t ports, vcs, lengths, single, longer, full, full_empty, all_busy_in, all_busy_out, reuse,
            last_credit, starved, back_to_back, together, all_in, all_out, wake, credit_and_flit, fastest,
            speculation;
    } m_c{};
};

}  // namespace sare::bench
