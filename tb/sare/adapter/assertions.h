// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare::cli {

/// Prints assertions about the pins of the router of library `file`, by its facts: a module NAME_rules in
/// SystemVerilog, to be bound to the router. Returns the exit status. Throws std::runtime_error if `file` is
/// no library with a pin adapter.
int print_assertions(const std::string& file);

}  // namespace sare::cli
