// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/steer.h"
#include "tb/sare/cosim/cosim_results.h"

#include <filesystem>

namespace sare::cli {

/// Coverage of one or more results of `sare cosim`: functional coverage, and Verilator's beside it.
class cosim_coverage {
  public:
    /// Adds the coverage of an earlier result. Throws std::runtime_error.
    void add_result(const std::filesystem::path& folder);
    /// Adds hits of functional coverage: lines of a cover_table.
    void add_hits(const std::string& lines);
    const cosim::router_points& points() const { return m_points; }

    /// Writes functional.tsv and holes.txt into a result and, from the counters in its folder `coverage`,
    /// which is removed, coverage.dat, coverage.txt and not_covered.txt.
    void write(const std::filesystem::path& folder, cosim_results& results) const;

  private:
    cosim::router_points m_points;
    std::vector<std::string> m_counters;  ///< Verilator's files
    bool m_is_counted = false;
};

}  // namespace sare::cli
