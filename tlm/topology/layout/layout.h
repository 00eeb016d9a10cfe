// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <optional>
#include <string>

/// Where pictures of a network have its routers and links.
namespace sare {

/// x grows to the right, y upwards; the nearest two routers of a network are 1 apart.
struct spot {
    double x = 0, y = 0;
    std::uint32_t group = 0;  ///< planes, levels, groups of a dragonfly, from 0
};

/// A topology's answers, worked out when asked for. One made of networks can place the pictures of these by
/// what their places span.
class layout {
  public:
    virtual ~layout() = default;
    virtual spot of(router_id r) const = 0;
    /// Links that a straight line would lead across others are drawn as two stubs, one at each end: degrees,
    /// anticlockwise from the right, in which that of (r, p) leaves. Absent: the link is drawn whole.
    virtual std::optional<double> stub(router_id, port_id) const { return std::nullopt; }
    /// "" where there is nothing to say.
    virtual std::string group_name(std::uint32_t) const { return ""; }
};

}  // namespace sare
