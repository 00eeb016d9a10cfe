// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/adapter/pin_netlist.h"

namespace sare::cli {

/// Returns the C++ text of a pin adapter for module `top` with the pins `pins`. Lines that are guessed from
/// names and shapes of pins are marked CHECK.
std::string adapter_skeleton(const std::string& top, std::vector<module_pin> pins);

}  // namespace sare::cli
