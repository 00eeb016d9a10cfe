// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>

namespace sare {

/// A reorder buffer: items have numbers, arrive in any order, and leave in the order of their numbers.
template <class T>
class reorder_buffer {
  public:
    /// Returns the number for the next item, from 0.
    std::uint64_t number() { return m_numbered++; }
    /// True if all items with lower numbers than `number` have left, and the item with `number` has not.
    bool is_next(std::uint64_t number) const { return number == m_passed; }
    /// Takes item `number`, and calls `pass(item)` for each item that may leave now, in the order of their
    /// numbers. Each number must arrive once (not checked).
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
    std::uint64_t m_numbered = 0, m_passed = 0;  ///< next number to give; number of items that have left
    std::map<std::uint64_t, T> m_early;          ///< items that have overtaken earlier ones, by number
};

}  // namespace sare
