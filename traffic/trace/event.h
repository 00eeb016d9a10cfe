// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/operation.h"

namespace sare::traffic {

/// An operation of a task as it was read from a trace of any format, and where it was read.
struct event : operation {
    std::uint64_t number = 0;  ///< number of the event in its task, from 1
    int line = 0;              ///< line of the file, from 1; 0 in binary formats that have no lines
};

}  // namespace sare::traffic
