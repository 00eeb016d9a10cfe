// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

namespace sare::traffic {

/// Keys of the section `observe` that show the tasks of a program: see recorder.
struct task_observation : section_part_of<task_observation> {
    bool matrix = false, timeline = false, critical_path = false, paje = false;
    config::number_set tasks;

    task_observation() { tasks.all = true; }
    static config::schema<task_observation> fields();
    bool any() const { return matrix || timeline || critical_path || paje; }

    bool is_of_runs() const override { return true; }
    /// Tells the workload, whose executor records.
    std::unique_ptr<run_observer> observe(const run_context& run) const override;
};

}  // namespace sare::traffic
