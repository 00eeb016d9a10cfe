// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "traffic/flows/flow.h"
#include "traffic/flows/flow_format.h"
#include "traffic/source/timed_source.h"

namespace sare::traffic {

/// Options of a flow beside its ends, as they are written: texts may have units. For their meaning see flow.
struct flow_options {
    std::string rate, burst, peak = "1", required_rate, required_latency;
    std::uint32_t message_class = 0, length = 0, reply = 0;  ///< length 0: that of all flows
    config::value reply_class;  ///< message class of answers; null: one above message_class

    /// Returns the schema of the keys of an entry of `flows`, and of `key=value` in a line of a file.
    static config::schema<flow_options> fields();
    /// Changes `f` by the options that `section` has. Throws config::error at the section, or at a key.
    void apply(const config::value& section, const flow_units& units, flow& f) const;
};

/// Parameters of the workload `flows`; `load` is a factor of all rates.
struct flow_parameters : timed_parameters {
    std::string file, unit = "flits/cycle";  ///< file of flows, "": none; unit of rates without one
    config::value format, flows;  ///< format of the file, null: found out; list of flows beside the file

    flow_parameters() { load = 1; }
    static config::schema<flow_parameters> fields();
    /// Returns the flows of file and list, with rates without the factor `load`. Throws config::error for
    /// flows that are not possible.
    flow_list read(const config::value& section, const workload_context& c) const;
};

}  // namespace sare::traffic
