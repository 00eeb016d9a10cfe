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

/// What fails before a cycle is run: it carries nothing from then on, and never comes back.
struct failure {
    cycle_t at = 0;
    /// Router and output port, one direction of a link each; those of failed routers are among them.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ports;
    std::vector<std::uint32_t> routers;  ///< their nodes are cut off
};

/// All that will fail, and how the network goes on.
struct failure_schedule {
    std::vector<failure> events;   ///< in order of their cycles
    std::uint32_t reroute = 1000;  ///< cycles until routing knows of one
    /// The routing function of what is left, which is valid as long as that function is. Null: routers find
    /// their ways themselves.
    function<std::unique_ptr<routing_function>(const topology& left)> make_routing;

    bool open = false;  ///< more may come while the network runs: fabric::fail()

    bool empty() const { return events.empty() && !open; }
};

}  // namespace sare
