// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

namespace sare::cosim {

/// A router that is built once, on which any traffic can be tried.
class stand {
  public:
    /// Whether a trial has failed, and how.
    struct verdict {
        bool fails = false;
        cycle_t cycle = 0;  ///< cycle of the divergence; 0: there was none
        std::string text;   ///< what is wrong, as a line; empty: nothing
    };

    /// Builds the RTL unless the cache has it. `sources`, `old_sources`: as in random_run. Throws rtl_error
    /// if it cannot be built, and config::error for a place that is not in the grid.
    stand(const router_setting& setting, const router_place& place, const std::string& sources,
          const std::string& old_sources);

    /// Tries the events of `c`, which must have the router and place of the stand.
    verdict run(const pin_case& c) const;
    /// Tries the random traffic of a seed; `cycles` and `drains` are as in random_run. If that fails, sets
    /// packets and credits of `c` to what happened at the pins.
    verdict draw(std::uint64_t seed, cycle_t cycles, bool drains, pin_case& c) const;

  private:
    verdict run(pin_traffic& traffic, const pair_run::length& cycles, pin_observer* sees) const;

    router_setting m_setting;
    surroundings m_at;
    std::shared_ptr<rtl_library> m_library, m_old;
};

}  // namespace sare::cosim
