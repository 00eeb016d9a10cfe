// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Files with the number of spikes that each process emits in each step.
namespace sare::traffic {

class spike_counts {
  public:
    static constexpr std::uint32_t most_spikes = 10000000;   ///< limit on the spikes of a process in a step
    static constexpr std::uint64_t most_counts = 100000000;  ///< limit on the counts of a file
    /// Throws config::error at `at` if steps * tasks is above most_counts.
    static void check_size(const config::location& at, std::uint64_t steps, std::uint32_t tasks);

    /// Reads lines 'step,task,spikes', with a header; a pair without a line has no spikes. Throws
    /// config::error at `at` if the file cannot be read or ends before `steps`, else at the line.
    spike_counts(const config::location& at, const std::string& folder, const std::string& file,
                 std::uint64_t steps, std::uint32_t tasks);

    /// Returns the number of spikes of each process in a step, from 0.
    std::vector<std::uint32_t> of(std::uint64_t step) const;

  private:
    std::uint32_t m_tasks;
    std::vector<std::uint32_t> m_all;  ///< counts of step 0, step 1, ...
};

/// Returns the text of such a file. `counts`: returns the number of spikes of each process in a step.
std::string spike_table(std::uint64_t steps,
                        const std::function<std::vector<std::uint32_t>(std::uint64_t step)>& counts);

}  // namespace sare::traffic
