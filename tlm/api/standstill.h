// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace sare {

/// Reason why a workload cannot go on, though all queues and the network are empty (an unmatched receive).
struct standstill {
    std::string first;        ///< sentence: what the first waiting task waits for; "": no reason is known
    std::uint64_t place = 0;  ///< rank of that task: several processes report the sentence of the least rank
    std::uint64_t tasks = 0;  ///< number of waiting tasks; 0 if the workload has no tasks

    /// Returns `first` and the number of other tasks that wait.
    std::string text() const {
        if (first.empty() || tasks < 2) return first;
        return first + "; " +
               (tasks == 2 ? "1 other task waits" : std::to_string(tasks - 1) + " other tasks wait") + " too";
    }
};

}  // namespace sare
