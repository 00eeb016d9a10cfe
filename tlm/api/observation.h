// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_registry.h"

namespace sare {

/// What is to be shown of a workload's tasks: workload::observe().
struct observation {
    section_parts sections;  ///< of the experiment; the workload reads those that its room brings
    /// Cycles of a message that is alone in the network: of the contention-free model.
    std::function<cycle_t(const message&)> alone;
};

}  // namespace sare
