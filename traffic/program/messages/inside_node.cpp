// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/messages/inside_node.h"

#include "traffic/program/duration.h"

namespace sare::traffic {

const config::schema<inside_node>& inside_node_fields() {
    using p = inside_node;
    static const auto fields = config::schema<p>()
                                   .number("local_latency", &p::local_latency, 0, 1e3, "s",
                                           "of messages inside a node, which do not enter the network")
                                   .number("local_bandwidth", &p::local_bandwidth, 0, 1e30, "bytes/s",
                                           "of messages inside a node; 0: no limit");
    return fields;
}

cycle_t inside_node::cycles_inside(double bytes, double cycle_seconds) const {
    const double seconds = local_latency + (local_bandwidth > 0 ? bytes / local_bandwidth : 0);
    return std::max<cycle_t>(whole_cycles(seconds, cycle_seconds), 1);
}

}  // namespace sare::traffic
