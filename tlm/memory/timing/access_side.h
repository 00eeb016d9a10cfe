// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_statistics.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace sare {

/// Something beside memory bridges whose accesses are counted, such as a CHI node: as one initiator, or as
/// one memory.
struct access_side {
    std::string name;
    bool memory = false;
    std::uint32_t node = 0;
    access_statistics statistics;
    std::uint32_t open = 0, most_open = 0;

    /// While an access is under way.
    struct under_way {
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
