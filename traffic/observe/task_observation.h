// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

namespace sare::traffic {

/// Keys of the section `observe` that show the tasks of a program: see recorder.
struct task_observation : section_part_of<task_observation> {
    bool matrix = false;         ///< messages and bytes of each pair of tasks
    bool timeline = false;       ///< states of tasks over time, and phases
    bool critical_path = false;  ///< critical path of the run
    bool paje = false;           ///< timeline and messages for Paje's tools
    config::number_set tasks;    ///< tasks in timelines

    task_observation() { tasks.all = true; }
    static config::schema<task_observation> fields();
    bool any() const { return matrix || timeline || critical_path || paje; }

    bool is_of_runs() const override { return true; }
    /// Calls workload::observe(), so that the workload's executor records; returns null. Throws config::error
    /// if something is asked for and the workload has no tasks.
    std::unique_ptr<run_observer> observe(const run_context& run) const override;
};

}  // namespace sare::traffic
