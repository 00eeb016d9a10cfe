// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare::bench {

/// Functional coverage as a list of points, each of which has bins that count hits.
class coverage {
  public:
    /// Adds a point with one bin for each name in `bins`; `what`: name of the point in table(). Returns its
    /// number, from 0, for hit().
    std::uint32_t point(const std::string& what, std::vector<std::string> bins);
    /// Adds a hit to bin `bin` of point `point` (neither is checked); bins are numbered from 0 in the order
    /// of the names given to point().
    void hit(std::uint32_t point, std::uint32_t bin = 0) { ++m_points[point].counts[bin]; }

    std::uint32_t bins() const;   ///< number of bins of all points
    std::uint32_t holes() const;  ///< number of bins without a hit
    /// Returns a header and a line for each point: number of bins with a hit and of all bins, number of hits,
    /// names of at most 8 bins without a hit.
    std::string table() const;

  private:
    /// A point: its name, and the names and hits of its bins.
    struct cover_point {
        std::string what;
        std::vector<std::string> bins;
        std::vector<std::uint64_t> counts;
    };
    std::vector<cover_point> m_points;
};

/// Returns `n` names: "first", "first + 1" and so on, as numbers.
std::vector<std::string> numbered(std::uint32_t n, std::uint32_t first = 0);
/// Returns the n * m names "i-j" of a cross of n and m values: element i * m + j is "i-j", with i and j from
/// 0.
std::vector<std::string> crossed(std::uint32_t n, std::uint32_t m);

}  // namespace sare::bench
