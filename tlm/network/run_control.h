// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/state/checkpoint.h"

#include <csignal>
#include <cstdint>
#include <functional>
#include <string>

namespace sare {

/// Progress of a run, for a display.
struct progress {
    std::uint64_t cycle = 0;  ///< present cycle
    double done = 0;          ///< fraction in [0, 1]; negative: unknown
    const char* phase = "";   ///< warm-up, converging, measuring, running
};

/// The times at which the state of a run is written; both rules may apply.
struct checkpoint_rule {
    std::uint64_t cycles = 0;  ///< written before each cycle that is a multiple of this; 0: not by cycles
    double seconds = 0;        ///< seconds since the last checkpoint; 0: not by time
};

/// Connections of a run to the outside.
struct run_control {
    std::function<void(const progress&)> on_progress;  ///< called at most five times a second
    const volatile std::sig_atomic_t* stop = nullptr;  ///< becomes non-zero: end now, with partial results
    std::string folder{};                              ///< folder for files, see host_services
    std::function<void(const std::string&)> warn = [](const std::string&) {};  ///< see host_services
    std::function<void(const std::string&)> show = [](const std::string&) {};  ///< see host_services
    /// Writes the state of the run before cycle `cycle`, also when the run is stopped; null: it is never
    /// written.
    std::function<void(cycle_t cycle, const state_function& state)> keep{};
    checkpoint_rule checkpoints{};
    /// Checkpoint, of the same experiment, that the run continues from; null: it begins.
    checkpoint* resume = nullptr;
    /// Called before cycle 0, and then before each cycle that it last returned, with the cycle and the state
    /// of the run; null: the run never pauses. Returns the next cycle, later than this one, to pause before.
    std::function<cycle_t(cycle_t cycle, const state_function& state)> pause{};
    /// True if the simulation outlives its result, which then need not keep the figures of places.
    bool outlives_result = false;
};

}  // namespace sare
