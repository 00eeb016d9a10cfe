// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_registry.h"

namespace sare {

class world;

/// What is to be shown of a workload's tasks: workload::observe().
struct observation {
    section_parts sections;  ///< of the experiment; the workload reads those that its room brings
    /// Cycles of a message that is alone in the network: of the contention-free model.
    std::function<cycle_t(const message&)> alone;
    /// @name Several processes
    /// @{
    world* processes = nullptr;  ///< null: this is the only one
    bool delivers_last = false;  ///< in a cycle, after workload::tick()
    /// Of a node of the workload: that of the network. Empty: the same.
    std::function<std::uint32_t(std::uint32_t)> place_of = nullptr;
    /// @}
};

}  // namespace sare
