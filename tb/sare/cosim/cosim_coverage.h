// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/steer.h"
#include "tb/sare/cosim/cosim_results.h"

#include <filesystem>

namespace sare::cli {

/// Coverage of one or more results of `sare cosim`: functional coverage (bins of events), and Verilator's
/// counters of lines and toggles.
class cosim_coverage {
  public:
    /// Adds the coverage of an earlier result: its functional.tsv, and its coverage.dat if it has one. Throws
    /// std::runtime_error if functional.tsv is missing or malformed.
    void add_result(const std::filesystem::path& folder);
    /// Adds hits of functional coverage, as lines of a cover_table.
    void add_hits(const std::string& lines);
    /// Returns the functional coverage added so far.
    const cosim::router_points& points() const { return m_points; }

    /// Writes functional.tsv and holes.txt into the result `folder` if functional coverage was added; and
    /// coverage.dat, coverage.txt and not_covered.txt if there are counters, of earlier results or in files
    /// *.dat at any depth of the folder `counters`, which must exist and stays as it is. Adds the counters to
    /// `results.coverage`; sets `results.bins` and `results.bins_hit` if functional coverage was added.
    void write(const std::filesystem::path& folder, const std::filesystem::path& counters,
               cosim_results& results) const;

  private:
    cosim::router_points m_points;
    std::vector<std::string> m_counters;  ///< paths of the files coverage.dat of earlier results
    bool m_is_counted = false;            ///< true: functional coverage was added
};

}  // namespace sare::cli
