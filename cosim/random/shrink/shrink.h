// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_case.h"

namespace sare::cosim {

/// What a failing random router has come down to.
struct shrunk_case {
    pin_case smallest;
    std::string problem;       ///< what differs in it
    std::uint64_t cycles = 0;  ///< until it does
    std::uint32_t builds = 0, runs = 0;
    bool complete = false;  ///< nothing more can be left out; else the time was over
};

/// Reduces the failing run of `what` (seed, cycles, most_vcs, sources) to the smallest case that still fails,
/// in about so many seconds: first its traffic, then its router's parameters, each of which is built, then
/// its traffic to the event. With time enough the same run gives the same case. Nothing if it does not fail
/// with RTL that is compiled quickly. `on_step` is told now and then how far it is.
std::optional<shrunk_case> shrink(const random_run& what, double seconds,
                                  const std::function<void(const std::string&)>& on_step = {});

}  // namespace sare::cosim
