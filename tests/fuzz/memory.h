// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sanitizer/allocator_interface.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// A bound on what a reader holds at a time, by the address sanitizer's own hooks. Whoever holds more is a
/// find: what a header claims must not be made room for before it is there.
namespace sare::fuzz {

class memory_limit {
  public:
    explicit memory_limit(std::uint64_t bytes) {
        static const int hooked = __sanitizer_install_malloc_and_free_hooks(taken, given_back);
        if (hooked == 0) std::abort();
        s_held = 0;
        s_most = static_cast<std::int64_t>(bytes);
    }
    ~memory_limit() { s_most = -1; }
    memory_limit(const memory_limit&) = delete;
    memory_limit& operator=(const memory_limit&) = delete;

  private:
    static void taken(const volatile void*, std::size_t bytes) {
        if (s_most < 0) return;
        s_held += static_cast<std::int64_t>(bytes);
        if (s_held <= s_most) return;
        std::fprintf(stderr, "a reader holds %lld bytes where %lld are the limit; the last piece has %zu\n",
                     static_cast<long long>(s_held), static_cast<long long>(s_most), bytes);
        s_most = -1;
        std::abort();
    }
    static void given_back(const volatile void* at) {
        if (s_most >= 0 && at != nullptr)
            s_held -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<const void*>(at)));
    }

    static inline std::int64_t s_held = 0, s_most = -1;  ///< most: negative while there is no limit
};

}  // namespace sare::fuzz
