// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_registry.h"

namespace sare {

class world;

/// How a workload is to record its tasks: argument of workload::observe().
struct observation {
    section_parts sections;  ///< sections of the experiment; the workload reads those of its own room
    /// Returns the latency, in cycles, of a message that is alone in the network (contention-free model).
    std::function<cycle_t(const message&)> alone;
    /// @name Several processes
    /// @{
    world* processes = nullptr;  ///< all processes of the run; null: this is the only one
    bool delivers_last = false;  ///< the network calls delivered() after tick() of a cycle, not before it
    /// Returns the node of the network for a node of the workload. Empty: the numbers are the same.
    std::function<std::uint32_t(std::uint32_t)> place_of = nullptr;
    /// @}
};

}  // namespace sare
