// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/kernel/kernel.h"

namespace sare::traffic {

/// Class of the problem size of a NAS Parallel Benchmark, S to E; each benchmark has its own sizes.
enum class npb_class { s, w, a, b, c, d, e };

struct npb_parameters : kernel_parameters {
    npb_class size = npb_class::a;
};
config::schema<npb_parameters> npb_fields();

}  // namespace sare::traffic
