// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/growing_array.h"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace sare {

/// A pool of slots, numbered from 0, that are taken and given back; the slot given back last is taken first.
/// Nothing is allocated once the pool has as many slots as are ever in use at a time. A free slot keeps its
/// contents and its memory. References to slots may become invalid at the next take() or make_room(), and
/// when a checkpoint is read.
template <class T>
class pool {
  public:
    /// Returns the number of a free slot, which is in use from now on, with the contents that it had before;
    /// a new slot has a value-initialised T.
    std::uint32_t take() {
        make_room();
        return m_free[--m_free_slots];
    }
    /// Adds a slot if none is free, so that the next take() does not grow the pool.
    void make_room() {
        if (__builtin_expect(m_free_slots == 0, 0)) grow();
    }
    /// Frees a slot in use; it keeps its contents. Giving back a free slot is an error that is not detected.
    void give_back(std::uint32_t slot) { m_free[m_free_slots++] = slot; }
    /// Returns the contents of a slot, in use or free; `slot` must be below slots(), which is not checked.
    T& operator[](std::uint32_t slot) { return m_slots[slot]; }
    const T& operator[](std::uint32_t slot) const { return m_slots[slot]; }
    /// Number of slots, in use and free.
    std::uint32_t slots() const { return static_cast<std::uint32_t>(m_slots.size()); }
    /// Number of slots taken and not given back.
    std::uint32_t in_use() const { return static_cast<std::uint32_t>(m_slots.size()) - m_free_slots; }
    /// Writes all slots and which of them are free to a checkpoint, or reads them.
    template <class Archive>
    void serialize(Archive& a) {
        a(m_slots, m_free, m_free_slots);
    }

    /// Calls f(slot) for each slot in use, in ascending order; `f` must not take or give back slots. Looks at
    /// all slots, which is too slow for every cycle.
    template <class F>
    void for_each(F f) const {
        std::vector<bool> is_free(m_slots.size());
        for (std::uint32_t k = 0; k < m_free_slots; ++k) is_free[m_free[k]] = true;
        for (std::uint32_t slot = 0; slot < slots(); ++slot)
            if (!is_free[slot]) f(slot);
    }

  private:
    /// Adds one free slot. Not inlined: its calls would cost the callers' usual path registers.
    __attribute__((noinline)) void grow() {
        m_free.emplace_back() = 0;
        m_free[m_free_slots++] = static_cast<std::uint32_t>(m_slots.size());
        m_slots.emplace_back();
    }

    using array = std::conditional_t<std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                                     growing_array<T>, std::vector<T>>;
    array m_slots;                        ///< contents of all slots
    growing_array<std::uint32_t> m_free;  ///< stack of free slots, with room for all
    std::uint32_t m_free_slots = 0;       ///< height of the stack
};

}  // namespace sare
