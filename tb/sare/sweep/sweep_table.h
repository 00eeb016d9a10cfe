// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_plan.h"

/// Results of a sweep as rows of text: for its CSV files, and for people.
namespace sare::cli {

class sweep_table {
  public:
    /// Takes status ("" without a result) and summary of each point, by number. All arguments must outlive
    /// this object.
    sweep_table(const sweep_plan& plan, const std::vector<std::string>& status,
                const std::vector<json>& summaries);

    using rows = std::vector<std::vector<std::string>>;
    /// Returns a header and a row for each point with a result.
    rows points() const { return rows_of_points(false); }
    /// True if points differ in the seed, so that figures have means over it.
    bool has_seeds() const { return m_seed_axis < m_plan.axes.size(); }
    /// Returns a header and a row for each set of points that differ only in the seed: means, with half the
    /// width of their 95% confidence intervals. Only with has_seeds().
    rows seeds() const { return rows_of_seeds(false); }
    /// Returns the meaning of the columns, as in columns.json; in seeds.csv NAME_ci95 has the unit of NAME.
    json columns() const;
    /// Returns the table for people: seeds() if has_seeds(), else points(); fewer columns, and fewer digits.
    std::string text() const;

  private:
    rows rows_of_points(bool for_people) const;
    rows rows_of_seeds(bool for_people) const;
    bool is_known(const char* pointer) const;  ///< true: some point has it
    bool is_steady(std::size_t point) const;   ///< false: latencies depend on the length of the run

    const sweep_plan& m_plan;
    const std::vector<std::string>& m_status;
    const std::vector<json>& m_summaries;
    std::size_t m_seed_axis;
};

}  // namespace sare::cli
