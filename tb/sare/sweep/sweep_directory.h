// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/claimed_directory.h"
#include "tb/sare/sweep/sweep_plan.h"

#include <filesystem>

/// The directory of a sweep: sweep.json says which sweep, points/NNN hold its results, sweep.csv a row for
/// each.
namespace sare::cli {

class sweep_failures;

class sweep_directory {
  public:
    enum class part {
        owner,  ///< makes the directory, and keeps its table; there is one at a time
        member  ///< a job of the owner's: adds points
    };

    /// Makes the directory or finds the same sweep in it; config::error, with nothing touched, for any other
    /// content, or where another owner is at work.
    sweep_directory(std::filesystem::path where, const sweep_plan& plan, part role = part::owner);

    const std::filesystem::path& path() const { return m_claim.path(); }
    std::filesystem::path point_path(std::size_t point) const;
    /// Takes in the result of a point; false where there is none or it is of another configuration or
    /// version.
    bool take(std::size_t point);
    /// Removes the result of a point.
    void drop(std::size_t point);
    /// The status of each point; "" without a result.
    const std::vector<std::string>& status() const { return m_status; }
    /// Removes what points that were killed have left half done, if it is the owner's.
    void clean() const;
    /// sweep.csv with a row for each result taken in so far and, of several seeds, seeds.csv, if it is the
    /// owner's.
    void write_table() const;
    /// failed.csv, with a row for each reason; removes it where no point has failed.
    void write_failures(const sweep_failures& failures) const;
    /// The same for people.
    std::string text() const;

  private:
    void claim();

    claimed_directory m_claim;
    const sweep_plan& m_plan;
    part m_role;
    std::vector<std::string> m_status;
    std::vector<json> m_summaries;  ///< without their configuration; null without a result
};

}  // namespace sare::cli
