// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/stats/log/observation_params.h"

namespace sare {

/// The section `observe.inside`: what packets do in routers, and the state of routers.
struct inside_params {
    bool csv = false;                 ///< write packet_events.csv
    bool perfetto = false;            ///< write events into the file for Perfetto
    bool fst = false;                 ///< write routers.fst, see router_waves
    bool record = false;              ///< write record.json, see network_recorder
    std::vector<std::string> events;  ///< names of kinds of events; empty: packet_event_usual
    /// Members of trace_filter of the same names.
    config::number_set packets = all(), sources = all(), destinations = all(), classes = all(),
                       routers = all();
    config::location at;  ///< place of the section

    static config::schema<inside_params> fields();
    bool any() const { return csv || perfetto || fst || record; }
    static config::number_set all() {
        config::number_set s;
        s.all = true;
        return s;
    }
};

/// The key `inside` of the section `observe`.
struct inside_observation : section_part_of<inside_observation> {
    inside_params inside;

    static config::schema<inside_observation> fields();
    void check(const config::value* section) override;
    std::string needs_one_process() const override {
        return inside.fst || inside.record ? "'observe.inside." + std::string(inside.fst ? "fst" : "record") +
                                                 "' shows the buffers of all of them"
                                           : "";
    }
    bool is_of_runs() const override { return true; }
    void check_checkpoints() const override;
    std::unique_ptr<run_observer> observe(const run_context& run) const override;
};

/// Returns the bits of trace_filter::kinds. Throws config::error for an unknown event.
std::uint32_t event_kinds(const inside_params& p);

/// Returns the filter of the section `inside`, in the cycles of `when`. Throws config::error for routers,
/// nodes or message classes that do not exist.
trace_filter filter_of(const inside_params& in, const observation_params& when, const fabric& net);

}  // namespace sare
