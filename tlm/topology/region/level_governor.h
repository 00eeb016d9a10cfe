// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/chosen.h"

#include <cstdint>

/// Governors: policies that choose the clock and voltage of a domain by its load, interval by interval. A
/// policy is one file in governors/, or in a plugin, which registers it by name.
namespace sare {

class archive;

/// Load of a domain, as its governor sees it at the end of an interval.
struct domain_load {
    cycle_t now = 0;           ///< cycle of the network that begins
    std::uint32_t level = 0;   ///< present level
    std::uint32_t levels = 1;  ///< number of levels; 0 is the first of the list
    /// Share of the places of its routers' input buffers that hold flits now, in [0, 1].
    double occupancy = 0;
    /// Flits that its routers sent in the interval, over outputs and cycles of the domain's clock.
    double utilisation = 0;
};

/// The governor of one domain in one network.
class level_governor {
  public:
    /// Kind of these policies in texts; name of the default one.
    static constexpr const char *kind = "governor", *usual = "threshold";

    virtual ~level_governor() = default;
    /// Returns the level for the time to come, below load.levels.
    virtual std::uint32_t next_level(const domain_load& load) = 0;
    /// Writes or reads the state; by default there is none.
    virtual void serialize(archive& a) { (void)a; }
};

using level_governor_registry = config::registry<level_governor>;  ///< policies by name

}  // namespace sare
