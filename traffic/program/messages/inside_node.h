// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/schema.h"

namespace sare::traffic {

/// The time of messages inside a node, which do not enter the network.
struct inside_node {
    double local_latency = 0;    ///< seconds of every message
    double local_bandwidth = 0;  ///< bytes per second; 0: no limit

    /// Returns the cycles, of `cycle_seconds` seconds each, that a message of `bytes` bytes takes: at
    /// least 1.
    cycle_t cycles_inside(double bytes, double cycle_seconds) const;
};
const config::schema<inside_node>& inside_node_fields();

}  // namespace sare::traffic
