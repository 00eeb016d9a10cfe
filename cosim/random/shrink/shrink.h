// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

namespace sare::cosim {

/// The smallest case to which a failing random run was reduced.
struct shrunk_case {
    /// The smallest case that fails.
    pin_case smallest;
    std::string problem;  ///< difference or problem of `smallest`, as a line
    /// Cycle of the divergence of `smallest`, or of its last event if it fails without one.
    std::uint64_t cycles = 0;
    std::uint32_t builds = 0, runs = 0;  ///< number of routers whose RTL was built, and number of runs
    bool complete = false;               ///< true: nothing more can be left out; false: the time was up
};

/// Reduces the failing run of `what` (its seed, cycles, most_vcs, drains and sources count) to a case that
/// still fails, in about `seconds` seconds of real time: first the traffic, then the parameters of the
/// router, which is built for each attempt, then single events. With enough time the result is always the
/// same. Returns nothing if the run does not fail with RTL compiled by rtl_speed::quick. Calls `on_step`
/// after each step with a line on the progress; empty: not called.
std::optional<shrunk_case> shrink(const random_run& what, double seconds,
                                  const std::function<void(const std::string&)>& on_step = {});

}  // namespace sare::cosim
