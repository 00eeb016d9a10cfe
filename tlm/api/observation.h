// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_registry.h"

namespace sare {

class world;

/// Tells a workload how to record what its tasks do (argument of workload::observe()).
struct observation {
    /// Values of all registered sections of the experiment; a workload reads the ones that say what to
    /// record.
    section_parts sections;
    /// Returns the latency, in cycles, that a message would have without other traffic, by the
    /// contention-free model.
    std::function<cycle_t(const message&)> alone;
    /// @name Several processes
    /// @{
    world* processes = nullptr;  ///< all processes of the run; null: this process is the only one
    /// True: in each cycle the network calls delivered() after tick(); false: before it.
    bool delivers_last = false;
    /// Returns the network's number of a node, given the workload's number. Empty function: the numbers are
    /// the same.
    std::function<std::uint32_t(std::uint32_t)> place_of = nullptr;
    /// @}
};

}  // namespace sare
