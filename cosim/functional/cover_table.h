// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sare::cosim {

/// Functional coverage: a list of points. A point is a cross of axes: it has a bin, which counts hits, for
/// each combination of their values. A hole is a possible bin without a hit. Tables with the same points can
/// be merged by adding their counts.
class cover_table {
  public:
    struct axis {
        std::string name;
        std::vector<std::string> values;
    };
    using place = std::vector<std::uint32_t>;  ///< number of a value on each axis
    /// Bin of a point, by the number of the point and the bin's index in it.
    struct bin {
        std::uint32_t point, index;
    };

    /// Adds a point and returns its number. `possible`: returns true for the bins that can be hit; empty: all
    /// can.
    std::uint32_t add(std::string name, std::vector<axis> axes,
                      const std::function<bool(const place&)>& possible = {});
    /// Counts a hit of a bin of point `number`; hits of impossible bins do not cover anything.
    void hit(std::uint32_t number, const place& at) { ++m_points[number].counts[index(number, at)]; }
    /// Returns the possible bins of a point for which `fits` is true.
    std::vector<bin> bins(std::uint32_t number, const std::function<bool(const place&)>& fits) const;
    /// True for a possible bin without a hit.
    bool is_hole(const bin& b) const {
        return m_points[b.point].possible[b.index] && m_points[b.point].counts[b.index] == 0;
    }

    std::uint32_t possible() const;  ///< number of possible bins
    std::uint32_t covered() const;   ///< number of possible bins with a hit
    /// Number of hits of impossible bins.
    std::uint64_t impossible_hits() const;
    /// Adds the counts of a table that has the same points.
    void merge(const cover_table& other);
    /// Returns a line for each possible bin (false: with a hit): point, bin and count, separated by tabs.
    std::string text(bool with_holes = true) const;
    /// Adds the counts of lines of text(); points and bins that this table does not have are ignored. Throws
    /// std::runtime_error, which begins with `file` and the line's number, for other lines.
    void add_text(const std::string& text, const std::string& file);
    /// Returns a text for people: a line for all points of a name, with bins hit and possible; then the sums.
    std::string summary() const;
    /// Returns a line with point and bin for each hole; "" if there is none.
    std::string holes() const;

  private:
    struct point {
        std::string name;
        std::vector<axis> axes;
        std::vector<std::uint64_t> counts;
        std::vector<bool> possible;
    };
    std::uint32_t index(std::uint32_t number, const place& at) const;
    place place_of(const point& p, std::uint32_t index) const;
    std::string bin_name(const point& p, std::uint32_t index) const;

    std::vector<point> m_points;
};

}  // namespace sare::cosim
