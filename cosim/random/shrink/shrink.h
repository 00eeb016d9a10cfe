// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

namespace sare::cosim {

/// Result of shrinking a failing random router.
struct shrunk_case {
    pin_case smallest;
    std::string problem;       ///< difference that was found
    std::uint64_t cycles = 0;  ///< cycles until it differs
    std::uint32_t builds = 0, runs = 0;
    bool complete = false;  ///< true: nothing more can be left out; false: the time was over
};

/// Reduces the failing run of `what` (seed, cycles, most_vcs, sources) to the smallest case that still fails,
/// in about `seconds`: first its traffic, then the parameters of its router, each of which is built, then its
/// traffic event by event. With enough time the result is always the same. Nothing if it does not fail with
/// RTL compiled fast. `on_step` is told the progress at times.
std::optional<shrunk_case> shrink(const random_run& what, double seconds,
                                  const std::function<void(const std::string&)>& on_step = {});

}  // namespace sare::cosim
