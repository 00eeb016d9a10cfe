// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_statistics.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace sare {

/// Counts of the accesses of a CHI node, which counts as one initiator or one memory in an access_report.
struct access_side {
    std::string name;                       ///< name in the report
    bool memory = false;                    ///< true: it counts as a memory; false: as an initiator
    std::uint32_t node = 0;                 ///< number of its node in the network
    access_statistics statistics;           ///< accesses that are over
    std::uint32_t open = 0, most_open = 0;  ///< number of accesses under way now; most at a time so far

    /// Counts an access as open while this object lives.
    struct under_way {
        /// Counts an access of `s`, which must outlive this object.
        explicit under_way(access_side& s) : side(s) {
            side.most_open = std::max(side.most_open, ++side.open);
        }
        ~under_way() { --side.open; }
        under_way(const under_way&) = delete;
        under_way& operator=(const under_way&) = delete;
        access_side& side;
    };
};

}  // namespace sare
