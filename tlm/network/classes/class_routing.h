// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/class_vcs.h"
#include "tlm/routing/routing.h"

#include <memory>

/// Routing where message classes have different numbers of VCs, shared VCs (class_vcs), or links of their
/// own.
namespace sare {

class class_links;

/// Makes the routing function of `section` for each class: on the VCs of the class and, by the same routes,
/// on the shared ones. Each of these sets has as many VCs as the function needs, so that it is free of
/// deadlock by itself. With `links`, a class's function is made for the network that the class sees. Throws
/// config::error for a function that cannot be split like this.
std::unique_ptr<routing_function> make_class_routing(const config::value& section, const topology& map,
                                                     const class_vcs& shares,
                                                     const class_links* links = nullptr);

/// Returns the function for the deadlock check: all classes at once, VCs by their numbers at the port.
/// `routing`, from make_class_routing(), must outlive it.
std::unique_ptr<routing_function> all_classes(const routing_function& routing, const class_vcs& shares);

}  // namespace sare
