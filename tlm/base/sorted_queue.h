// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace sare {

/// A queue sorted by `<`, the least element in front; equal elements keep the order in which they were added.
/// Adding moves each larger element in the queue by one place, so it is fast where most elements are added at
/// or near the end.
template <class T>
class sorted_queue {
  public:
    bool empty() const { return m_first == m_all.size(); }       ///< true if there is no element
    std::size_t size() const { return m_all.size() - m_first; }  ///< number of elements
    /// Returns the least element; the queue must not be empty.
    const T& front() const { return m_all[m_first]; }
    /// Returns the least element; the others follow in memory, in ascending order, up to end().
    const T* begin() const { return m_all.data() + m_first; }
    const T* end() const { return m_all.data() + m_all.size(); }  ///< end of the elements
    /// Removes the least element; the queue must not be empty.
    void pop() {
        if (++m_first == m_all.size()) clear();
    }
    /// Inserts `x` behind all elements that are not larger. References to elements become invalid.
    void add(const T& x) {
        if (m_first >= most_gone && m_first >= m_all.size() / 2) {
            m_all.erase(m_all.begin(), m_all.begin() + static_cast<std::ptrdiff_t>(m_first));
            m_first = 0;
        }
        m_all.push_back(x);
        T* place = m_all.data() + m_all.size() - 1;
        for (const T* const first = begin(); place != first && x < place[-1]; --place) *place = place[-1];
        *place = x;
    }
    /// Removes all elements.
    void clear() {
        m_all.clear();
        m_first = 0;
    }

  private:
    static constexpr std::size_t most_gone = 64;  // least number of removed elements that add() overwrites
    std::vector<T> m_all;                         ///< elements in ascending order, behind removed ones
    std::size_t m_first = 0;  ///< index of the least element: the places before it are of removed ones
};

}  // namespace sare
