// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sare::cosim {

/// Functional coverage: points, each a cross of axes, whose bins count hits. Tables with the same points can
/// be merged by adding their counts.
class cover_table {
  public:
    struct axis {
        std::string name;
        std::vector<std::string> values;
    };
    using place = std::vector<std::uint32_t>;  ///< number of a value on each axis
    struct bin {
        std::uint32_t point, index;
    };

    /// Adds a point; `possible` says which bins it has (null: all). Returns its number.
    std::uint32_t add(std::string name, std::vector<axis> axes,
                      const std::function<bool(const place&)>& possible = {});
    /// Counts a hit; hits of impossible bins do not cover anything.
    void hit(std::uint32_t number, const place& at) { ++m_points[number].counts[index(number, at)]; }
    /// Returns the possible bins of a point for which `fits` is true.
    std::vector<bin> bins(std::uint32_t number, const std::function<bool(const place&)>& fits) const;
    bool is_hole(const bin& b) const {
        return m_points[b.point].possible[b.index] && m_points[b.point].counts[b.index] == 0;
    }

    std::uint32_t possible() const;
    std::uint32_t covered() const;
    /// Number of hits of impossible bins.
    std::uint64_t impossible_hits() const;
    void merge(const cover_table& other);
    /// Returns a line for each possible bin: point, bin and count, separated by tabs.
    std::string text(bool with_holes = true) const;
    /// Adds the counts of such lines; points and bins that do not exist any more are ignored. Throws
    /// std::runtime_error, which begins with `file`, for other lines.
    void add_text(const std::string& text, const std::string& file);
    /// Returns texts for people: a line for all points of a name; every hole by name.
    std::string summary() const;
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
