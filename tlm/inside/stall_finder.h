// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/clock/running_clock.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/inside/packet_event.h"

#include <optional>
#include <vector>

namespace sare {

/// The flit at the front of an input VC. Cycles are of the router's clock.
struct front_flit {
    static constexpr std::uint16_t none = 0xffff;  ///< no output VC

    cycle_t since = 0;         ///< cycle since which it is at the front
    cycle_t tail_came = 0;     ///< cycle in which its packet's tail came; only if `whole`
    cycle_t granted = 0;       ///< cycle in which its packet got the output VC; only if `out` is not none
    cycle_t last_sent = 0;     ///< cycle in which the flit before it left
    std::uint16_t out = none;  ///< output VC of its packet: port * VCs + VC; none: it has none
    std::uint16_t room = 1;  ///< credits that a head needs if router_terms::whole_packets: its packet's flits
    bool head = false;       ///< true: it is the first flit of its packet
    bool whole = false;      ///< true: the tail of its packet is in the buffer
};

/// Cause of a wait.
struct stall_cause {
    stall_reason why;                      ///< reason
    std::uint16_t out = front_flit::none;  ///< output VC that is waited for: port * VCs + VC; none: none
};

/// Finds the reasons why the flits at the front of a router's input VCs wait, from the router's state after
/// each of its cycles; the router does not know of it. Cycles are of the router's clock. Input VC i and
/// output VC o are numbered port * vcs() + VC.
class stall_finder {
  public:
    /// Makes a finder for a router of `net`, which must outlive it.
    stall_finder(const network_view& net, std::uint32_t router);

    std::uint32_t vcs() const { return m_vcs; }  ///< number of VCs of each port
    /// Number of input VCs, which is also the number of output VCs.
    std::uint32_t inputs() const { return static_cast<std::uint32_t>(m_outputs.size()); }
    const running_clock& clock() const { return m_clock; }  ///< clock of the router
    const router_pace& pace() const { return m_pace; }      ///< pipeline delays of the router
    /// Return the present state of input VC i, and of output VC o; numbers are not checked.
    in_vc in(std::uint32_t i) const { return m_net.in(m_router, i / m_vcs, i % m_vcs); }
    out_vc out(std::uint32_t o) const { return m_net.out(m_router, o / m_vcs, o % m_vcs); }
    /// Returns the flit at place `n`, from 0 at the front, of the buffer of input VC i; `n` must be below
    /// in(i).count (not checked).
    flit buffered(std::uint32_t i, std::uint32_t n) const {
        return m_net.buffered(m_router, i / m_vcs, i % m_vcs, n);
    }

    /// Sets f.out, and f.granted to `now`, if the flit at the front of input VC i now has an output VC and
    /// had none before; else does nothing. `seen`: state of the input VC after cycle `now`.
    void find_output(std::uint32_t i, const in_vc& seen, front_flit& f, cycle_t now) const {
        if (f.out != front_flit::none || seen.out >= m_outputs.size() || out(seen.out).owner != i) return;
        f.out = seen.out;
        f.granted = now;
    }
    /// Notes which links have sent a flit. Call when cycle `now` is over, before reason() is asked about it.
    void begin_cycle(cycle_t now);
    /// Returns the cause why `f`, the flit at the front of input VC i, which is still there after cycle
    /// `now`, waited in that cycle; nothing if the router worked on it.
    std::optional<stall_cause> reason(std::uint32_t i, const front_flit& f, cycle_t now) const;
    /// Returns the input VC that owned output VC o at the end of the last cycle; out_vc::no_owner: none did.
    std::uint16_t last_owner(std::uint32_t o) const { return m_outputs[o].owner; }
    /// True if the link at an output port is asleep in router cycle `now`.
    bool is_asleep(std::uint32_t port, cycle_t now) const {
        const link_sleep* const s = m_links[port].sleep;
        return s != nullptr && !s->is_awake(now);
    }
    /// Remembers the state of the outputs for the next cycle. Call after the last reason() of a cycle.
    void end_cycle();
    /// Returns the number of flits that output VC o has sent since the end of the last cycle.
    std::uint32_t sent(std::uint32_t o) const { return out(o).flits - m_outputs[o].sent; }
    /// Forgets earlier cycles: the present state of the outputs counts as their state after the last cycle.
    void forget();
    /// Returns the router cycles from the grant of the switch to the end of the link at an output port, where
    /// a flit can be read; without the link if its clock is not the router's.
    std::uint32_t cycles_to_end(std::uint32_t port) const { return m_links[port].to_end; }
    /// Returns the most router cycles after a flit's own for which it keeps any link of the router busy.
    std::uint32_t link_cycles() const;
    template <class Archive>
    void serialize(Archive& a) {
        a(m_outputs, m_link_used);
    }

  private:
    /// State of an output VC: input VC that owns it, and flits sent, modulo 2^32.
    struct output {
        std::uint16_t owner;
        std::uint32_t sent;
    };
    /// The link at an output port.
    struct output_link {
        std::uint32_t cycles_per_flit = 1;  ///< router cycles for which a flit keeps the link busy
        const link_sleep* sleep = nullptr;  ///< state of sleep; null: never asleep
        bool to_node = false;               ///< true: it leads to a node
        std::uint32_t to_end = 0;           ///< router cycles from the switch to the end of the link
    };
    output_link link_at(std::uint32_t port) const;
    stall_reason no_room(std::uint32_t o) const {
        return m_links[o / m_vcs].to_node ? stall_reason::consumer : stall_reason::no_credit;
    }
    bool link_waits(std::uint32_t port, cycle_t now) const;
    std::optional<stall_cause> reason_in_va(std::uint32_t i) const;

    const network_view& m_net;
    const router_bank& m_bank;
    router_pace m_pace;
    std::uint32_t m_router;            ///< number of the router in the network
    std::uint32_t m_place;             ///< index of the router in m_bank, a group of routers of one kind
    std::uint32_t m_vcs;               ///< number of VCs of a port
    const running_clock& m_clock;      ///< clock of the router
    std::vector<output> m_outputs;     ///< output VCs at the end of the last cycle
    std::vector<output_link> m_links;  ///< links by output port
    std::vector<cycle_t> m_link_used;  ///< cycle after a link's last flit came; 0: none; by output port
};

}  // namespace sare
