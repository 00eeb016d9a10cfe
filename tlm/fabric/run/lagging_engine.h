// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// Runs a network that may lag behind SystemC's time; who looks at it does so after catch_up(), who is to be
/// told of each cycle from now on joins after end_lag().
class lagging_engine {
  public:
    virtual void catch_up() = 0;
    virtual void end_lag() = 0;

  protected:
    ~lagging_engine() = default;
};

}  // namespace sare
