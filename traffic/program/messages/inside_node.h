// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/schema.h"

namespace sare::traffic {

/// The time of messages between tasks of one node, which do not enter the network.
struct inside_node {
    double local_latency = 0;  ///< seconds that each such message takes, whatever its size
    /// Bandwidth in bytes per second; bytes / local_bandwidth is added to the latency; 0: no limit.
    double local_bandwidth = 0;

    /// Returns the cycles that a message of `bytes` bytes takes, rounded down, but at least 1.
    /// `cycle_seconds`: seconds of a cycle.
    cycle_t cycles_inside(double bytes, double cycle_seconds) const;
};
/// Returns the schema of inside_node.
const config::schema<inside_node>& inside_node_fields();

}  // namespace sare::traffic
