// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/network/foreign.h"

#include <string>

namespace sare::cli {

/// Interface of the routers of an experiment that are in RTL, made by make_rtl_routers().
class rtl_routers {
  public:
    virtual ~rtl_routers() = default;
    /// Returns the functions that make the routers, for the constructor of simulation.
    virtual foreign_maker maker() = 0;
    /// Returns, after the run, the first difference of RTL and model in one line; "" if there was none, or no
    /// RTL. Passes on the exception if a `final` block of the RTL fails.
    virtual std::string first_difference() = 0;
};

/// Makes the routers of `e` that are in RTL, if any, and says on a terminal when RTL must be built. `quick`:
/// true for RTL that is faster to build, and slower to run. Throws config::error, in a program without the
/// part `cosim`, if the experiment has RTL. The object is never deleted: see leave().
rtl_routers& make_rtl_routers(const experiment& e, bool quick = false);

}  // namespace sare::cli
