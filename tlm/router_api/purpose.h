// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare {

class topology;

/// Interface of router kinds that are not for every network: the router_model of such a kind derives from
/// this class.
class router_purpose {
  public:
    virtual ~router_purpose() = default;
    /// Returns the networks that the kind is for, as errors name them: "trees (kary_ntree, tree)".
    virtual std::string made_for() const = 0;
    /// True if the kind is for `part`, which is the network `whole` or a level of it.
    virtual bool suits(const topology& whole, const topology& part) const = 0;
};

}  // namespace sare
