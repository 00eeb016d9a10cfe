// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/run_recorder.h"
#include "tb/sare/sweep/sweep_directory.h"

namespace sare::cli {

class sweep_points;

/// Records the points of a sweep, and the sweep itself, in the user's store of runs.
class recorded_points {
  public:
    recorded_points(const store_options& options, const sweep_directory& directory, const sweep_plan& plan);

    /// Copies the results of a point that the store has and the directory lacks.
    void look_for(const sweep_point& p);
    void add(const sweep_point& p);
    void forget(std::size_t point);
    /// Notes that the sweep has ended with an exit status.
    void end(int status, const sweep_points& points);

  private:
    run_recorder m_recorder;
    const sweep_directory& m_directory;
    run_record m_sweep;
};

}  // namespace sare::cli
