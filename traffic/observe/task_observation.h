// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

namespace sare::traffic {

/// Keys of the section `observe` about the tasks of a program; class recorder does what they ask for.
struct task_observation : section_part_of<task_observation> {
    bool matrix = false;         ///< true: write a table of the messages and bytes of each pair of tasks
    bool timeline = false;       ///< true: write the states of tasks over time, and phases
    bool critical_path = false;  ///< true: write the critical path of the run
    bool paje = false;           ///< true: write timeline and messages for Paje's tools
    config::number_set tasks;    ///< numbers of the tasks that timelines show

    /// By default `tasks` has all tasks.
    task_observation() { tasks.all = true; }
    static config::schema<task_observation> fields();
    /// Returns true if any of the four flags is set.
    bool any() const { return matrix || timeline || critical_path || paje; }

    bool is_of_runs() const override { return true; }
    /// Has the workload record its tasks (workload::observe()). Returns null: the run needs no observer
    /// beside that. Throws config::error if any() is true and the workload has no tasks.
    std::unique_ptr<run_observer> observe(const run_context& run) const override;
};

}  // namespace sare::traffic
