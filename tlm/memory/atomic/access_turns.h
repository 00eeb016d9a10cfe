// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>

namespace sare {

/// The line of those that wait for a memory: an access that is alone with it, and others that may be there
/// together. Nobody overtakes one that it cannot be there beside, so nobody waits for ever.
class access_turns {
  public:
    /// Takes a place at the end; its number, which is not 0.
    std::uint64_t join(bool alone) {
        m_line.push_back({++m_joined, alone});
        return m_joined;
    }
    void leave(std::uint64_t number) {
        m_line.erase(std::find_if(m_line.begin(), m_line.end(),
                                  [number](const place& p) { return p.number == number; }));
    }
    /// Of one that has a place, or (0) would take one.
    bool is_turn(std::uint64_t number, bool alone) const {
        return m_line.empty() || std::none_of(m_line.begin(), m_line.end(), [=](const place& p) {
                   return (number == 0 || p.number < number) && (p.alone || alone);
               });
    }
    bool is_empty() const { return m_line.empty(); }

  private:
    struct place {
        std::uint64_t number;
        bool alone;
    };
    std::deque<place> m_line;
    std::uint64_t m_joined = 0;
};

}  // namespace sare
