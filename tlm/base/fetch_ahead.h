// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"

namespace sare {

/// Prefetches the cache line that holds address `at`, in order to write to it. The empty assembler statement
/// keeps GCC from dropping calls: a function with nothing but __builtin_prefetch would count as one without
/// effect.
SARE_INLINE void fetch_ahead(const void* at) {
    __asm__ volatile("");
    __builtin_prefetch(at, 1);
}

}  // namespace sare
