// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <new>
#include <vector>

/// Zeroed memory that begins at a large page of the processor (2 MiB), and is in such pages if the system has
/// them: the address of what lies anywhere in it is found without a walk through tables that are not in a
/// cache. A page that is never written to takes no room. Functions throw std::bad_alloc.
namespace sare::large_pages {

constexpr std::size_t size = std::size_t{2} << 20;

void* map(std::size_t bytes);
/// The same contents elsewhere, with room for more: pages are moved, nothing is copied.
void* grow(void* at, std::size_t bytes, std::size_t more);
void unmap(void* at, std::size_t bytes);

/// For the elements of a large container.
template <class T>
struct allocator {
    using value_type = T;

    allocator() = default;
    template <class U>
    allocator(const allocator<U>&) {}  // NOLINT(google-explicit-constructor): the standard wants it
    T* allocate(std::size_t n) {
        return static_cast<T*>(is_large(n) ? map(n * sizeof(T)) : ::operator new(n * sizeof(T), alignment));
    }
    void deallocate(T* at, std::size_t n) {
        is_large(n) ? unmap(at, n * sizeof(T)) : ::operator delete(at, alignment);
    }
    friend bool operator==(const allocator&, const allocator&) { return true; }
    friend bool operator!=(const allocator&, const allocator&) { return false; }

  private:
    static constexpr std::align_val_t alignment{alignof(T)};
    static bool is_large(std::size_t n) { return n * sizeof(T) >= size; }
};

template <class T>
using vector = std::vector<T, allocator<T>>;

}  // namespace sare::large_pages
