// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

namespace sare::cosim {

/// Test stand: a router that is built once, on which any traffic can be tried.
class stand {
  public:
    struct verdict {
        bool fails = false;
        cycle_t cycle = 0;  ///< cycle of the divergence; 0: there is none
        std::string text;   ///< what is wrong, a line; "": nothing
    };

    /// Builds the RTL unless the cache has it. `sources`, `old_sources`: see struct random_run. Throws
    /// rtl_error if it cannot be built, and config::error for an impossible place.
    stand(const router_setting& setting, const router_place& place, const std::string& sources,
          const std::string& old_sources);

    /// Runs the events of `c`, whose router and place are the stand's.
    verdict run(const pin_case& c) const;
    /// Runs random traffic by `seed`, `cycles` and `drains` of struct random_run; if that fails, sets packets
    /// and credits of `c` to its events.
    verdict draw(std::uint64_t seed, cycle_t cycles, bool drains, pin_case& c) const;

  private:
    verdict run(pin_traffic& traffic, const pair_run::length& cycles, pin_observer* sees) const;

    router_setting m_setting;
    surroundings m_at;
    std::shared_ptr<rtl_library> m_library, m_old;
};

}  // namespace sare::cosim
