// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/operation.h"

namespace sare::traffic {

/// An operation of a trace of any format, with its place.
struct event : operation {
    std::uint64_t number = 0;  ///< number in its task, from 1
    int line = 0;              ///< number of the line in its file
};

}  // namespace sare::traffic
