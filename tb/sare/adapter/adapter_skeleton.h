// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/adapter/pin_netlist.h"

namespace sare::cli {

/// Returns the C++ text of an adapter for module `top` with these pins. What is guessed from names and shapes
/// of pins is marked CHECK.
std::string adapter_skeleton(const std::string& top, std::vector<module_pin> pins);

}  // namespace sare::cli
