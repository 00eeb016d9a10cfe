// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare::traffic {

/// Slots that are taken and given back, the last one given back first. A slot keeps what it held (and its
/// memory) until it is written again. References end with the next take().
template <class T>
class pool {
  public:
    std::uint32_t take() {
        if (m_free.empty()) {
            m_slots.emplace_back();
            return static_cast<std::uint32_t>(m_slots.size() - 1);
        }
        const std::uint32_t slot = m_free.back();
        m_free.pop_back();
        return slot;
    }
    void give(std::uint32_t slot) { m_free.push_back(slot); }
    T& operator[](std::uint32_t slot) { return m_slots[slot]; }
    const T& operator[](std::uint32_t slot) const { return m_slots[slot]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_slots.size()); }  ///< free ones as well
    std::uint32_t taken() const { return static_cast<std::uint32_t>(m_slots.size() - m_free.size()); }

  private:
    std::vector<T> m_slots;
    std::vector<std::uint32_t> m_free;
};

}  // namespace sare::traffic
