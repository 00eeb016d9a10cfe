// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/region/clock_levels.h"
#include "tlm/topology/topology.h"

#include <memory>
#include <string>
#include <vector>

namespace sare {

/// An entry of the section 'domains': routers and NICs with a clock and a supply voltage of their own.
struct region_params : level_params, level_changes {
    std::string name;            ///< key of the entry
    config::number_set routers;  ///< routers of the domain; empty: none
    /// Coordinates of two opposite corners on a grid, whose routers belong to the domain; empty: none.
    std::vector<std::vector<std::uint32_t>> rectangle;
    /// Nodes whose NICs belong to the domain, beside the nodes of its routers; empty: none.
    config::number_set nodes;
    /// Number of flip-flops in a row through which routers and NICs of the domain see flits and credits from
    /// routers and NICs of other clocks.
    std::uint32_t synchroniser = 2;

    static config::schema<region_params> fields();  ///< schema of the keys of an entry
    /// Returns the entries of the section 'domains' in their order; none if it is null. Throws config::error
    /// for a wrong entry.
    static std::vector<region_params> read(const config::value& section);
    /// Returns the region of this entry in a network whose cycles take `clock_seconds` s. Throws
    /// config::error for clocks or changes that cannot be.
    clock_region region(double clock_seconds) const;
};

/// Returns `map` with the regions of `section`, a section 'domains' or null; `map` itself if there are none.
/// `from`: network cycle; topology::clock() is then the fastest clock that a region may have from this cycle
/// on. Throws config::error for routers and nodes that do not exist or are in two domains, and for a `map`
/// with clocks of its own.
std::unique_ptr<topology> with_regions(std::unique_ptr<topology> map, const config::value& section,
                                       double clock_seconds, cycle_t from = 0);
/// Returns the regions of a network's routers and NICs, each once, in the order of the lowest router, then of
/// the lowest node; empty: there are none. Valid as long as `map`.
std::vector<const clock_region*> regions_of(const topology& map);

}  // namespace sare
