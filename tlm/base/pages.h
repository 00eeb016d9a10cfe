// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace sare {

/// A block of zeroed memory of whole pages (4 KiB), freed by the destructor. A page that is never written to
/// takes no memory.
class pages {
  public:
    pages() = default;
    /// Allocates `bytes` bytes, 4096 if that is less. `huge`: true: asks the system for pages of 2 MiB, for
    /// memory of which all parts are used. Throws std::bad_alloc.
    pages(std::size_t bytes, bool huge) : m_bytes(std::max<std::size_t>(bytes, 4096)) {
        m_at = mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                    0);
        if (m_at == MAP_FAILED) {
            m_at = nullptr;
            throw std::bad_alloc();
        }
        if (huge) madvise(m_at, m_bytes, MADV_HUGEPAGE);
    }
    ~pages() {
        if (m_at != nullptr) munmap(m_at, m_bytes);
    }
    pages(const pages&) = delete;
    pages& operator=(const pages&) = delete;
    pages(pages&& other) noexcept { swap(other); }
    pages& operator=(pages&& other) noexcept {
        swap(other);
        return *this;
    }

    /// Returns the beginning of the memory; null if the object was default-constructed or moved from.
    template <class T>
    T* as() const {
        return static_cast<T*>(m_at);
    }

  private:
    void swap(pages& other) {
        std::swap(m_at, other.m_at);
        std::swap(m_bytes, other.m_bytes);
    }

    void* m_at = nullptr;     ///< beginning of the memory
    std::size_t m_bytes = 0;  ///< size of the memory
};

}  // namespace sare
