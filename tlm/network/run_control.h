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
    std::uint64_t cycle = 0;  ///< first cycle that has not been run
    double done = 0;          ///< fraction in [0, 1]; negative: unknown
    const char* phase = "";   ///< "warm-up", "converging", "measuring" or "running" (to completion)
};

/// The times at which the state of a run is written; both rules may apply at once.
struct checkpoint_rule {
    /// The state is written before each cycle that is a multiple of this number; 0: not by cycles. Left out
    /// are cycle 0, the cycle from which a run is resumed, and cycles after the end of the workload.
    std::uint64_t cycles = 0;
    /// The state is written when so many seconds of wall-clock time have passed since it was last written, or
    /// since the run was begun or resumed; 0: not by time.
    double seconds = 0;
};

/// Connections of a run with its caller: progress, warnings, checkpoints, stopping.
struct run_control {
    std::function<void(const progress&)> on_progress;  ///< called at most five times a second; empty: never
    /// Flag that the run reads a few times a second; if it is not zero, the run ends with partial results.
    /// Null: nothing stops the run.
    const volatile std::sig_atomic_t* stop = nullptr;
    std::string folder{};  ///< folder for files that the workload writes during the run; "": there is none
    /// Prints a warning of one line.
    std::function<void(const std::string&)> warn = [](const std::string&) {};
    /// Shows a line on the progress display, such as what the workload waits for.
    std::function<void(const std::string&)> show = [](const std::string&) {};
    /// Writes the state of the run before cycle `cycle`: at the times of `checkpoints`, and when the run is
    /// stopped. Empty: the state is never written.
    std::function<void(cycle_t cycle, const state_function& state)> keep{};
    checkpoint_rule checkpoints{};
    /// Checkpoint of the same experiment from which the run continues; null: the run begins at cycle 0.
    checkpoint* resume = nullptr;
    /// Pauses the run: called before the first cycle that is run (0, or the cycle of `resume`), and then
    /// before the cycle that it returned last, with that cycle and the state of the run. Returns a later
    /// cycle, the next to pause before. Empty: the run never pauses.
    std::function<cycle_t(cycle_t cycle, const state_function& state)> pause{};
    /// True if the simulation lives longer than the result of its run, so that the result need not copy the
    /// figures of links, routers and nodes.
    bool outlives_result = false;
};

}  // namespace sare
