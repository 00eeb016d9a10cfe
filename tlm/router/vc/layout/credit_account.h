// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Account of credits of one output VC of a listed router, the sender, that are on their way back. It is at
/// the other end of the link, in the input VC to which the output VC leads. The receiver puts credits into it
/// and wakes nobody; the sender takes them when it has spent all credits that it knew of. Cycles are modulo
/// 2^32.
class credit_account {
  public:
    /// Most cycles from the current cycle to the argument `back` of give().
    static constexpr std::uint32_t longest = 15;

    /// True if give() may be called; otherwise credits must go by wire, and wake the sender.
    bool is_open() const { return m_state == state::open; }
    /// Makes credits go by wire until reopen(), as the sender has none left and sleeps until one wakes it.
    /// Has no effect on an account that is not open.
    void close() {
        if (m_state == state::open) m_state = state::closed;
    }
    /// Ends close(). Has no effect on an account that is open, and after close_for_ever().
    void reopen() {
        if (m_state == state::closed) m_state = state::open;
    }
    /// Makes all credits go by wire from now on: the link is too long for an account, or the sender is no
    /// router in the same clock domain and layout.
    void close_for_ever() { m_state = state::shut; }
    /// Takes all credits out, and ends close().
    void clear() {
        m_count = 0;
        reopen();
    }

    /// Adds a credit that the sender has back in cycle `back`, which must be later than that of the credit
    /// given before; call only if is_open(). Nothing is checked.
    void give(std::uint32_t back) {
        const std::uint32_t later = back - m_last;
        m_recent = static_cast<std::uint16_t>(m_count != 0 && later <= longest ? m_recent << later | 1 : 1);
        m_last = back;
        ++m_count;
    }
    /// Returns a mask of the credits that are not back by the end of cycle `now`: bit k stands for a credit
    /// that is back in cycle now + 1 + k.
    std::uint32_t coming_after(std::uint32_t now) const {
        const auto later = static_cast<std::int32_t>(m_last - now);
        std::uint32_t coming = 0;
        if (m_count == 0) return 0;
        for (std::int32_t k = 0; k < later; ++k) coming |= (m_recent >> k & 1u) << (later - 1 - k);
        return coming;
    }
    /// Returns the number of credits in the account that are back in cycle `now` or earlier.
    std::uint32_t back_by(std::uint32_t now) const {
        return m_count - static_cast<std::uint32_t>(__builtin_popcount(coming_after(now)));
    }
    /// Takes the credits that are back in cycle `now` or earlier out of the account. Returns how many, or 0.
    std::uint8_t take_back(std::uint32_t now) {
        const std::uint32_t back = back_by(now);
        m_count = static_cast<std::uint8_t>(m_count - back);
        return static_cast<std::uint8_t>(back);
    }
    /// Takes all credits out of the account. Returns the mask that coming_after() returns before that.
    std::uint32_t take_coming(std::uint32_t now) {
        const std::uint32_t coming = coming_after(now);
        m_count = 0;
        return coming;
    }

  private:
    /// open: credits are put into the account; closed: they go by wire until reopen(); shut: they go by wire
    /// for ever.
    enum class state : std::uint8_t { open, closed, shut };

    std::uint32_t m_last = 0;  ///< cycle in which the credit given last is back
    /// Bit k: a credit is back in cycle m_last - k; bits of credits already taken may be set.
    std::uint16_t m_recent = 0;
    std::uint8_t m_count = 0;     ///< number of credits given and not taken yet
    state m_state = state::open;  ///< path of credits
};

}  // namespace sare
