// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/large_pages.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace sare {

/// An array of trivially copyable elements that only grows. From one large page (2 MiB) on, growth moves
/// pages in the address space instead of copying elements, and unused elements take no memory. The array
/// never needs twice its size; a std::vector does while it grows. When it grows, pointers and references to
/// elements become invalid.
template <class T>
class growing_array {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    growing_array() = default;
    ~growing_array() { give_back(m_at, m_capacity); }
    growing_array(const growing_array&) = delete;
    growing_array& operator=(const growing_array&) = delete;
    growing_array(growing_array&& other) noexcept { swap(other); }
    growing_array& operator=(growing_array&& other) noexcept {
        swap(other);
        return *this;
    }

    /// Returns element k, which must be below size(); not checked.
    T& operator[](std::size_t k) { return m_at[k]; }
    const T& operator[](std::size_t k) const { return m_at[k]; }
    std::size_t size() const { return m_size; }  ///< number of elements
    /// Appends an element with default values and returns it. Throws std::bad_alloc if memory is short; the
    /// array then stays as it is. Pointers and references to elements become invalid if the array was full.
    T& emplace_back() {
        if (m_size == m_capacity) reserve(m_capacity == 0 ? 16 : 2 * m_capacity);
        return *new (m_at + m_size++) T();
    }
    /// Writes size and elements to a checkpoint, or reads them; reading may make the array longer or shorter.
    template <class Archive>
    void serialize(Archive& a) {
        std::uint64_t size = m_size;
        a(size);
        while (m_size < size) emplace_back();
        m_size = static_cast<std::size_t>(size);
        for (std::size_t k = 0; k < m_size; ++k) a(m_at[k]);
    }

  private:
    static constexpr std::align_val_t alignment{alignof(T)};

    /// True if an array of this capacity is in large pages, else from operator new.
    static bool is_pages(std::size_t capacity) { return capacity * sizeof(T) >= large_pages::size; }

    static void give_back(T* at, std::size_t capacity) {
        if (at == nullptr) return;
        is_pages(capacity) ? large_pages::unmap(at, capacity * sizeof(T)) : ::operator delete(at, alignment);
    }

    /// Grows the memory to room for `capacity` elements, more than now.
    void reserve(std::size_t capacity) {
        const std::size_t bytes = capacity * sizeof(T);
        if (!is_pages(capacity)) return take(::operator new(bytes, alignment), capacity);
        if (!is_pages(m_capacity)) return take(large_pages::map(bytes), capacity);
        m_at = static_cast<T*>(large_pages::grow(m_at, m_capacity * sizeof(T), bytes));
        m_capacity = capacity;
    }
    /// Copies the elements to the memory `at`, which has room for `capacity` of them, and frees the old
    /// memory.
    void take(void* at, std::size_t capacity) {
        if (m_size != 0) std::memcpy(at, static_cast<const void*>(m_at), m_size * sizeof(T));
        give_back(m_at, m_capacity);
        m_at = static_cast<T*>(at);
        m_capacity = capacity;
    }
    void swap(growing_array& other) {
        std::swap(m_at, other.m_at);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
    }

    T* m_at = nullptr;                       ///< first element; null: no memory yet
    std::size_t m_size = 0, m_capacity = 0;  ///< elements; elements for which there is room
};

}  // namespace sare
