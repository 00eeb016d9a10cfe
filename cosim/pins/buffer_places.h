// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare::cosim {

/// Places of the buffers behind a link, as its sender counts them: each VC has some for itself, and a flit
/// that finds none of these takes one of a pool that all VCs share.
class buffer_places {
  public:
    /// `own`: places that each VC has for itself; `pool`: places that they share, 0 for separate buffers.
    buffer_places(std::uint32_t vcs, std::uint32_t own, std::uint32_t pool)
        : m_own(own), m_pool(pool), m_left(pool), m_held(vcs) {}

    /// Number of flits that could go to a VC if none went to the others.
    std::uint32_t free(std::uint32_t vc) const {
        return m_left + (m_held[vc] < m_own ? m_own - m_held[vc] : 0);
    }
    std::uint32_t held(std::uint32_t vc) const { return m_held[vc]; }  ///< places that a VC has taken
    std::uint32_t pool() const { return m_pool; }
    std::uint32_t left() const { return m_left; }  ///< free places of the pool
    /// Takes a place; the caller has looked that there is one.
    void take(std::uint32_t vc) { m_left -= m_held[vc]++ >= m_own ? 1 : 0; }
    /// Gives a place back. Returns false if the VC has taken none.
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
