// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare::cosim {

/// The free places of the input buffers at the receiving end of a link, as the sender counts them; a place
/// holds a flit. Each VC has places for itself. When these are taken, a flit takes a place of a pool that all
/// VCs share. Numbers of VCs count from 0 and are not checked.
class buffer_places {
  public:
    /// All places are free. `vcs`: number of VCs; `own`: places that each VC has for itself; `pool`: places
    /// that all VCs share, 0 for separate buffers.
    buffer_places(std::uint32_t vcs, std::uint32_t own, std::uint32_t pool)
        : m_own(own), m_pool(pool), m_left(pool), m_held(vcs) {}

    /// Returns the number of flits that can go to VC `vc` now if none goes to another VC: its own free places
    /// and those of the pool.
    std::uint32_t free(std::uint32_t vc) const {
        return m_left + (m_held[vc] < m_own ? m_own - m_held[vc] : 0);
    }
    /// Number of places that VC `vc` has taken, those in the pool included.
    std::uint32_t held(std::uint32_t vc) const { return m_held[vc]; }
    /// Number of places that all VCs share, free or not; 0 for separate buffers.
    std::uint32_t pool() const { return m_pool; }
    std::uint32_t left() const { return m_left; }  ///< number of free places of the pool
    /// Takes a place for a flit of VC `vc`: one of its own if any is free, else one of the pool. free() must
    /// be above 0 (not checked).
    void take(std::uint32_t vc) { m_left -= m_held[vc]++ >= m_own ? 1 : 0; }
    /// Gives back a place that VC `vc` has taken: one of the pool if it holds any there, else one of its own.
    /// Returns false, and does nothing, if it has taken none.
    bool give_back(std::uint32_t vc) {
        if (m_held[vc] == 0) return false;
        m_left += m_held[vc]-- > m_own ? 1 : 0;
        return true;
    }

  private:
    std::uint32_t m_own, m_pool, m_left;
    std::vector<std::uint32_t> m_held;
};

}  // namespace sare::cosim
