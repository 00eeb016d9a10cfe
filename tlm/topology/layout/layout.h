// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <optional>
#include <string>

/// Places of routers and links in pictures of a network.
namespace sare {

/// Place of a router. x grows to the right, y upwards; the nearest two routers of a network are 1 apart.
struct spot {
    double x = 0, y = 0;
    std::uint32_t group = 0;  ///< number, from 0, of its plane, level or dragonfly group
};

/// Layout of a topology, computed when it is asked for. Pictures of composite networks are made from the
/// layouts of their parts.
class layout {
  public:
    virtual ~layout() = default;
    virtual spot of(router_id r) const = 0;  ///< place of a router
    /// Direction of the stub of the link at (r, p), in degrees anticlockwise from the right, if the link is
    /// drawn as two stubs because a straight line would cross others. None: it is drawn whole.
    virtual std::optional<double> stub(router_id, port_id) const { return std::nullopt; }
    /// Name of the group with number spot::group; "": it has none.
    virtual std::string group_name(std::uint32_t) const { return ""; }
};

}  // namespace sare
