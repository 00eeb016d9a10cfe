// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

namespace sare::cosim {

/// A test stand: one router in RTL, built once, on which any number of traffics are tried, each from reset.
class stand {
  public:
    /// Result of a trial.
    struct verdict {
        bool fails = false;  ///< true: there was a divergence or another error
        cycle_t cycle = 0;   ///< cycle of the divergence; 0: there was none
        std::string text;    ///< divergence or other error, as a line; empty: none
    };

    /// Builds the RTL unless the cache has it. `sources`, `old_sources`: as in random_run. Throws rtl_error
    /// if it cannot be built, and config::error for a place that is not in the grid.
    stand(const router_setting& setting, const router_place& place, const std::string& sources,
          const std::string& old_sources);

    /// Tries the events of `c`, which must have the router and place of the stand.
    verdict run(const pin_case& c) const;
    /// Tries the random traffic of `seed`; `cycles` and `drains`: see random_run. If it fails, sets packets
    /// and credits of `c` to those that were at the pins; else leaves `c` alone.
    verdict draw(std::uint64_t seed, cycle_t cycles, bool drains, pin_case& c) const;

  private:
    verdict run(pin_traffic& traffic, const pair_run::length& cycles, pin_observer* sees) const;

    router_setting m_setting;
    surroundings m_at;
    std::shared_ptr<rtl_library> m_library, m_old;
};

}  // namespace sare::cosim
