// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Counts of an initiator of a bridge so far.
struct initiator_counts {
    std::uint64_t accesses = 0;  ///< accesses answered
    /// Most accesses at a time that were sent and whose END_RESP had not come.
    std::uint32_t most_outstanding = 0;
};

/// Counts of a memory of a bridge so far.
struct memory_counts {
    std::uint64_t accesses = 0;   ///< accesses done
    std::uint32_t most_held = 0;  ///< most requests at a time between their arrival and their response
    /// Most accesses with the memory at a time; of reads or of writes, whichever is more, where reads and
    /// writes have separate queues.
    std::uint32_t most_at_once = 0;
};

}  // namespace sare
