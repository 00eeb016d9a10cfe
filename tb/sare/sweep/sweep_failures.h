// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

/// Why points of a sweep have failed: an error that many points have is printed once.
namespace sare::cli {

class sweep_failures {
  public:
    /// `each`: print every one, for a log that a program reads.
    explicit sweep_failures(bool each = false) : m_each(each) {}

    /// Prints an error when it comes first.
    void add(std::size_t point, const std::string& text);
    /// Prints which points have had the errors of others.
    void finish();
    /// Header and a row for each error: its points, and what it says.
    std::vector<std::vector<std::string>> rows() const;

  private:
    bool m_each;
    std::map<std::string, std::vector<std::size_t>> m_points;  ///< by error
};

/// "point 004", or "points 003-007, 009".
std::string points_text(const std::vector<std::size_t>& points);

}  // namespace sare::cli
