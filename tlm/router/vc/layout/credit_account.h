// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Credits of an output VC of a listed router, on their way back to it. They wake no router:
/// the router looks here when it has spent all it knew of.
class credit_account {
  public:
    static constexpr std::uint32_t longest = 15;  ///< cycles from the giving of a credit to when it is back

    bool is_open() const { return m_state == state::open; }
    /// Credits are sent by wire from now on, until reopen(): what waits for them sleeps.
    void close() {
        if (m_state == state::open) m_state = state::closed;
    }
    void reopen() {
        if (m_state == state::closed) m_state = state::open;
    }
    void close_for_ever() { m_state = state::shut; }
    /// None are on their way.
    void clear() {
        m_count = 0;
        reopen();
    }

    /// One more; it is back in cycle `back`, in which no other one is. (Cycles modulo 2^32.)
    void give(std::uint32_t back) {
        const std::uint32_t later = back - m_last;
        m_recent = static_cast<std::uint16_t>(m_count != 0 && later <= longest ? m_recent << later | 1 : 1);
        m_last = back;
        ++m_count;
    }
    /// Those that are not back by cycle `now`: bit k, one is back in cycle now + 1 + k.
    std::uint32_t coming_after(std::uint32_t now) const {
        const auto later = static_cast<std::int32_t>(m_last - now);
        std::uint32_t coming = 0;
        if (m_count == 0) return 0;
        for (std::int32_t k = 0; k < later; ++k) coming |= (m_recent >> k & 1u) << (later - 1 - k);
        return coming;
    }
    std::uint32_t back_by(std::uint32_t now) const {
        return m_count - static_cast<std::uint32_t>(__builtin_popcount(coming_after(now)));
    }
    std::uint8_t take_back(std::uint32_t now) {
        const std::uint32_t back = back_by(now);
        m_count = static_cast<std::uint8_t>(m_count - back);
        return static_cast<std::uint8_t>(back);
    }
    /// Those that are still on their way: see coming_after().
    std::uint32_t take_coming(std::uint32_t now) {
        const std::uint32_t coming = coming_after(now);
        m_count = 0;
        return coming;
    }

  private:
    enum class state : std::uint8_t { open, closed, shut };

    std::uint32_t m_last = 0;    ///< when the last one is back
    std::uint16_t m_recent = 0;  ///< bit k: one is back in cycle m_last - k
    std::uint8_t m_count = 0;
    state m_state = state::open;
};

}  // namespace sare
