// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

namespace sare::traffic {

enum class straggler_law { none, uniform, lognormal };

struct straggler_parameters {
    config::number_set tasks;  ///< tasks whose computation takes `factor` times as long
    double factor = 1;
    straggler_law law = straggler_law::none;  ///< law of a further factor, drawn for each task and step
    double spread = 0.1;     ///< uniform: factors in 1 +- spread; lognormal: deviation of the logarithm
    std::uint64_t seed = 1;  ///< seed of these factors
};
const config::schema<straggler_parameters>& straggler_fields();

/// Returns the factor on a task's computation in a step: the given one, for the tasks that are named, times a
/// number drawn for each task and step.
double slowness(const straggler_parameters& p, std::uint32_t task, std::uint32_t step);

}  // namespace sare::traffic
