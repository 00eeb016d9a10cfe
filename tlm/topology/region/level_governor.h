// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/chosen.h"

#include <cstdint>

/// Governors: policies that choose the clock and voltage of a clock domain by its load, interval by interval.
/// Each policy is a source file in governors/, or in a plugin, which registers it by name.
namespace sare {

class archive;

/// Load of a domain, as its governor sees it at the end of an interval.
struct domain_load {
    cycle_t now = 0;           ///< network cycle that begins now
    std::uint32_t level = 0;   ///< present level, an index in clock_region::levels
    std::uint32_t levels = 1;  ///< number of levels; level 0 is the level of the start
    /// Share of the places of its routers' input buffers that hold flits now, in [0, 1]; 0: no places.
    double occupancy = 0;
    /// Flits that its routers sent in the interval, divided by the number of their outputs and by the cycles
    /// of the domain's clock; 0: no cycles.
    double utilisation = 0;
};

/// The governor of one domain in one network.
class level_governor {
  public:
    /// Kind of these policies in texts; name of the default policy.
    static constexpr const char *kind = "governor", *usual = "threshold";

    virtual ~level_governor() = default;
    /// Returns the level from now on; called at the end of each interval (clock_region::interval). A level
    /// not below load.levels ends the run with std::logic_error.
    virtual std::uint32_t next_level(const domain_load& load) = 0;
    /// Writes or reads the state; by default there is none.
    virtual void serialize(archive& a) { (void)a; }
};

using level_governor_registry = config::registry<level_governor>;  ///< policies by name

}  // namespace sare
