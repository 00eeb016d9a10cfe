// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_directory.h"

namespace sare::cli {

/// State of a point of a sweep.
enum class point_state {
    waiting,  ///< has not begun
    running,  ///< is at work, or in a job of a cluster
    done,     ///< has a result
    failed,   ///< has failed, and would fail again
    lost,     ///< was killed from outside, and may succeed another time
    past      ///< not to be run: beyond the end of its curve, or another process runs it
};

class recorded_points;

/// States of the points of a sweep. Load curves run by ascending load and end with the second point that
/// saturates or deadlocks. With several points at a time a curve may run too far; results beyond its end are
/// dropped, so that the result of the sweep does not depend on where and in which order points run.
class sweep_points {
  public:
    /// Takes in the results of the directory. `ours`: numbers of the points that are to run, null: all;
    /// results of other points only show where their curves end. `recorded`: points that the store has are
    /// copied and not run, and each result is recorded; null: there is no store. All arguments but `ours`
    /// must outlive this object.
    sweep_points(const sweep_plan& plan, sweep_directory& directory,
                 const std::vector<std::size_t>* ours = nullptr, recorded_points* recorded = nullptr);

    const sweep_plan& plan() const { return m_plan; }           ///< plan of the sweep
    sweep_directory& directory() const { return m_directory; }  ///< directory of the results

    std::size_t size() const { return m_states.size(); }  ///< number of points of the plan
    /// Returns the state of a point, by its number.
    point_state operator[](std::size_t point) const { return m_states[point]; }
    /// Sets the state of a point, by its number.
    void set(std::size_t point, point_state s) { m_states[point] = s; }
    /// Takes in the result of point number `point` from the directory, and sets its state to `done`. Returns
    /// false, without a change, if there is no result (see sweep_directory::take()).
    bool take(std::size_t point);
    /// Drops the results beyond the ends of curves, and makes those points `past`.
    void cut_curves();

    /// Returns true if the point is before the end of its curve, as far as that end is known.
    bool wanted(std::size_t point) const;
    /// Returns the first point of a curve that waits and is before the curve's end; size() if there is none.
    std::size_t first_waiting(const std::vector<std::size_t>& curve) const;

    std::size_t count(point_state s) const;  ///< number of points in a state
    /// Returns the number of results that were found at the start, in the directory or in the store.
    std::size_t kept() const { return m_kept; }
    std::size_t finished() const { return count(point_state::done); }  ///< number of points with a result
    /// Returns the number of points that have failed or were lost.
    std::size_t failed() const { return count(point_state::failed) + count(point_state::lost); }
    std::size_t left() const;  ///< number of points that run, or wait and are wanted()
    /// Returns the fraction of this call's work that is done, in [0, 1]; 1 if there is no work. `parts`: sum
    /// of the fractions done of the running points.
    double fraction(double parts) const;

  private:
    const sweep_plan& m_plan;
    sweep_directory& m_directory;
    std::vector<point_state> m_states;
    std::size_t m_kept = 0;
    recorded_points* m_recorded;  ///< null: no store
};

}  // namespace sare::cli
