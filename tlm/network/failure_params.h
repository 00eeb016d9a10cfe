// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/fabric/hazards/failures.h"

#include <cstdint>
#include <vector>

namespace sare {

/// An entry of the list `failures.events`: what fails, and in which cycle.
struct failure_event {
    std::vector<std::uint32_t> between;  ///< two routers: all links between them, both ways
    config::number_set router;           ///< routers, with all their links and nodes
    double links = 0;                    ///< share of all links between routers, drawn at random; in [0, 1]
    std::uint64_t seed = 1;              ///< seed of that draw
    std::uint64_t at = 0;                ///< first cycle in which the failed links and routers carry nothing

    static config::schema<failure_event> fields();

    config::location where;  ///< place of the entry
};

/// The section `failures` of an experiment.
struct failure_params {
    config::value events;          ///< list of failure_event; null: nothing fails
    std::uint32_t reroute = 1000;  ///< cycles from a failure until routing knows of it

    bool open = false;  ///< see failure_schedule; no key of an experiment

    bool empty() const { return events.type() == config::value::kind::null && !open; }
    static config::schema<failure_params> fields();
    /// Throws config::error for an entry that cannot be read.
    std::vector<failure_event> read_events() const;
};

/// Returns the failures of a network in order of cycles; links are given by the ports of both directions.
/// Throws config::error for routers and links that do not exist.
std::vector<failure> plan_failures(const failure_params& params, const topology& map);

}  // namespace sare
