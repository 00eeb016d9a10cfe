// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/inside/stall_finder.h"

#include <deque>
#include <vector>

namespace sare {

/// Finds the blockers of the waiting flits of a router, from the flits that its router_watch has seen leave.
/// It knows the state of this router alone; only where the VCs of the next router's input port share a buffer
/// it looks into that router. Input and output VCs are numbered port * VCs + VC.
class blocker_finder {
  public:
    static constexpr std::uint64_t unknown = ~std::uint64_t{0};  ///< packet that is not known
    /// Function that returns the number of the packet in slot flit::packet; unknown: it has none yet.
    using number_of = function<std::uint64_t(std::uint32_t slot)>;

    /// Makes a finder for a router; `net` and `stalls`, which is of the same router, must outlive it.
    blocker_finder(const network_view& net, std::uint32_t router, const stall_finder& stalls,
                   number_of packet);

    /// Forgets the flits that left. Call when a router cycle is over, before flit_left() for its flits.
    void begin_cycle() { m_left.clear(); }
    /// Notes that a flit of a packet left input VC i, by output VC `out` (front_flit::none: unknown).
    void flit_left(std::uint32_t i, std::uint16_t out, std::uint64_t packet) {
        m_left.push_back({static_cast<std::uint16_t>(i), out, packet});
    }
    /// Returns the blocker of the flit at the front of input VC i in router cycle `now`. `cause`: result of
    /// stall_finder::reason() for it.
    blocker find(std::uint32_t i, const stall_cause& cause, cycle_t now) const;
    /// Notes owners and places for the next cycle. Call after the last find(), before stalls.end_cycle().
    void end_cycle();

  private:
    /// A flit that left: its input VC, output VC (front_flit::none: unknown), and number of its packet.
    struct departure {
        std::uint16_t in, out;
        std::uint64_t packet;
    };
    /// Facts about an output VC.
    struct output {
        std::uint64_t holder = unknown;  ///< packet that owned it at the end of the last cycle
        std::deque<std::uint64_t> sent;  ///< packets of flits sent whose credits are not back, oldest first
    };
    std::uint64_t owner_now(std::uint32_t o) const;
    blocker winner_at(std::uint32_t o) const;
    blocker winner_of_switch(std::uint32_t i, std::uint32_t port) const;
    blocker holder_of_place(std::uint32_t o) const;
    blocker holder_of_shared_place(std::uint32_t router, std::uint32_t port) const;
    std::uint32_t places_taken(std::uint32_t o) const;  ///< credits of output VC o that are not back
    static blocker by(std::uint64_t packet) {
        return packet == unknown ? blocker() : blocker::by_packet(packet);
    }

    const network_view& m_net;
    const stall_finder& m_stalls;
    number_of m_packet;
    std::uint32_t m_router, m_vcs;
    std::vector<output> m_outputs;           ///< output VCs: [port * VCs + VC]
    std::vector<std::uint32_t> m_depth;      ///< flits that a VC at the link's end holds; by output port
    std::vector<std::uint64_t> m_last_sent;  ///< packet of the last flit sent; by output port
    std::vector<departure> m_left;           ///< flits that left in this cycle
};

}  // namespace sare
