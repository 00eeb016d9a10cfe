// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace sare {

/// Why a workload cannot go on, though every queue and the network are empty (an unmatched receive).
struct standstill {
    std::string first;        ///< what the first that waits waits for; "": there is no such reason
    std::uint64_t place = 0;  ///< of the first among all: of several processes the least one is told
    std::uint64_t tasks = 0;  ///< that wait, if it runs tasks

    std::string text() const {
        if (first.empty() || tasks < 2) return first;
        return first + "; " +
               (tasks == 2 ? "1 other task waits" : std::to_string(tasks - 1) + " other tasks wait") + " too";
    }
};

}  // namespace sare
