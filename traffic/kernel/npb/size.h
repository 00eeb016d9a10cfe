// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/kernel.h"

namespace sare::traffic {

/// Sizes of the NAS Parallel Benchmarks, S to E, and what each means to a benchmark.
enum class npb_class { s, w, a, b, c, d, e };

struct npb_parameters : kernel_parameters {
    npb_class size = npb_class::a;
};
config::schema<npb_parameters> npb_fields();

}  // namespace sare::traffic
