// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observation.h"
#include "tlm/inside/packet_trace.h"

namespace sare {

/// The bits of trace_filter::kinds; throws config::error for a kind of event that there is not.
std::uint32_t event_kinds(const inside_params& p);

/// The filter that `observe` says. Throws config::error for routers, nodes and classes that the network has
/// not.
trace_filter filter_of(const observation_params& p, const fabric& net);

}  // namespace sare
