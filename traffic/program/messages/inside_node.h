// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/schema.h"

namespace sare::traffic {

/// The time of messages inside a node, which do not enter the network.
struct inside_node {
    double local_latency = 0;    ///< seconds
    double local_bandwidth = 0;  ///< bytes/s; 0: no limit

    /// Returns the cycles, of `cycle_seconds` each, that a message takes: 1 at least.
    cycle_t cycles_inside(double bytes, double cycle_seconds) const;
};
const config::schema<inside_node>& inside_node_fields();

}  // namespace sare::traffic
