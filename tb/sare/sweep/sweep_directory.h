// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/claimed_directory.h"
#include "tb/sare/sweep/sweep_plan.h"

#include <filesystem>

namespace sare::cli {

class sweep_failures;

/// The directory of a sweep: sweep.json identifies the sweep, points/NNN hold the results of its points, and
/// sweep.csv has a row for each result.
class sweep_directory {
  public:
    /// Part that this process has in the work on the directory.
    enum class part {
        owner,  ///< makes the directory, and keeps its tables; there is one at a time
        member  ///< is a job that the owner has submitted, and adds points
    };

    /// Makes the directory, or finds the results of this sweep in it. Throws config::error, without a change,
    /// if it has any other content or another owner is at work; for a member also if it is missing or empty.
    /// `plan` must outlive this object.
    sweep_directory(std::filesystem::path where, const sweep_plan& plan, part role = part::owner);

    const std::filesystem::path& path() const { return m_claim.path(); }  ///< the directory
    /// Returns the folder of a point, DIR/points/NNN.
    std::filesystem::path point_path(std::size_t point) const;
    /// Reads the result of point number `point` from the directory, for the tables. Returns false if there is
    /// none, or it cannot be read, was interrupted, or has another configuration or version.
    bool take(std::size_t point);
    /// Removes the result of a point, also from the disk.
    void drop(std::size_t point);
    /// Returns the status of each point, by its number, as in summary.json; "" if it has no result.
    const std::vector<std::string>& status() const { return m_status; }
    /// Removes the unfinished results that killed points have left, if this is the owner.
    void clean() const;
    /// Writes, if this is the owner, sweep.csv with a row for each result so far and, with several seeds,
    /// seeds.csv; and columns.json, if it is missing.
    void write_table() const;
    /// Writes, if this is the owner, failed.csv with a row for each reason; removes it if no point has
    /// failed.
    void write_failures(const sweep_failures& failures) const;
    /// Returns the table of the results so far, for people.
    std::string text() const;

  private:
    void claim();

    claimed_directory m_claim;
    const sweep_plan& m_plan;
    part m_role;
    std::vector<std::string> m_status;
    std::vector<json> m_summaries;  ///< summaries of the points without their configuration and batches, by
                                    ///< number; null: no result
};

}  // namespace sare::cli
