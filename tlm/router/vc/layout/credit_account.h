// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Credits of one output VC of a listed router, on their way back to that router. The account stands in the
/// input VC that the output VC leads to. A credit that is given here wakes no router: the sender looks it up
/// when it has spent all the credits it knew of.
class credit_account {
  public:
    static constexpr std::uint32_t longest = 15;  ///< most cycles from give() until the credit is back

    /// True if credits are given here; otherwise they go by wire.
    bool is_open() const { return m_state == state::open; }
    /// Makes credits go by wire until reopen(): the sender has none left and sleeps until one wakes it.
    void close() {
        if (m_state == state::open) m_state = state::closed;
    }
    /// Ends close(); has no effect after close_for_ever().
    void reopen() {
        if (m_state == state::closed) m_state = state::open;
    }
    /// Makes all credits go by wire: the link is too long for an account, or the sender is no listed router
    /// of the same domain.
    void close_for_ever() { m_state = state::shut; }
    /// Forgets the credits that are on their way, and reopens the account.
    void clear() {
        m_count = 0;
        reopen();
    }

    /// Adds a credit that is back in cycle `back` (modulo 2^32). No other credit of this account is back in
    /// that cycle.
    void give(std::uint32_t back) {
        const std::uint32_t later = back - m_last;
        m_recent = static_cast<std::uint16_t>(m_count != 0 && later <= longest ? m_recent << later | 1 : 1);
        m_last = back;
        ++m_count;
    }
    /// Returns a mask of the credits that are not back by cycle `now`: bit k stands for a credit that is back
    /// in cycle now + 1 + k.
    std::uint32_t coming_after(std::uint32_t now) const {
        const auto later = static_cast<std::int32_t>(m_last - now);
        std::uint32_t coming = 0;
        if (m_count == 0) return 0;
        for (std::int32_t k = 0; k < later; ++k) coming |= (m_recent >> k & 1u) << (later - 1 - k);
        return coming;
    }
    /// Number of credits that are back by cycle `now`.
    std::uint32_t back_by(std::uint32_t now) const {
        return m_count - static_cast<std::uint32_t>(__builtin_popcount(coming_after(now)));
    }
    /// Takes the credits that are back by cycle `now` out of the account. Returns their number.
    std::uint8_t take_back(std::uint32_t now) {
        const std::uint32_t back = back_by(now);
        m_count = static_cast<std::uint8_t>(m_count - back);
        return static_cast<std::uint8_t>(back);
    }
    /// Empties the account. Returns the mask of the credits on their way, as coming_after() does.
    std::uint32_t take_coming(std::uint32_t now) {
        const std::uint32_t coming = coming_after(now);
        m_count = 0;
        return coming;
    }

  private:
    enum class state : std::uint8_t { open, closed, shut };

    std::uint32_t m_last = 0;    ///< cycle in which the last credit given is back
    std::uint16_t m_recent = 0;  ///< bit k: a credit is back in cycle m_last - k
    std::uint8_t m_count = 0;    ///< credits in the account
    state m_state = state::open;
};

}  // namespace sare
