// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

/// Reasons why points of a sweep have failed.
namespace sare::cli {

/// Errors of the points of a sweep, of which an error of many points is printed once.
class sweep_failures {
  public:
    /// `each`: true to print every error, for a log that a program reads.
    explicit sweep_failures(bool each = false) : m_each(each) {}

    /// Adds an error of a point, and prints it unless another point has had the same error (texts that differ
    /// only in the folder of the point are the same error).
    void add(std::size_t point, const std::string& text);
    /// Prints, for each error of several points, which points have had it beside the first; prints nothing
    /// with `each`.
    void finish();
    /// Returns a header and a row for each error: the points that have had it ("003-007, 009"), and its text.
    std::vector<std::vector<std::string>> rows() const;

  private:
    bool m_each;
    /// Points that have had an error, by the text of the error.
    std::map<std::string, std::vector<std::size_t>> m_points;
};

/// Returns "point 004", or "points 003-007, 009". `points`: numbers in any order.
std::string points_text(const std::vector<std::size_t>& points);

}  // namespace sare::cli
