// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/stats/log/observation_params.h"

namespace sare {

/// The section `observe.inside`: files that show what packets do in routers, and the state of routers.
struct inside_params {
    bool csv = false;                 ///< true: write packet_events.csv
    bool perfetto = false;            ///< true: write events into perfetto_file
    bool fst = false;                 ///< true: write routers.fst, see router_waves
    bool record = false;              ///< true: write record.json, see network_recorder
    std::vector<std::string> events;  ///< names of kinds of events; empty: packet_event_usual
    /// Numbers of packets, nodes, classes and routers that are shown, see trace_filter.
    config::number_set packets = all(), sources = all(), destinations = all(), classes = all(),
                       routers = all();
    config::location at;  ///< place of the section, for error messages

    static config::schema<inside_params> fields();
    bool any() const { return csv || perfetto || fst || record; }  ///< true: some file is written
    /// Returns the set of all numbers.
    static config::number_set all() {
        config::number_set s;
        s.all = true;
        return s;
    }
};

/// The key `inside` of the section `observe`.
struct inside_observation : section_part_of<inside_observation> {
    inside_params inside;  ///< values of the key

    static config::schema<inside_observation> fields();
    void check(const config::value* section) override;  ///< throws config::error for an unknown kind of event
    std::string needs_one_process() const override {
        return inside.fst || inside.record ? "'observe.inside." + std::string(inside.fst ? "fst" : "record") +
                                                 "' shows the buffers of all of them"
                                           : "";
    }
    bool is_of_runs() const override { return true; }
    void check_checkpoints() const override;  ///< throws config::error if inside.any()
    /// Returns an inside_view; null unless inside.any(). Throws config::error in the contention-free model,
    /// for a router in RTL that is named, and as check_injections() and inside_view.
    std::unique_ptr<run_observer> observe(const run_context& run) const override;
};

/// Returns trace_filter::kinds for the names `p.events`, bit k for kind k; without names packet_event_usual.
/// Throws config::error for an unknown name.
std::uint32_t event_kinds(const inside_params& p);

/// Returns the filter by the section `inside`, for the cycles of `when`. Throws config::error for routers,
/// nodes or message classes that `net` does not have.
trace_filter filter_of(const inside_params& in, const observation_params& when, const fabric& net);

}  // namespace sare
