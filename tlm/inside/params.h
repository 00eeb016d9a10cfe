// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/stats/log/observation_params.h"

namespace sare {

/// The section `observe.inside`: what each packet does in each router, and the routers' state.
struct inside_params {
    bool csv = false, perfetto = false, fst = false;
    std::vector<std::string> events;  ///< by name; none: all
    config::number_set packets = all(), sources = all(), destinations = all(), classes = all(),
                       routers = all();
    config::location at;  ///< of the section

    static config::schema<inside_params> fields();
    bool any() const { return csv || perfetto || fst; }
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
        return inside.fst ? "'observe.inside.fst' shows the buffers of all of them" : "";
    }
    bool is_of_runs() const override { return true; }
    void check_checkpoints() const override;
    std::unique_ptr<run_observer> observe(const run_context& run) const override;
};

/// The bits of trace_filter::kinds; throws config::error for a kind of event that there is not.
std::uint32_t event_kinds(const inside_params& p);

/// The filter that `inside` says, in the cycles of `when`. Throws config::error for routers, nodes and
/// classes that the network has not.
trace_filter filter_of(const inside_params& in, const observation_params& when, const fabric& net);

}  // namespace sare
