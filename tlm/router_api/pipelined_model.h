// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// A kind of router that tells of its pipeline: a router_model of such a kind is one of these, too.
class pipelined_model {
  public:
    virtual ~pipelined_model() = default;
    /// Cycles that any head takes through one at least.
    virtual std::uint32_t least_head_cycles() const = 0;
    /// Run from lists it costs a lone flit one step a router, not one a cycle.
    virtual bool foresees_from_lists() const = 0;
};

}  // namespace sare
