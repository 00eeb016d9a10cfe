// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>

namespace sare {

/// Queue of accesses that wait for a memory, some of which must be alone with it. An access never overtakes
/// an access with which it may not be at the memory together, so none waits for ever.
class access_turns {
  public:
    /// Takes a place at the end of the queue. `alone`: the access must be alone with the memory. Returns the
    /// number of the place, which is not 0.
    std::uint64_t join(bool alone) {
        m_line.push_back({++m_joined, alone});
        return m_joined;
    }
    /// Gives up place `number`, which must be one that join() has returned and that was not given up (not
    /// checked).
    void leave(std::uint64_t number) {
        m_line.erase(std::find_if(m_line.begin(), m_line.end(),
                                  [number](const place& p) { return p.number == number; }));
    }
    /// True if no earlier access in the queue keeps the access with place `number` from the memory; 0: a new
    /// access without a place. `alone`: as for join().
    bool is_turn(std::uint64_t number, bool alone) const {
        return m_line.empty() || std::none_of(m_line.begin(), m_line.end(), [=](const place& p) {
                   return (number == 0 || p.number < number) && (p.alone || alone);
               });
    }
    bool is_empty() const { return m_line.empty(); }  ///< true: no access has a place

  private:
    /// Place in the queue.
    struct place {
        std::uint64_t number;
        bool alone;  ///< true: its access must be alone with the memory
    };
    std::deque<place> m_line;    ///< places in order
    std::uint64_t m_joined = 0;  ///< number of places given so far
};

}  // namespace sare
