// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/inside/stall_finder.h"

#include <deque>
#include <vector>

namespace sare {

/// Finds whom the waiting flits of a router wait for, from what its watch has seen leave. It knows the state
/// of this router alone; only where VCs beyond an output share their places it looks into the next router.
class blocker_finder {
  public:
    static constexpr std::uint64_t unknown = ~std::uint64_t{0};
    using number_of = function<std::uint64_t(std::uint32_t slot)>;  ///< number of the packet in a slot

    blocker_finder(const network_view& net, std::uint32_t router, const stall_finder& stalls,
                   number_of packet);

    /// Call when a cycle is over, before all flits that left in it are told.
    void begin_cycle() { m_left.clear(); }
    /// Notes that a flit of a packet left input VC i, by output VC `out` (front_flit::none: unknown).
    void flit_left(std::uint32_t i, std::uint16_t out, std::uint64_t packet) {
        m_left.push_back({static_cast<std::uint16_t>(i), out, packet});
    }
    /// Returns whom the flit at the front of input VC i waited for in cycle `now`, by stall_finder::reason().
    blocker find(std::uint32_t i, const stall_cause& cause, cycle_t now) const;
    /// Call after the last find() of a cycle, and before stall_finder::end_cycle().
    void end_cycle();
    void forget();

  private:
    struct departure {
        std::uint16_t in, out;
        std::uint64_t packet;
    };
    struct output {
        std::uint64_t holder = unknown;  ///< packet that owned it at the end of the last cycle
        std::deque<std::uint64_t>
            sent;  ///< packets of flits whose places beyond are not known to be free again
    };
    std::uint64_t owner_now(std::uint32_t o) const;
    blocker winner_at(std::uint32_t o) const;
    blocker winner_of_switch(std::uint32_t i, std::uint32_t port) const;
    blocker holder_of_place(std::uint32_t o) const;
    blocker holder_of_shared_place(std::uint32_t router, std::uint32_t port) const;
    std::uint32_t places_taken(std::uint32_t o) const;
    static blocker by(std::uint64_t packet) {
        return packet == unknown ? blocker() : blocker::by_packet(packet);
    }

    const network_view& m_net;
    const stall_finder& m_stalls;
    number_of m_packet;
    std::uint32_t m_router, m_vcs;
    std::vector<output> m_outputs;           ///< by port * VCs + VC
    std::vector<std::uint32_t> m_depth;      ///< places of a VC beyond; by port
    std::vector<std::uint64_t> m_last_sent;  ///< packet of the last flit; by port
    std::vector<departure> m_left;           ///< flits that left in this cycle
};

}  // namespace sare
