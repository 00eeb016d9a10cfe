// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/class_vcs.h"
#include "tlm/routing/routing.h"

#include <memory>

namespace sare {

class class_links;

/// Makes one routing function for all message classes, where they have different numbers of VCs, shared VCs
/// or links of their own: makes the function of `section` once for the VCs of each class and once for the
/// shared VCs, and offers the routes of both; route_header::vc_base tells the class. Each function must be
/// free of deadlock on its set of VCs by itself. With `links`, a class's function is made for the network
/// that the class sees. Throws config::error for functions that look at congestion, copy packets or are made
/// of others; with `links` also for shared VCs, and for all but table, shortest_path, up_down and
/// up_down_escape.
std::unique_ptr<routing_function> make_class_routing(const config::value& section, const topology& map,
                                                     const class_vcs& shares,
                                                     const class_links* links = nullptr);

/// Returns `routing`, from make_class_routing(), as the deadlock check wants it: every_header() gives a
/// header of each class, and candidates number VCs from VC 0 of the port, not from the first VC of the class.
/// `routing` must outlive the result; `shares` is copied.
std::unique_ptr<routing_function> all_classes(const routing_function& routing, const class_vcs& shares);

}  // namespace sare
