// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_directory.h"

namespace sare::cli {

enum class point_state {
    waiting,
    running,
    done,
    failed,  ///< by its own doing: it would fail again
    lost,    ///< killed from outside
    past     ///< behind the end of its curve, or not ours
};

class recorded_points;

/// How far the points of a sweep are. Load curves run by ascending load and end two points past saturation;
/// where several points run at a time a curve may run ahead, and what it ran too far is dropped again, so
/// that the result does not depend on where and in which order points run.
class sweep_points {
  public:
    /// Takes in the results that the directory has. With `ours`, only those points are to run; of the others
    /// it is known where their curves end.
    /// With `recorded`, what the store has is copied and not run, and each result is recorded.
    sweep_points(const sweep_plan& plan, sweep_directory& directory,
                 const std::vector<std::size_t>* ours = nullptr, recorded_points* recorded = nullptr);

    const sweep_plan& plan() const { return m_plan; }
    sweep_directory& directory() const { return m_directory; }

    std::size_t size() const { return m_states.size(); }
    point_state operator[](std::size_t point) const { return m_states[point]; }
    void set(std::size_t point, point_state s) { m_states[point] = s; }
    /// Takes in the result of a point, which is done then; false where there is none that is good.
    bool take(std::size_t point);
    /// Drops results behind the ends of curves.
    void cut_curves();

    /// Its curve still reaches it.
    bool wanted(std::size_t point) const;
    /// The first of a curve that is to run; size() where there is none.
    std::size_t first_waiting(const std::vector<std::size_t>& curve) const;

    std::size_t count(point_state s) const;
    std::size_t kept() const { return m_kept; }  ///< results found in the directory
    std::size_t finished() const { return count(point_state::done); }
    std::size_t failed() const { return count(point_state::failed) + count(point_state::lost); }
    std::size_t left() const;  ///< points that wait, those running included
    /// Of the work since the start; `parts` is what those that run have done, in points.
    double fraction(double parts) const;

  private:
    const sweep_plan& m_plan;
    sweep_directory& m_directory;
    std::vector<point_state> m_states;
    std::size_t m_kept = 0;
    recorded_points* m_recorded;  ///< null: of no store
};

}  // namespace sare::cli
