// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <optional>
#include <string>

/// Places of routers and links in pictures of a network.
namespace sare {

/// Place of a router in a picture. x grows to the right, y upwards; the nearest two routers of a network are
/// 1 apart.
struct spot {
    double x = 0, y = 0;  ///< place; unit: distance of the nearest two routers
    /// Number, from 0, of the group (such as plane, level or dragonfly group) that the router is in.
    std::uint32_t group = 0;
};

/// Places of routers and links in a picture of a network, computed when they are asked for. Pictures of
/// composite networks are made from the layouts of their parts.
class layout {
  public:
    virtual ~layout() = default;
    virtual spot of(router_id r) const = 0;  ///< place of a router, whose number is not checked
    /// Returns the direction of the stub at router r of the link that leaves it by port p, in degrees
    /// anticlockwise from the right. A link is drawn as two stubs if a straight line would cross other links.
    /// Returns nothing if the link is drawn whole.
    virtual std::optional<double> stub(router_id, port_id) const { return std::nullopt; }
    /// Returns the name of the group with this number (spot::group); "": the group has no name.
    virtual std::string group_name(std::uint32_t) const { return ""; }
};

}  // namespace sare
