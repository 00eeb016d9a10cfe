// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare::bench {

/// Functional coverage: points, whose bins count hits.
class coverage {
  public:
    /// Adds a point with bins of these names. Returns its number, for hit().
    std::uint32_t point(const std::string& what, std::vector<std::string> bins);
    /// Counts a hit of a point's bin; bins are numbered from 0 in the order of their names.
    void hit(std::uint32_t point, std::uint32_t bin = 0) { ++m_points[point].counts[bin]; }

    std::uint32_t bins() const;   ///< number of bins of all points
    std::uint32_t holes() const;  ///< number of bins without a hit
    /// Returns a line for each point; points with holes say which.
    std::string table() const;

  private:
    struct cover_point {
        std::string what;
        std::vector<std::string> bins;
        std::vector<std::uint64_t> counts;
    };
    std::vector<cover_point> m_points;
};

/// Returns "first", "first+1", ..., `n` of them.
std::vector<std::string> numbered(std::uint32_t n, std::uint32_t first = 0);
/// Returns "0-0", "0-1", ..., n times m of them; bin i * m + j is "i-j".
std::vector<std::string> crossed(std::uint32_t n, std::uint32_t m);

}  // namespace sare::bench
