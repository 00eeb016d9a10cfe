// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep_plan.h"

#include <filesystem>

/// The directory of a sweep: sweep.json says which sweep, points/NNN hold its results, sweep.csv a row for
/// each.
namespace sare::cli {

class sweep_directory {
  public:
    /// Makes the directory or finds the same sweep in it; config::error, with nothing touched, for any other
    /// content.
    sweep_directory(std::filesystem::path where, const sweep_plan& plan);

    const std::filesystem::path& path() const { return m_where; }
    std::filesystem::path point_path(std::size_t point) const;
    /// Takes in the result of a point; false where there is none or it is of another configuration or
    /// version.
    bool take(std::size_t point);
    /// Removes the result of a point.
    void drop(std::size_t point);
    /// The status of each point; "" without a result.
    const std::vector<std::string>& status() const { return m_status; }
    /// Removes what points that were killed have left half done.
    void clean() const;
    /// sweep.csv with a row for each result taken in so far.
    void write_table() const;
    /// The same for people.
    std::string text() const;

  private:
    void claim();
    std::vector<std::vector<std::string>> rows(bool for_people) const;

    std::filesystem::path m_where;
    const sweep_plan& m_plan;
    std::vector<std::string> m_status;
    std::vector<json> m_summaries;  ///< without their configuration; null without a result
};

}  // namespace sare::cli
