// SPDX-License-Identifier: Apache-2.0
#include "traffic/observe/task_observation.h"

#include "tlm/api/counted_network.h"
#include "tlm/api/network_engine.h"
#include "tlm/api/observation.h"
#include "tlm/stats/log/observation_params.h"

namespace sare::traffic {
namespace {

const section_registration<task_observation> task_keys{"observe", 10};

}  // namespace

config::schema<task_observation> task_observation::fields() {
    using p = task_observation;
    config::schema<p> s;
    s.flag("matrix", &p::matrix, "Messages and bytes of each pair of tasks: task_matrix.csv.")
        .flag("timeline", &p::timeline, "What each task does at a time: timeline.csv, marks.csv, phases.csv.")
        .flag("critical_path", &p::critical_path,
              "What the run's time is spent on, from its end backwards: critical_path.csv.")
        .flag("paje", &p::paje, "The timeline and the messages for Paje's tools: trace.paje.")
        .numbers("tasks", &p::tasks, "In timelines: all, numbers, ranges such as 0-63.");
    return s;
}

std::unique_ptr<run_observer> task_observation::observe(const run_context& run) const {
    const bool has_tasks = run.traffic.observe(
        {run.sections, run.alone, run.engine.counters().processes(), run.routers_own_nodes});
    if (!has_tasks && any())
        throw config::error(at,
                            "'observe' asks for tasks, and the workload has none; perfetto shows packets");
    return nullptr;
}

}  // namespace sare::traffic
