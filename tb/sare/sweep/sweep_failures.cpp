// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/sweep_failures.h"

#include "tb/sare/process/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sare::cli {
namespace {

/// Returns the error as of any point: each has a folder for its files.
std::string of_any_point(std::string text, std::size_t point) {
    const std::string folder = fmt::format("points/{:03d}", point);
    if (const auto at = text.find(folder); at != std::string::npos)
        text.replace(at, std::min(text.find('/', at + folder.size()), text.size()) - at, "points/NNN");
    return text;
}

}  // namespace

void sweep_failures::add(std::size_t point, const std::string& text) {
    auto& points = m_points[of_any_point(text, point)];
    if (std::count(points.begin(), points.end(), point) != 0) return;
    if (points.empty() || m_each) complain(fmt::format("point {:03d}: {}", point, text));
    points.push_back(point);
}

void sweep_failures::finish() {
    for (const auto& [text, points] : m_points) {
        if (points.size() < 2 || m_each) continue;
        const std::vector<std::size_t> others(points.begin() + 1, points.end());
        complain(fmt::format("{} {} with the error of point {:03d}: {} points in all", points_text(others),
                             others.size() == 1 ? "fails" : "fail", points.front(), points.size()));
    }
}

std::vector<std::vector<std::string>> sweep_failures::rows() const {
    std::vector<std::vector<std::string>> all{{"points", "reason"}};
    for (const auto& [text, points] : m_points)
        all.push_back({points_text(points).substr(points.size() == 1 ? 6 : 7), text});
    return all;
}

std::string points_text(const std::vector<std::size_t>& points) {
    std::string text;
    const std::set<std::size_t> sorted(points.begin(), points.end());
    for (auto p = sorted.begin(); p != sorted.end();) {
        const std::size_t first = *p;
        std::size_t last = first;
        while (++p != sorted.end() && *p == last + 1) ++last;
        text += (text.empty() ? "" : ", ") + fmt::format("{:03d}", first);
        if (last != first) text += fmt::format("-{:03d}", last);
    }
    return (sorted.size() == 1 ? "point " : "points ") + text;
}

}  // namespace sare::cli
