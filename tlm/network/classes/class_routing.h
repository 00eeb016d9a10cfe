// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/class_vcs.h"
#include "tlm/routing/routing.h"

#include <memory>

/// Routing where message classes have different numbers of VCs, or share some (class_vcs), or have links of
/// their own.
namespace sare {

class class_links;

/// The routing function of `section` for each class: on the VCs of the class, and beside them, by the same
/// ways, on the shared ones. For each of these sets there must be as many VCs as the function needs, so that
/// each is free of deadlock by itself. With `links`, that of each class is made for the network that the
/// class sees. Throws config::error for a function that cannot be taken apart so.
std::unique_ptr<routing_function> make_class_routing(const config::value& section, const topology& map,
                                                     const class_vcs& shares,
                                                     const class_links* links = nullptr);

/// The same for the deadlock check: all classes at once, and VCs by their numbers at the port. `routing`, of
/// make_class_routing(), outlives it.
std::unique_ptr<routing_function> all_classes(const routing_function& routing, const class_vcs& shares);

}  // namespace sare
