// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace sare::large_pages {
namespace {

std::size_t rounded(std::size_t bytes) {
    return (bytes + size - 1) / size * size;
}

/// Reserves addresses for `bytes`, rounded up to whole large pages, that begin at a multiple of a large page.
std::uint8_t* reserve(std::size_t bytes) {
    constexpr int writable = PROT_READ | PROT_WRITE, own = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const all = mmap(nullptr, rounded(bytes) + size, writable, own, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    auto* const begin = static_cast<std::uint8_t*>(all);
    const std::size_t before = (size - reinterpret_cast<std::uintptr_t>(begin) % size) % size;
    if (before != 0) munmap(begin, before);
    munmap(begin + before + rounded(bytes), size - before);
    return begin + before;
}

}  // namespace

void* map(std::size_t bytes) {
    std::uint8_t* const at = reserve(bytes);
    madvise(at, rounded(bytes), MADV_HUGEPAGE);
    return at;
}

void* grow(void* at, std::size_t bytes, std::size_t more) {
    std::uint8_t* const to = reserve(more);
    if (mremap(at, rounded(bytes), rounded(more), MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
        unmap(to, more);
        throw std::bad_alloc();
    }
    return to;
}

void unmap(void* at, std::size_t bytes) {
    munmap(at, rounded(bytes));
}

}  // namespace sare::large_pages
