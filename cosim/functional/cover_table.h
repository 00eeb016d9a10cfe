// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sare::cosim {

/// Functional coverage as a list of points. A point is a cross of axes: it has a bin for each combination of
/// values, one of each axis, and counts the hits of each bin. Bins are possible or impossible; a hole is a
/// possible bin without a hit. Tables with the same points can be merged.
class cover_table {
  public:
    /// An axis: its name, and the names of its values.
    struct axis {
        std::string name;
        std::vector<std::string> values;
    };
    /// A bin by its coordinates: the number, from 0, of its value on each axis.
    using place = std::vector<std::uint32_t>;
    /// A bin by numbers, both from 0: the point, and the index of the bin among the bins of the point.
    struct bin {
        std::uint32_t point, index;
    };

    /// Adds a point, without hits, and returns its number, from 0. Several points may have one name.
    /// `possible`: returns true for the bins that are possible; empty: all are.
    std::uint32_t add(std::string name, std::vector<axis> axes,
                      const std::function<bool(const place&)>& possible = {});
    /// Adds a hit to the bin `at` of point `number`; neither is checked. A hit of an impossible bin is
    /// counted, but covers nothing.
    void hit(std::uint32_t number, const place& at) { ++m_points[number].counts[index(number, at)]; }
    /// Returns the possible bins of point `number`, as numbered by add(), for which `fits` returns true.
    std::vector<bin> bins(std::uint32_t number, const std::function<bool(const place&)>& fits) const;
    /// Returns true if the bin is possible and has no hit.
    bool is_hole(const bin& b) const {
        return m_points[b.point].possible[b.index] && m_points[b.point].counts[b.index] == 0;
    }

    std::uint32_t possible() const;  ///< number of possible bins
    std::uint32_t covered() const;   ///< number of possible bins with at least one hit
    /// Returns the number of hits of impossible bins.
    std::uint64_t impossible_hits() const;
    /// Adds the hits of `other`, which must have the same points (not checked).
    void merge(const cover_table& other);
    /// Returns a line for each possible bin, or if `with_holes` is false, for each possible bin with a hit. A
    /// line has name of the point, names of the axes and values, and number of hits, separated by tabs.
    std::string text(bool with_holes = true) const;
    /// Adds the hits in the lines of a text() of any table; points and bins that this table does not have are
    /// ignored. Throws std::runtime_error, with `file` and the number of the line, for a malformed line.
    void add_text(const std::string& text, const std::string& file);
    /// Returns a text for people: a line for all points of one name that were added one after the other, then
    /// the sums. A line has the numbers of possible bins hit and of possible bins, and the first hole.
    std::string summary() const;
    /// Returns a line with point and bin for each hole; empty if there is none.
    std::string holes() const;

  private:
    /// A point: its axes, and for each bin the hits and whether it is possible.
    struct point {
        std::string name;  ///< several points may have one name
        std::vector<axis> axes;
        std::vector<std::uint64_t> counts;  ///< hits, by bin
        std::vector<bool> possible;         ///< true: the bin is possible, by bin
    };
    std::uint32_t index(std::uint32_t number, const place& at) const;
    place place_of(const point& p, std::uint32_t index) const;
    std::string bin_name(const point& p, std::uint32_t index) const;

    std::vector<point> m_points;
};

}  // namespace sare::cosim
