// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// Interface of an engine that may run the cycles of a network later than SystemC's time, as long as nobody
/// outside could tell.
class lagging_engine {
  public:
    /// Runs all cycles that have begun and were not run yet. The present one is left out if the engine is
    /// still to be woken for it; it may be left out if sc_main calls at the very time at which it begins.
    /// Call before the state of the network is read.
    virtual void catch_up() = 0;
    /// Calls catch_up() and ends the present lag: the next cycle with work is run at its SystemC time. After
    /// it the engine may lag again, unless there is an observer by then. Does nothing if the engine does not
    /// lag. Call before an observer is added.
    virtual void end_lag() = 0;

  protected:
    ~lagging_engine() = default;
};

}  // namespace sare
