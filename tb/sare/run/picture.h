// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <string>

namespace sare::cli {

/// Returns a picture of the network as SVG, drawn by scripts/report from the tables that a run would write.
/// Throws config::error at `at` for a network too large for a picture (more than 4096 routers, or 32,768
/// channels between routers), and config::error if the script fails.
std::string network_svg(const topology& map, const config::location& at);

}  // namespace sare::cli
