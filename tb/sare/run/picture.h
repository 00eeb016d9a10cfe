// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <string>

namespace sare::cli {

/// A picture of the network as SVG, drawn by scripts/report from what a run would have written. config::error
/// at `at` for networks too large to see anything, and where the script fails.
std::string network_svg(const topology& map, const config::location& at);

}  // namespace sare::cli
