// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// What an initiator of a bridge has had on its way so far.
struct initiator_counts {
    std::uint64_t accesses = 0;          ///< answered
    std::uint32_t most_outstanding = 0;  ///< from END_REQ to END_RESP, at a time
};

/// What a memory of a bridge has had to hold so far.
struct memory_counts {
    std::uint64_t accesses = 0;      ///< done
    std::uint32_t most_held = 0;     ///< requests from arrival to response, at a time
    std::uint32_t most_at_once = 0;  ///< of these, with the memory (reads, or writes, where they are apart)
};

}  // namespace sare
