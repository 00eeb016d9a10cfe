// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// Engine that may run cycles of a network later than SystemC's time, as long as nobody outside could tell.
class lagging_engine {
  public:
    /// Runs all cycles that are over. Call before the state of the network is read.
    virtual void catch_up() = 0;
    /// Runs all cycles that are over, and each later one in its time. Call before an observer is added.
    virtual void end_lag() = 0;

  protected:
    ~lagging_engine() = default;
};

}  // namespace sare
