// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

namespace sare::traffic {

/// Law of the random factor on a task's computation in a step. none: always 1; uniform: around 1; lognormal:
/// with median 1.
enum class straggler_law { none, uniform, lognormal };

/// Tasks that compute slower, and random factors on the computation of all tasks.
struct straggler_parameters {
    config::number_set tasks;  ///< tasks whose computation takes `factor` times as long
    /// Factor on the computation of `tasks`, for the whole run.
    double factor = 1;
    straggler_law law = straggler_law::none;  ///< law of a random factor, drawn anew for each task and step
    double spread = 0.1;     ///< uniform: the factor is from 1 - spread to 1 + spread; lognormal: standard
                             ///< deviation of its logarithm
    std::uint64_t seed = 1;  ///< seed of the random factors
};
/// Returns the schema of straggler_parameters.
const config::schema<straggler_parameters>& straggler_fields();

/// Returns the factor on the computation of `task` in `step`: p.factor if p.tasks has the task, else 1, times
/// the random factor. It depends on the arguments alone. With the law `uniform` it may be below 0 if p.spread
/// is above 1, which the workload `training` does not allow.
double slowness(const straggler_parameters& p, std::uint32_t task, std::uint32_t step);

}  // namespace sare::traffic
