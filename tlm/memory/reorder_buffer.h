// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>

namespace sare {

/// Reorder buffer: numbered items arrive in any order and leave in order of their numbers.
template <class T>
class reorder_buffer {
  public:
    /// Returns the number for the next item.
    std::uint64_t number() { return m_numbered++; }
    /// True if all items before this number have left.
    bool is_next(std::uint64_t number) const { return number == m_passed; }
    /// Takes an item, and calls `pass` for each item that may leave now.
    template <class F>
    void arrive(std::uint64_t number, T item, F pass) {
        if (number == m_passed) {
            ++m_passed;
            pass(item);
        } else {
            m_early.emplace(number, item);
        }
        while (!m_early.empty() && m_early.begin()->first == m_passed) {
            T next = m_early.begin()->second;
            m_early.erase(m_early.begin());
            ++m_passed;
            pass(next);
        }
    }

  private:
    std::uint64_t m_numbered = 0, m_passed = 0;
    std::map<std::uint64_t, T> m_early;
};

}  // namespace sare
