// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/fabric.h"

#include <functional>
#include <set>
#include <vector>

namespace sare {

/// What packets are counted by that a reset drops.
constexpr const char* reset_cause = "reset";

/// The reset of one block of a network before a cycle: which packets are lost, and how they are taken out of
/// it all. Of what is left nothing moves: every flit that is taken out gives its credit back at once, and
/// credits that are on their way stay there.
class fabric::block_reset {
  public:
    block_reset(fabric& net, cycle_t t);
    void router(std::uint32_t r);
    void nic(std::uint32_t n);

  private:
    using end = link_end;
    struct link {
        end from, to;
        wire flits;  ///< where they are read
    };

    /// Calls f(plane, vc, packet) for the flits of a link.
    template <class F>
    void for_each_flit(const link& l, const F& f) const;
    void lose_what_is_on_links_of(const end& block);
    void take_out_all();
    void take_off(const link& l);
    void take_out_of(std::uint32_t r);
    void drop_all();
    void give_credit(const end& to, std::uint32_t vc);
    bool is_lost(std::uint32_t packet) const { return m_lost.count(packet) != 0; }

    fabric& m_net;
    const cycle_t m_t;
    std::vector<link> m_links;
    std::vector<std::vector<end>> m_sources;  ///< by router and port: what sends to it
    std::set<std::uint32_t> m_lost;           ///< packets
};

}  // namespace sare
