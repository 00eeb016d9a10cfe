// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class topology;

/// A router_model derives from this, too, if its kind is not for every network.
class router_purpose {
  public:
    virtual ~router_purpose() = default;
    /// The networks that it is for, as errors say it: "trees (kary_ntree, tree)".
    virtual std::string made_for() const = 0;
    /// True if `part`, a network or a level of the network `whole`, is one of those.
    virtual bool suits(const topology& whole, const topology& part) const = 0;
};

}  // namespace sare
