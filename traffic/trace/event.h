// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/operation.h"

namespace sare::traffic {

/// One operation as a trace has it, whatever its format, and where.
struct event : operation {
    std::uint64_t number = 0;  ///< in its task, from 1
    int line = 0;              ///< in its file
};

}  // namespace sare::traffic
