// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/saturate/combination.h"
#include "tb/sare/sweep/claimed_directory.h"

/// The combinations of a search for saturation at work in processes.
namespace sare::cli {

class combinations {
  public:
    /// Is given the row of each, as saturate_combination answers it, or {"problem": why}.
    using taker = std::function<void(std::size_t combination, const json& row)>;

    /// `which`: numbers of points of the plan. What was given must stay.
    combinations(const sweep_plan& plan, const std::vector<std::size_t>& which,
                 const claimed_directory& directory, const saturation_options& options,
                 const store_options& store);

    /// `processes`: at work at the same time. Networks that differ in more than traffic are elaborated in
    /// processes of their own, and their combinations forked.
    void run(std::size_t processes, const taker& take, const std::function<void(double)>& on_wait);

  private:
    json run_group(const std::vector<std::size_t>& points, std::size_t at_once,
                   const std::function<void(double)>& progress);

    const sweep_plan& m_plan;
    const claimed_directory& m_directory;
    const saturation_options& m_options;
    run_recorder m_recorder;
    std::vector<std::vector<std::size_t>> m_groups;  ///< points that share a network
};

}  // namespace sare::cli
