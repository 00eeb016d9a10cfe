// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/run_recorder.h"
#include "tb/sare/sweep/sweep_directory.h"

namespace sare::cli {

class sweep_points;

/// Records the points of a sweep, and the sweep itself, in the user's store of runs. Without a store its
/// functions do nothing.
class recorded_points {
  public:
    /// Records the sweep as running. `directory` must outlive this object.
    recorded_points(const store_options& options, const sweep_directory& directory, const sweep_plan& plan);

    /// Copies the results of a point from the directory that the store has recorded for it, if this sweep's
    /// directory lacks them.
    void look_for(const sweep_point& p);
    /// Records a point, whose results are in the directory.
    void add(const sweep_point& p);
    /// Removes the record of the point with the number `point`.
    void forget(std::size_t point);
    /// Records the end of the sweep: exit status of the command, and numbers of points done and failed.
    void end(int status, const sweep_points& points);

  private:
    run_recorder m_recorder;
    const sweep_directory& m_directory;
    run_record m_sweep;
};

}  // namespace sare::cli
