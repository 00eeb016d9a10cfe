// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/growing_array.h"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace sare {

/// Slots that are taken and given back, the last one given back first; no allocation once it has grown to the
/// largest number in use. A slot keeps what it held (and its memory) until it is written again. References
/// end with the next take().
template <class T>
class pool {
  public:
    std::uint32_t take() {
        make_room();
        return m_free[--m_free_slots];
    }
    /// So that the next take() makes no call.
    void make_room() {
        if (__builtin_expect(m_free_slots == 0, 0)) grow();
    }
    void give_back(std::uint32_t slot) { m_free[m_free_slots++] = slot; }
    T& operator[](std::uint32_t slot) { return m_slots[slot]; }
    const T& operator[](std::uint32_t slot) const { return m_slots[slot]; }
    std::uint32_t slots() const { return static_cast<std::uint32_t>(m_slots.size()); }  ///< free ones as well
    std::uint32_t in_use() const { return static_cast<std::uint32_t>(m_slots.size()) - m_free_slots; }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_slots, m_free, m_free_slots);
    }

    /// Calls f(slot) for each that is in use, in order. Not for every cycle.
    template <class F>
    void for_each(F f) const {
        std::vector<bool> is_free(m_slots.size());
        for (std::uint32_t k = 0; k < m_free_slots; ++k) is_free[m_free[k]] = true;
        for (std::uint32_t slot = 0; slot < slots(); ++slot)
            if (!is_free[slot]) f(slot);
    }

  private:
    /// Not inlined: its calls would cost the usual path registers.
    __attribute__((noinline)) void grow() {
        m_free.emplace_back() = 0;
        m_free[m_free_slots++] = static_cast<std::uint32_t>(m_slots.size());
        m_slots.emplace_back();
    }

    using array = std::conditional_t<std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                                     growing_array<T>, std::vector<T>>;
    array m_slots;
    growing_array<std::uint32_t> m_free;  ///< a stack with room for all slots
    std::uint32_t m_free_slots = 0;
};

}  // namespace sare
