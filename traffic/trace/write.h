// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"

#include <ostream>

namespace sare::traffic {

/// Writes a program in Sare's own format, an operation of every task in turn: replayed, it does the same. The
/// program is used up. Throws config::error where it has a mistake.
void write_trace(program& what, std::ostream& out);

}  // namespace sare::traffic
