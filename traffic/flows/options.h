// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "traffic/flows/flow.h"
#include "traffic/flows/flow_format.h"
#include "traffic/source/timed_source.h"

namespace sare::traffic {

/// Options of a flow as the user writes them, besides source and destination. Texts are numbers that may have
/// units. Members have the meaning of the members of `flow` with these names.
struct flow_options {
    /// Rates, sizes of bursts in flits, and latencies; empty: the option is not given.
    std::string rate, burst, peak = "1", required_rate, required_latency;
    /// Message class; flits of a message, 0: the length of all flows; flits of an answer, 0: no answers.
    std::uint32_t message_class = 0, length = 0, reply = 0;
    config::value reply_class;  ///< value of the key `reply_class`, an integer; null: message_class + 1

    /// Returns the schema of the options, which are keys of an entry of `flows`, and words `key=value` in a
    /// line of a file.
    static config::schema<flow_options> fields();
    /// Changes `f` by the options that `section`, from which they were read, has. Throws config::error at a
    /// key whose value is wrong.
    void apply(const config::value& section, const flow_units& units, flow& f) const;
};

/// Parameters of the workload `flows`. `load` is a factor of all rates here.
struct flow_parameters : timed_parameters {
    std::string file, unit = "flits/cycle";  ///< path of a file of flows, empty: none; unit of rates that are
                                             ///< written without a unit
    config::value format, flows;  ///< name of the file's format, null: found out from its text; list of flows
                                  ///< in the section, in addition to the file's

    /// By default `load` is 1.
    flow_parameters() { load = 1; }
    /// Returns the schema of the parameters.
    static config::schema<flow_parameters> fields();
    /// Returns the flows of the file and of the list; rates are without the factor `load`. `section`: section
    /// of the workload. Throws config::error if there is no flow, a flow is wrong, or a flow would have to
    /// send, with `load`, more than a message (in bursts: more than `peak`) per cycle.
    flow_list read(const config::value& section, const workload_context& c) const;
};

}  // namespace sare::traffic
