// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_directory.h"

namespace sare::cli {

enum class point_state {
    waiting,
    running,
    done,
    failed,  ///< would fail again
    lost,    ///< killed from outside
    past     ///< beyond the end of its curve, or not ours
};

class recorded_points;

/// State of the points of a sweep. Load curves run by ascending load and end with the second point that
/// saturates or deadlocks. With several points at a time a curve may run too far; those results are dropped,
/// so that the result does not depend on where and in which order points run.
class sweep_points {
  public:
    /// Takes in the results of the directory. `ours`: numbers of the only points that are to run, while
    /// others show where their curves end; null: all. `recorded`: points that the store has are copied and
    /// not run, and each result is recorded; null: no store. All arguments but `ours` must outlive this
    /// object.
    sweep_points(const sweep_plan& plan, sweep_directory& directory,
                 const std::vector<std::size_t>* ours = nullptr, recorded_points* recorded = nullptr);

    const sweep_plan& plan() const { return m_plan; }
    sweep_directory& directory() const { return m_directory; }

    std::size_t size() const { return m_states.size(); }
    point_state operator[](std::size_t point) const { return m_states[point]; }
    void set(std::size_t point, point_state s) { m_states[point] = s; }
    /// Takes in the result of a point, which is then done. Returns false if there is none (see
    /// sweep_directory::take()).
    bool take(std::size_t point);
    /// Drops the results beyond the ends of curves, and makes those points `past`.
    void cut_curves();

    /// True if the point is before the end of its curve, as far as that is known.
    bool wanted(std::size_t point) const;
    /// Returns the first point of a curve that is to run; size() if there is none.
    std::size_t first_waiting(const std::vector<std::size_t>& curve) const;

    std::size_t count(point_state s) const;      ///< number of points in a state
    std::size_t kept() const { return m_kept; }  ///< number of results found at the start, or in the store
    std::size_t finished() const { return count(point_state::done); }
    std::size_t failed() const { return count(point_state::failed) + count(point_state::lost); }
    std::size_t left() const;  ///< number of points that run, or wait and are wanted()
    /// Fraction of this call's work that is done, in [0, 1]. `parts`: sum of the fractions of running points.
    double fraction(double parts) const;

  private:
    const sweep_plan& m_plan;
    sweep_directory& m_directory;
    std::vector<point_state> m_states;
    std::size_t m_kept = 0;
    recorded_points* m_recorded;  ///< null: no store
};

}  // namespace sare::cli
