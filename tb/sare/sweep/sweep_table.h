// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/sweep/sweep_plan.h"

/// What a sweep has found, as rows of text: for its CSV files, and for people.
namespace sare::cli {

class sweep_table {
  public:
    /// Of each point the status ("" without a result) and the summary.
    sweep_table(const sweep_plan& plan, const std::vector<std::string>& status,
                const std::vector<json>& summaries);

    using rows = std::vector<std::vector<std::string>>;
    /// Header and a row for each point with a result.
    rows points() const { return rows_of_points(false); }
    /// Points differ in the seed, and their figures have means over it.
    bool has_seeds() const { return m_seed_axis < m_plan.axes.size(); }
    /// Header and a row for points that differ in nothing but the seed: means, with half the width of their
    /// 95% confidence intervals.
    rows seeds() const { return rows_of_seeds(false); }
    /// What the columns say, as in columns.json: of seeds.csv too, where NAME_ci95 has the unit of NAME.
    json columns() const;
    std::string text() const;

  private:
    rows rows_of_points(bool for_people) const;
    rows rows_of_seeds(bool for_people) const;
    bool is_known(const char* pointer) const;  ///< of any point
    bool is_steady(std::size_t point) const;   ///< else latencies depend on the length of the run

    const sweep_plan& m_plan;
    const std::vector<std::string>& m_status;
    const std::vector<json>& m_summaries;
    std::size_t m_seed_axis;
};

}  // namespace sare::cli
