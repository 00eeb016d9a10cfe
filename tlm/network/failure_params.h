// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/fabric/hazards/failures.h"

#include <cstdint>
#include <vector>

namespace sare {

/// An entry of the list `failures.events`: what fails, and in which cycle. Exactly one of `between`, `router`
/// and `links` is given.
struct failure_event {
    /// Numbers of two routers: all links between them fail, in both directions; empty: not given.
    std::vector<std::uint32_t> between;
    config::number_set router;  ///< routers that fail, with all their links; their nodes are cut off
    /// Share of the links between routers that fail, in [0, 1], rounded to a number of links, which are drawn
    /// at random; both directions of one fail together.
    double links = 0;
    std::uint64_t seed = 1;  ///< seed of the draw of `links`; unused without `links`
    /// First cycle in which the failed links and routers carry nothing; packets on them are dropped.
    std::uint64_t at = 0;

    static config::schema<failure_event> fields();

    config::location where;  ///< place of the entry in the configuration, for error messages
};

/// The section `failures` of an experiment.
struct failure_params {
    config::value events;  ///< list of failure_event; null: nothing fails
    /// Cycles from a failure until the change to routes that avoid it begins.
    std::uint32_t reroute = 1000;

    /// True: failures may be added while the network runs, by fabric::fail(). Set by programs; no key of an
    /// experiment.
    bool open = false;
    /// Place of the section in its file, for error messages; without a section the place of the experiment.
    config::location at;

    /// True if nothing fails and no failure may be added.
    bool empty() const { return events.type() == config::value::kind::null && !open; }
    static config::schema<failure_params> fields();
    /// Returns the entries of `events` in their order. Throws config::error for an entry that cannot be read,
    /// or that gives none or several of `between`, `router` and `links`.
    std::vector<failure_event> read_events() const;
};

/// Returns the failures of network `map` by rising cycle, an element for each entry of params.events. A
/// failed link is given as its two directions, each by the router and output port where it begins. Throws
/// config::error for routers and links that do not exist.
std::vector<failure> plan_failures(const failure_params& params, const topology& map);

}  // namespace sare
