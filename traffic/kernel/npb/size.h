// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/kernel.h"

namespace sare::traffic {

/// Class of the problem size of a NAS Parallel Benchmark, from S (smallest) to E; each benchmark has its own
/// sizes.
enum class npb_class { s, w, a, b, c, d, e };

/// Parameters of the kernels of NAS Parallel Benchmarks.
struct npb_parameters : kernel_parameters {
    npb_class size = npb_class::a;  ///< problem size, of all tasks together
};
/// Returns the schema of npb_parameters, with the keys of kernel_parameters and executor_parameters.
config::schema<npb_parameters> npb_fields();

}  // namespace sare::traffic
