// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// Engine that may run cycles of a network later than SystemC's time, as long as nobody outside could tell.
class lagging_engine {
  public:
    /// Runs all cycles that have begun and were not run yet, the present one included. Call before the state
    /// of the network is read.
    virtual void catch_up() = 0;
    /// Does catch_up(), and from then on runs each cycle when its time comes. Call before an observer is
    /// added.
    virtual void end_lag() = 0;

  protected:
    ~lagging_engine() = default;
};

}  // namespace sare
