// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_plan.h"

namespace sare::cli {

/// Results of a sweep as rows of text: for CSV files, and for people.
class sweep_table {
  public:
    /// `status`: status of each point, by number; "" without a result. `summaries`: summary of each point, by
    /// number. All arguments must outlive this object.
    sweep_table(const sweep_plan& plan, const std::vector<std::string>& status,
                const std::vector<json>& summaries);

    using rows = std::vector<std::vector<std::string>>;  ///< cells, row by row
    /// Returns a header and a row for each point with a result.
    rows points() const { return rows_of_points(false); }
    /// Returns true if points differ in the seed, so that figures have means over it.
    bool has_seeds() const { return m_seed_axis < m_plan.axes.size(); }
    /// Returns a header and a row for each set of points that differ only in the seed: means, each with half
    /// the width of its 95% confidence interval. Call it only with has_seeds().
    rows seeds() const { return rows_of_seeds(false); }
    /// Returns the meanings of the columns, as in columns.json; in seeds.csv NAME_ci95 has the unit of NAME.
    json columns() const;
    /// Returns the table for people: seeds() if has_seeds(), else points(), with fewer columns and fewer
    /// digits.
    std::string text() const;

  private:
    rows rows_of_points(bool for_people) const;
    rows rows_of_seeds(bool for_people) const;
    /// True: the summary of some point has a value at this JSON pointer.
    bool is_known(const char* pointer) const;
    bool is_steady(std::size_t point) const;  ///< false: latencies depend on the length of the run

    const sweep_plan& m_plan;
    const std::vector<std::string>& m_status;
    const std::vector<json>& m_summaries;
    std::size_t m_seed_axis;
};

}  // namespace sare::cli
