// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "traffic/flows/flow.h"
#include "traffic/flows/flow_format.h"
#include "traffic/source/timed_source.h"

namespace sare::traffic {

/// What a flow has beside its ends, as it is written: texts, for units.
struct flow_options {
    std::string rate, burst, peak = "1", required_rate, required_latency;
    std::uint32_t message_class = 0, length = 0, reply = 0;
    config::value reply_class;

    /// Keys of an entry of `flows`, and of `key=value` in a line of a file.
    static config::schema<flow_options> fields();
    /// With `f` as it is but for these. Throws config::error at `section`, or where a key is.
    void apply(const config::value& section, const flow_units& units, flow& f) const;
};

struct flow_parameters : timed_parameters {
    std::string file, unit = "flits/cycle";
    config::value format, flows;

    flow_parameters() { load = 1; }
    static config::schema<flow_parameters> fields();
    /// The flows of file and list, with rates as given. Throws config::error for what cannot be.
    flow_list read(const config::value& section, const workload_context& c) const;
};

}  // namespace sare::traffic
