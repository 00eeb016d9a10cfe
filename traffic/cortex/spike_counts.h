// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sare::traffic {

/// The number of spikes that each process emits in each step of a simulation, read from a file of
/// comma-separated values.
class spike_counts {
  public:
    static constexpr std::uint32_t most_spikes = 10000000;   ///< largest number of spikes of a process in a
                                                             ///< step
    static constexpr std::uint64_t most_counts = 100000000;  ///< largest number of steps times processes
    /// Throws config::error at `at` if steps * tasks is above most_counts. `tasks`: number of processes.
    static void check_size(const config::location& at, std::uint64_t steps, std::uint32_t tasks);

    /// Reads lines 'step,task,spikes' of whole numbers, step and task from 0; a first line 'step,task,spikes'
    /// is a header. A process and step without a line have no spikes; lines of step `steps` and later ones
    /// are skipped. Throws config::error at `at` if the file cannot be read, has no line of step `steps` - 1,
    /// or check_size() fails; at the line if it is malformed, repeats a process and step, or exceeds a limit.
    spike_counts(const config::location& at, const std::string& folder, const std::string& file,
                 std::uint64_t steps, std::uint32_t tasks);

    /// Returns the number of spikes of each process in `step`, which must be below the constructor's `steps`
    /// (not checked).
    std::vector<std::uint32_t> of(std::uint64_t step) const;

  private:
    std::uint32_t m_tasks;
    std::vector<std::uint32_t> m_all;  ///< counts of step 0, step 1, ...
};

/// Returns the text of a file that spike_counts reads, with a header, for steps 0 to `steps` - 1. `counts`:
/// returns the number of spikes of each process in a step.
std::string spike_table(std::uint64_t steps,
                        const std::function<std::vector<std::uint32_t>(std::uint64_t step)>& counts);

}  // namespace sare::traffic
