// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// Highest rates of the switch of a router, in flits a cycle of its clock, on average over many cycles.
struct switch_rates {
    double per_output = 1;  ///< most flits a cycle to one output
    double per_vc = 1;      ///< most flits a cycle from one input VC
};

/// Interface of pipelined router kinds: the router_model of such a kind derives from this class.
class pipelined_model {
  public:
    virtual ~pipelined_model() = default;
    /// Returns the fewest cycles of the router's clock that any head takes through the router, input_delay
    /// (router_terms) not counted.
    virtual std::uint32_t least_head_cycles() const = 0;
    /// Returns the highest rates of the switch; by default 1 and 1.
    virtual switch_rates rates() const { return {}; }
    /// True if a flit that is alone in the network is simulated with one call of each router on its route,
    /// not with one call in each cycle. It concerns networks of network_scale::large and huge only.
    virtual bool foresees_from_lists() const = 0;
};

}  // namespace sare
