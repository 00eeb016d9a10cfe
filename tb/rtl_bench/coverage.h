// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare::bench {

/// Functional coverage as a list of points, each of which has bins that count hits.
class coverage {
  public:
    /// Adds a point, `what` in the table, with bins of these names. Returns its number, for hit().
    std::uint32_t point(const std::string& what, std::vector<std::string> bins);
    /// Adds a hit to a bin of a point; bins are numbered from 0 in the order of their names.
    void hit(std::uint32_t point, std::uint32_t bin = 0) { ++m_points[point].counts[bin]; }

    std::uint32_t bins() const;   ///< number of bins of all points
    std::uint32_t holes() const;  ///< number of bins without a hit
    /// Returns a line for each point with its bins, those with a hit, and hits; for bins without a hit it has
    /// the names of at most 8.
    std::string table() const;

  private:
    struct cover_point {
        std::string what;
        std::vector<std::string> bins;
        std::vector<std::uint64_t> counts;
    };
    std::vector<cover_point> m_points;
};

/// Returns `n` names: "first", "first + 1" and so on, as numbers.
std::vector<std::string> numbered(std::uint32_t n, std::uint32_t first = 0);
/// Returns n * m names "i-j"; that of bin i * m + j is "i-j".
std::vector<std::string> crossed(std::uint32_t n, std::uint32_t m);

}  // namespace sare::bench
