// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/saturate/combination.h"
#include "tb/sare/sweep/claimed_directory.h"

/// Runs the combinations of a search for saturation in processes.
namespace sare::cli {

/// The combinations of a search for saturation, which run in processes.
class combinations {
  public:
    /// Function that takes the row of a combination, as saturate_combination() returns it, or {"problem":
    /// why}.
    using taker = std::function<void(std::size_t combination, const json& row)>;

    /// `which`: numbers of the points of the plan that are run, at least one. `plan`, `directory` and
    /// `options` must outlive this object.
    combinations(const sweep_plan& plan, const std::vector<std::size_t>& which,
                 const claimed_directory& directory, const saturation_options& options,
                 const store_options& store);

    /// Runs all combinations, until all are done or a stop is requested. `processes`: largest number of
    /// processes at work at a time, at least 1. Networks that differ in more than traffic are elaborated in
    /// processes of their own, which fork for their combinations. `take` is called in this process, when a
    /// combination has ended. `on_wait` is called with the fraction done, 0 to 1, at least three times a
    /// second; may be empty.
    void run(std::size_t processes, const taker& take, const std::function<void(double)>& on_wait);

  private:
    json run_group(const std::vector<std::size_t>& points, std::size_t at_once,
                   const std::function<void(double)>& progress);

    const sweep_plan& m_plan;
    const claimed_directory& m_directory;
    const saturation_options& m_options;
    run_recorder m_recorder;
    std::vector<std::vector<std::size_t>> m_groups;  ///< numbers of the points that share a network, for each
                                                     ///< network
};

}  // namespace sare::cli
