// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// Interface of an engine that may run the cycles of a network later than SystemC's time, as long as nobody
/// outside could tell.
class lagging_engine {
  public:
    /// Runs all cycles that have begun and were not run yet, the present one included. Call it before the
    /// state of the network is read.
    virtual void catch_up() = 0;
    /// Calls catch_up(), and from then on runs each cycle at its SystemC time, until the simulation ends.
    /// Call it before an observer is added.
    virtual void end_lag() = 0;

  protected:
    ~lagging_engine() = default;
};

}  // namespace sare
