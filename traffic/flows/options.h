// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "traffic/flows/flow.h"
#include "traffic/flows/flow_format.h"
#include "traffic/source/timed_source.h"

namespace sare::traffic {

/// The texts that a flow is given beside its ends, which may have units.
struct flow_options {
    std::string rate, burst, peak = "1", required_rate, required_latency;
    std::uint32_t message_class = 0, length = 0, reply = 0;
    config::value reply_class;

    /// Returns the schema of the keys of an entry of `flows`, and of `key=value` in a line of a file.
    static config::schema<flow_options> fields();
    /// Changes `f` by these options. Throws config::error at `section`, or at a key.
    void apply(const config::value& section, const flow_units& units, flow& f) const;
};

struct flow_parameters : timed_parameters {
    std::string file, unit = "flits/cycle";
    config::value format, flows;

    flow_parameters() { load = 1; }
    static config::schema<flow_parameters> fields();
    /// Returns the flows of file and list, with rates as given. Throws config::error for impossible ones.
    flow_list read(const config::value& section, const workload_context& c) const;
};

}  // namespace sare::traffic
