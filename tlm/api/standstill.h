// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace sare {

/// Reason why a workload cannot go on, though all queues and the network are empty, such as a receive for
/// which no message was sent.
struct standstill {
    /// Sentence on the first waiting task and on what it waits for; "": no reason is known.
    std::string first;
    /// Number of the first waiting task. If several processes give a reason, the one with the lowest number
    /// is reported.
    std::uint64_t place = 0;
    std::uint64_t tasks = 0;  ///< number of waiting tasks; 0 if the workload has no tasks

    /// Returns `first`, followed by "; 3 other tasks wait too" if more than one task waits.
    std::string text() const {
        if (first.empty() || tasks < 2) return first;
        return first + "; " +
               (tasks == 2 ? "1 other task waits" : std::to_string(tasks - 1) + " other tasks wait") + " too";
    }
};

}  // namespace sare
