// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare::cli {

/// Prints to stdout, in SystemVerilog, assertions about the pins of the router of library `file`: a module
/// NAME_rules, to be bound to the router. Numbers and NAME are those of the library's pins::router_facts.
/// Returns 0. Throws std::runtime_error if `file` does not exist or is no library with a pin adapter of this
/// version.
int print_assertions(const std::string& file);

}  // namespace sare::cli
