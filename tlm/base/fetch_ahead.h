// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/bits.h"

namespace sare {

/// Fetches the line of the cache with `at`, which may be written to. GCC takes a function that does nothing
/// else than __builtin_prefetch for one without effect and drops its calls; it keeps those of one that has an
/// assembler statement.
SARE_INLINE void fetch_ahead(const void* at) {
    __asm__ volatile("");
    __builtin_prefetch(at, 1);
}

}  // namespace sare
