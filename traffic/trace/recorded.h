// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"
#include "traffic/program/program.h"

#include <memory>
#include <string>

namespace sare::traffic {

/// Returns a program whose operations are the events of the trace at `path`. `format`: name of a trace
/// format, or "auto"; `at`: place in the configuration, for errors. Throws config::error if the trace cannot
/// be opened (open_trace()); next() of the program throws it for a malformed event.
std::unique_ptr<program> recorded_program(const std::string& path, const std::string& format,
                                          const config::location& at = {});

}  // namespace sare::traffic
