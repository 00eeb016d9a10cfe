// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <new>
#include <vector>

/// Zeroed memory in large pages of the processor (2 MiB), if the system has them: addresses are then
/// translated without a walk through page tables that are not cached. Memory begins at a multiple of 2 MiB,
/// sizes are rounded up to whole large pages, and a page that is never written to takes no memory.
namespace sare::large_pages {

constexpr std::size_t size = std::size_t{2} << 20;  ///< bytes of a large page

/// Returns `bytes` (> 0) of new memory, all 0. Throws std::bad_alloc.
void* map(std::size_t bytes);
/// Moves the `bytes` of memory at `at` to new memory of `more` bytes in total and returns its address. Pages
/// are moved, nothing is copied; the added bytes are 0. Throws std::bad_alloc; the old memory stays then.
void* grow(void* at, std::size_t bytes, std::size_t more);
/// Gives back the `bytes` of memory at `at`, which map() or grow() returned.
void unmap(void* at, std::size_t bytes);

/// Allocator for containers: arrays of a large page and more come from map(), smaller ones from operator new.
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

/// A std::vector whose elements lie in large pages, once there are enough of them.
template <class T>
using vector = std::vector<T, allocator<T>>;

}  // namespace sare::large_pages
