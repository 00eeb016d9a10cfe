// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <string>

namespace sare::cli {

/// Returns a picture of the network as SVG, drawn by scripts/report from the tables that a run would write.
/// Throws config::error at `at` for networks too large to see anything, and if the script fails.
std::string network_svg(const topology& map, const config::location& at);

}  // namespace sare::cli
