// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"
#include "traffic/program/program.h"

#include <ostream>

namespace sare::traffic {

/// Writes a program in Sare's own format, an operation of every task in turn: replayed, it does the same. The
/// program is used up. Throws config::error, at `where`, for what the format has no words for: wildcards,
/// communicators, names of collectives, operations out of sequence.
void write_trace(program& what, const config::location& where, std::ostream& out);

}  // namespace sare::traffic
