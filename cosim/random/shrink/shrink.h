// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

namespace sare::cosim {

/// Result of shrinking a failing random router.
struct shrunk_case {
    pin_case smallest;
    std::string problem;                 ///< what is wrong in the smallest case
    std::uint64_t cycles = 0;            ///< cycle of its divergence
    std::uint32_t builds = 0, runs = 0;  ///< numbers of routers built, and of runs
    bool complete = false;               ///< true: nothing more can be left out; false: the time was over
};

/// Reduces the failing run of `what` (seed, cycles, most_vcs, sources) to the smallest case that still fails,
/// in about `seconds` seconds: first its traffic, then the parameters of its router, which is built for each
/// try, then its traffic event by event. With enough time the result is always the same. Returns nothing if
/// the run does not fail with RTL of rtl_speed::quick. Calls `on_step` at times with the progress, a line.
std::optional<shrunk_case> shrink(const random_run& what, double seconds,
                                  const std::function<void(const std::string&)>& on_step = {});

}  // namespace sare::cosim
