// SPDX-License-Identifier: Apache-2.0
#include "cosim/functional/cover_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>

namespace sare::cosim {

std::uint32_t cover_table::add(std::string name, std::vector<axis> axes,
                               const std::function<bool(const place&)>& possible) {
    std::size_t bins = 1;
    for (const axis& a : axes) bins *= a.values.size();
    m_points.push_back(
        {std::move(name), std::move(axes), std::vector<std::uint64_t>(bins), std::vector<bool>(bins, true)});
    point& p = m_points.back();
    for (std::uint32_t k = 0; possible && k < bins; ++k) p.possible[k] = possible(place_of(p, k));
    return static_cast<std::uint32_t>(m_points.size() - 1);
}

std::uint32_t cover_table::index(std::uint32_t number, const place& at) const {
    const point& p = m_points[number];
    std::size_t index = 0;
    for (std::size_t a = 0; a < p.axes.size(); ++a) index = index * p.axes[a].values.size() + at[a];
    return static_cast<std::uint32_t>(index);
}

cover_table::place cover_table::place_of(const point& p, std::uint32_t index) const {
    place at(p.axes.size());
    for (std::size_t a = at.size(); a-- > 0;) {
        const auto values = static_cast<std::uint32_t>(p.axes[a].values.size());
        at[a] = index % values;
        index /= values;
    }
    return at;
}

std::string cover_table::bin_name(const point& p, std::uint32_t index) const {
    const place at = place_of(p, index);
    std::string name;
    for (std::size_t a = 0; a < at.size(); ++a)
        name += (a == 0 ? "" : ", ") + p.axes[a].name + (p.axes[a].name.empty() ? "" : " ") +
                p.axes[a].values[at[a]];
    return name;
}

std::vector<cover_table::bin> cover_table::bins(std::uint32_t number,
                                                const std::function<bool(const place&)>& fits) const {
    const point& p = m_points[number];
    std::vector<bin> all;
    for (std::uint32_t k = 0; k < p.counts.size(); ++k)
        if (p.possible[k] && fits(place_of(p, k))) all.push_back({number, k});
    return all;
}

std::uint32_t cover_table::possible() const {
    std::ptrdiff_t n = 0;
    for (const point& p : m_points) n += std::count(p.possible.begin(), p.possible.end(), true);
    return static_cast<std::uint32_t>(n);
}

std::uint32_t cover_table::covered() const {
    std::uint32_t n = 0;
    for (const point& p : m_points)
        for (std::size_t k = 0; k < p.counts.size(); ++k) n += p.possible[k] && p.counts[k] != 0 ? 1 : 0;
    return n;
}

std::uint64_t cover_table::impossible_hits() const {
    std::uint64_t all = 0;
    for (const point& p : m_points)
        for (std::size_t k = 0; k < p.counts.size(); ++k) all += p.possible[k] ? 0 : p.counts[k];
    return all;
}

void cover_table::merge(const cover_table& other) {
    for (std::size_t p = 0; p < m_points.size(); ++p)
        for (std::size_t k = 0; k < m_points[p].counts.size(); ++k)
            m_points[p].counts[k] += other.m_points[p].counts[k];
}

std::string cover_table::text(bool with_holes) const {
    std::string all;
    for (const point& p : m_points)
        for (std::uint32_t k = 0; k < p.counts.size(); ++k)
            if (p.possible[k] && (with_holes || p.counts[k] != 0))
                all += fmt::format("{}\t{}\t{}\n", p.name, bin_name(p, k), p.counts[k]);
    return all;
}

void cover_table::add_text(const std::string& text, const std::string& file) {
    std::map<std::string, std::uint64_t*> known;
    for (point& p : m_points)
        for (std::uint32_t k = 0; k < p.counts.size(); ++k)
            known[p.name + "\t" + bin_name(p, k)] = &p.counts[k];
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const auto tab = line.rfind('\t');
        if (tab == std::string::npos || line.find('\t') == tab)
            throw std::runtime_error(
                fmt::format("{}:{}: must be a point, a bin and a count, parted by tabs", file, number));
        if (const auto found = known.find(line.substr(0, tab)); found != known.end())
            *found->second += std::strtoull(line.c_str() + tab + 1, nullptr, 10);
    }
}

std::string cover_table::summary() const {
    std::string all;
    for (std::size_t n = 0; n < m_points.size();) {
        std::size_t hit = 0, bins = 0;
        std::string first;
        const std::string name = m_points[n].name;
        for (; n < m_points.size() && m_points[n].name == name; ++n) {
            const point& p = m_points[n];
            for (std::uint32_t k = 0; k < p.counts.size(); ++k) {
                if (!p.possible[k]) continue;
                ++bins;
                hit += p.counts[k] != 0 ? 1 : 0;
                if (p.counts[k] == 0 && first.empty()) first = bin_name(p, k);
            }
        }
        char line[100];
        std::snprintf(line, sizeof line, "%-40s %5zu of %5zu", name.c_str(), hit, bins);
        all += line + (first.empty() ? "" : "  first hole: " + first) + "\n";
    }
    return fmt::format("{}{} of {} bins are hit\n", all, covered(), possible());
}

std::string cover_table::holes() const {
    std::string all;
    for (const point& p : m_points)
        for (std::uint32_t k = 0; k < p.counts.size(); ++k)
            if (p.possible[k] && p.counts[k] == 0) all += p.name + ": " + bin_name(p, k) + "\n";
    return all;
}

}  // namespace sare::cosim
