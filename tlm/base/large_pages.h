// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <new>
#include <vector>

/// Zeroed memory in large pages of the processor (2 MiB), if the system has them, else in ordinary ones.
/// Large pages need fewer walks through page tables for the translation of addresses. Memory begins at a
/// multiple of 2 MiB, sizes are rounded up to whole large pages, and a page that is never written to takes no
/// memory.
namespace sare::large_pages {

constexpr std::size_t size = std::size_t{2} << 20;  ///< bytes of a large page

/// Returns the address of `bytes` bytes (1 or more) of new memory, all 0. Throws std::bad_alloc.
void* map(std::size_t bytes);
/// Moves the `bytes` bytes of memory at `at`, from map() or grow(), to new memory of `more` bytes in total,
/// `more` >= `bytes`, and returns its address. Pages are moved, nothing is copied; the added bytes are 0.
/// Throws std::bad_alloc; the old memory then stays as it is.
void* grow(void* at, std::size_t bytes, std::size_t more);
/// Gives back the memory at `at`, which map() or grow() returned, with the size `bytes` that was asked for.
void unmap(void* at, std::size_t bytes);

/// Allocator for containers: arrays of a large page or more come from map(), smaller ones from operator new.
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

/// A std::vector whose elements are in large pages once they take 2 MiB or more.
template <class T>
using vector = std::vector<T, allocator<T>>;

}  // namespace sare::large_pages
