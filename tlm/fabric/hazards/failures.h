// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet_changes.h"
#include "tlm/base/function.h"
#include "tlm/base/ids.h"
#include "tlm/base/rng.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Links and routers that fail in the middle of a run: docs/links.md.
namespace sare {

class routing_function;
class topology;

/// Links and routers that fail at the same time, for good.
struct failure {
    cycle_t at = 0;  ///< first cycle in which these links and routers carry no flits
    /// Directions of links that fail, each given by the router and the output port where it begins. All links
    /// of `routers`, out and in, must be among them.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ports;
    std::vector<std::uint32_t> routers;  ///< routers that fail; their nodes are cut off
};

/// All failures of a run, and the rule by which the network goes on after them.
struct failure_schedule {
    std::vector<failure> events;   ///< failures in ascending order of their cycles
    std::uint32_t reroute = 1000;  ///< cycles from a failure until the change of the routing function begins
    /// Makes the routing function for `left`, the part of the map that still works, which outlives the
    /// function that is returned. Empty: routers find other routes themselves, and the routing function
    /// stays.
    function<std::unique_ptr<routing_function>(const topology& left)> make_routing;

    bool open = false;  ///< true: failures may be added while the network runs, by fabric::fail()

    /// True if nothing is planned to fail and nothing may be added.
    bool empty() const { return events.empty() && !open; }
};

}  // namespace sare
