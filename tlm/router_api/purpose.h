// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class topology;

/// Interface of router kinds that only some networks can use: the router_model of such a kind derives from
/// this class.
class router_purpose {
  public:
    virtual ~router_purpose() = default;
    /// Returns the networks that the kind is for, as errors name them: "trees (kary_ntree, tree)".
    virtual std::string made_for() const = 0;
    /// True if the kind can be used in `part`, which is the network `whole` itself or a level of it
    /// (topology::part).
    virtual bool suits(const topology& whole, const topology& part) const = 0;
};

}  // namespace sare
