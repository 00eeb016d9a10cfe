// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/config/schema.h"

#include <functional>

/// What a run shows beside its results, when it is asked for: the section `observe`.
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

struct observation_params {
    bool matrix = false, timeline = false, critical_path = false, paje = false;
    bool perfetto = false, packets = true;
    config::number_set tasks = inside_params::all();
    std::uint64_t from = 0, to = 0;  ///< cycles; 0: to the end
    std::uint64_t interval = 100;    ///< cycles of a value of a link's load
    std::uint32_t links = 0;         ///< intervals of the statistic link_series; 0: not taken
    inside_params inside;
    config::location at;  ///< of the section

    static config::schema<observation_params> fields();
    /// Something that only a program can show.
    bool of_program() const { return matrix || timeline || critical_path || paje; }
    cycle_t end() const { return to == 0 ? workload::never : to; }
};

struct observation {
    observation_params what;
    /// Cycles of a message that is alone in the network: of the contention-free model.
    std::function<cycle_t(const message&)> alone;
};

}  // namespace sare
