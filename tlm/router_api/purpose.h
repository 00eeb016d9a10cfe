// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class topology;

/// Suitability of a router kind that is not for every network: its router_model derives from this.
class router_purpose {
  public:
    virtual ~router_purpose() = default;
    /// Returns the networks that it is for, as errors name them: "trees (kary_ntree, tree)".
    virtual std::string made_for() const = 0;
    /// True if the kind is for `part`, a network or a level of the network `whole`.
    virtual bool suits(const topology& whole, const topology& part) const = 0;
};

}  // namespace sare
