// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// A kind of router that says how fast it is at most: a router_model of such a kind is one of these, too.
class least_latency {
  public:
    virtual ~least_latency() = default;
    /// Cycles that any head takes through one at least.
    virtual std::uint32_t least_head_cycles() const = 0;
};

}  // namespace sare
