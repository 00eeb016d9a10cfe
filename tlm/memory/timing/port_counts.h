// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Counts of an initiator of a bridge so far.
struct initiator_counts {
    std::uint64_t accesses = 0;          ///< accesses answered
    std::uint32_t most_outstanding = 0;  ///< most accesses at a time between END_REQ and END_RESP
};

/// Counts of a memory of a bridge so far.
struct memory_counts {
    std::uint64_t accesses = 0;      ///< accesses done
    std::uint32_t most_held = 0;     ///< most requests at a time from arrival to response
    std::uint32_t most_at_once = 0;  ///< most of these with the memory (reads, or writes, where apart)
};

}  // namespace sare
