// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/fabric/hazards/failures.h"

#include <cstdint>
#include <vector>

namespace sare {

/// An entry of the list `failures.events`: what fails, and before which cycle.
struct failure_event {
    std::vector<std::uint32_t> between;  ///< two routers: all links between them, both ways
    config::number_set router;           ///< routers, with all their links and nodes
    double links = 0;                    ///< share of all links between routers, drawn; in (0, 1]
    std::uint64_t seed = 1;              ///< of that draw
    std::uint64_t at = 0;                ///< cycle

    static config::schema<failure_event> fields();

    config::location where;
};

/// The section `failures` of an experiment.
struct failure_params {
    config::value events;          ///< list of failure_event
    std::uint32_t reroute = 1000;  ///< cycles

    bool open = false;  ///< see failure_schedule; no key of an experiment

    bool empty() const { return events.type() == config::value::kind::null && !open; }
    static config::schema<failure_params> fields();
    /// Throws config::error for an entry that cannot be read.
    std::vector<failure_event> read_events() const;
};

/// What fails in a network, in order of cycles; ports of links in both directions. Throws config::error for
/// routers and links that are not there.
std::vector<failure> plan_failures(const failure_params& params, const topology& map);

}  // namespace sare
