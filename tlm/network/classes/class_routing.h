// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/class_vcs.h"
#include "tlm/routing/routing.h"

#include <memory>

namespace sare {

class class_links;

/// Makes one routing function for all message classes, for networks whose classes have different numbers of
/// VCs, shared VCs or links of their own. The function of `section` is made once for the VCs of each class
/// and once for the shared VCs; a packet, whose class follows from route_header::vc_base, gets the candidates
/// of both functions. Each function must be free of deadlock on its set of VCs by itself. With `links`, the
/// function of a class is made for the network that the class sees; null: all classes see all of `map`.
/// Throws config::error for functions that look at congestion, copy packets or are made of others
/// (hierarchical, planes); with `links` also for shared VCs, and for all but table, shortest_path, up_down
/// and up_down_escape.
std::unique_ptr<routing_function> make_class_routing(const config::value& section, const topology& map,
                                                     const class_vcs& shares,
                                                     const class_links* links = nullptr);

/// Returns `routing`, from make_class_routing(), in the form for the deadlock check: every_header() gives
/// headers of all classes, and candidates number VCs from VC 0 of the port, not from the first VC of the
/// class. `routing` must outlive the result; `shares` is copied.
std::unique_ptr<routing_function> all_classes(const routing_function& routing, const class_vcs& shares);

}  // namespace sare
