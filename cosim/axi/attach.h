// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/network_run.h"

namespace sare::axi {

/// Returns the AXI nodes that the section `cosim` of an experiment names: bridges, NICs, clock, and what is
/// at their pins. `collect`: errors are stored for first_divergence(), and do not end the run. Builds nothing
/// yet: making the network does, and throws config::error if these and the network do not fit.
std::unique_ptr<cosim::attached_parts> attach(const experiment& e, cosim::rtl_speed speed, bool collect);

}  // namespace sare::axi
