// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"
#include "traffic/program/program.h"

#include <memory>
#include <string>

namespace sare::traffic {

/// Returns a program whose operations are the events of a trace; throws config::error if it cannot be opened.
std::unique_ptr<program> recorded_program(const std::string& path, const std::string& format,
                                          const config::location& at = {});

}  // namespace sare::traffic
