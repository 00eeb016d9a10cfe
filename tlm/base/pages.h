// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace sare {

/// Zeroed memory of whole pages: what is never written to takes no room.
class pages {
  public:
    pages() = default;
    /// `huge`: for memory that is used all over, in pages of two megabytes if the system has them.
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

    template <class T>
    T* as() const {
        return static_cast<T*>(m_at);
    }

  private:
    void swap(pages& other) {
        std::swap(m_at, other.m_at);
        std::swap(m_bytes, other.m_bytes);
    }

    void* m_at = nullptr;
    std::size_t m_bytes = 0;
};

}  // namespace sare
