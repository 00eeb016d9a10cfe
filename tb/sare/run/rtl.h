// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/network/foreign.h"

#include <string>

namespace sare::cli {

/// The routers of an experiment that are in RTL.
class rtl_routers {
  public:
    virtual ~rtl_routers() = default;
    virtual foreign_maker maker() = 0;  ///< for the composer of the network
    /// After the run: where RTL and model differed first, in a line; "" if they did not. A `final` block of
    /// the RTL that fails throws.
    virtual std::string first_difference() = 0;
};

/// Says so on a terminal when RTL has to be built first. `quick`: built sooner, and slower to run. In a
/// program without the part `cosim` an experiment with RTL is an error. Never deleted: see leave().
rtl_routers& make_rtl_routers(const experiment& e, bool quick = false);

}  // namespace sare::cli
