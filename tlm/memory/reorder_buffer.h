// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>

namespace sare {

/// Numbered things that arrive in any order and pass in that of their numbers: a reorder buffer.
template <class T>
class in_order {
  public:
    /// That of the next thing.
    std::uint64_t number() { return m_numbered++; }
    /// Nothing before it is missing.
    bool is_next(std::uint64_t number) const { return number == m_passed; }
    /// Calls `pass` for each thing that none before it is missing for.
    template <class F>
    void arrive(std::uint64_t number, T thing, F pass) {
        m_early.emplace(number, thing);
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
