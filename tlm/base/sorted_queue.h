// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace sare {

/// What is in order by `<`, of equal ones in that in which they came. Made for those that are added mostly
/// behind all others, or nearly, and leave at the front.
template <class T>
class sorted_queue {
  public:
    bool empty() const { return m_first == m_all.size(); }
    std::size_t size() const { return m_all.size() - m_first; }
    const T& front() const { return m_all[m_first]; }
    const T* begin() const { return m_all.data() + m_first; }
    const T* end() const { return m_all.data() + m_all.size(); }
    void pop() {
        if (++m_first == m_all.size()) clear();
    }
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
    void clear() {
        m_all.clear();
        m_first = 0;
    }

  private:
    static constexpr std::size_t most_gone = 64;  // whose places are kept
    std::vector<T> m_all;
    std::size_t m_first = 0;
};

}  // namespace sare
