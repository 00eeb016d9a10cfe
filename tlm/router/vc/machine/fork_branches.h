// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/machine/stage.h"

namespace sare {

/// Returns the rank of input VC i in this cycle, from 0, lowest first, for input VCs that take several
/// outputs at once or none. Ranks are the same at all outputs, so that the first input VC gets all that it
/// asks for. `Stage`: the vc_stage that runs.
template <class Stage>
SARE_INLINE std::uint64_t fork_rank(const Stage& s, std::uint64_t i) {
    const std::uint64_t ports = s.shape().ports, first = s.m_c.now % ports;
    return (s.port_of(i) + ports - first) % ports * s.shape().vcs + s.vc_of(i);
}

/// The branches (vc_branch, see tlm/router/vc/layout/cycle.h) of the packets at the fronts of a router's
/// input VCs: for each input VC a list of the output VCs that its packet has, the one added last first. Input
/// and output VCs are given by VC number: port * VCs + VC, within the router.
template <int N>
class fork_branches {
  public:
    using cycle = vc_cycle<0, N, true>;
    using block = vc_block<0, N, false>;

    SARE_INLINE fork_branches(const cycle& c, const block& b)
        : m_all(&c.around.branches[std::size_t{b.in_bank} * c.in_vcs]) {}

    /// Returns the branch with output VC o.
    SARE_INLINE vc_branch& operator[](std::uint64_t o) const { return m_all[o]; }
    /// True if the packet in input VC i has no branch.
    bool empty(std::uint64_t i) const { return m_all[i].first == vc_branch::none; }
    /// Returns the output VC of the branch, of the packet in input VC i, that was added last; there must be a
    /// branch.
    std::uint64_t last_added(std::uint64_t i) const { return m_all[i].first; }
    /// True if f(o) is true for the output VCs o of all branches of the packet in input VC i.
    template <class F>
    SARE_INLINE bool all(std::uint64_t i, F&& f) const {
        for (std::uint16_t o = m_all[i].first; o != vc_branch::none; o = m_all[o].next)
            if (!f(std::uint64_t{o})) return false;
        return true;
    }
    /// Calls f(o) for the output VCs o of all branches of the packet in input VC i.
    template <class F>
    SARE_INLINE void for_each(std::uint64_t i, F&& f) const {
        all(i, [&](std::uint64_t o) {
            f(o);
            return true;
        });
    }
    /// Adds output VC o, which must be no branch of any packet (not checked), to the packet in input VC i.
    void add(std::uint64_t i, std::uint64_t o) const {
        m_all[o].taken = 0;
        m_all[o].next = m_all[i].first;
        m_all[i].first = static_cast<std::uint16_t>(o);
    }
    /// Removes output VC o from the branches of the packet in input VC i, where it must be (not checked).
    void remove(std::uint64_t i, std::uint64_t o) const {
        std::uint16_t* place = &m_all[i].first;
        while (*place != o) place = &m_all[*place].next;
        *place = m_all[o].next;
    }

  private:
    vc_branch* const m_all;
};

}  // namespace sare
