// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_bench/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace sare::bench {
namespace {

constexpr std::size_t most_holes_named = 8;

std::string line(const char* what, const std::string& bins, const std::string& count,
                 const std::string& holes) {
    char text[200];
    std::snprintf(text, sizeof text, "%-58s %9s %10s  %s", what, bins.c_str(), count.c_str(), holes.c_str());
    std::string all(text);
    return all.erase(all.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::uint32_t coverage::point(const std::string& what, std::vector<std::string> bins) {
    const std::size_t n = bins.size();
    m_points.push_back({what, std::move(bins), std::vector<std::uint64_t>(n)});
    return static_cast<std::uint32_t>(m_points.size() - 1);
}

std::uint32_t coverage::bins() const {
    std::size_t n = 0;
    for (const auto& p : m_points) n += p.counts.size();
    return static_cast<std::uint32_t>(n);
}

std::uint32_t coverage::holes() const {
    std::ptrdiff_t n = 0;
    for (const auto& p : m_points) n += std::count(p.counts.begin(), p.counts.end(), 0u);
    return static_cast<std::uint32_t>(n);
}

std::string coverage::table() const {
    std::string all = line("cover point", "bins", "hits", "");
    for (const auto& p : m_points) {
        std::string holes;
        std::size_t missing = 0;
        for (std::size_t b = 0; b < p.bins.size(); ++b)
            if (p.counts[b] == 0 && ++missing <= most_holes_named)
                holes += (holes.empty() ? "HOLE: " : ", ") + p.bins[b];
        if (missing > most_holes_named) holes += fmt::format(" and {} more", missing - most_holes_named);
        const std::uint64_t count = std::accumulate(p.counts.begin(), p.counts.end(), std::uint64_t{0});
        all += line(p.what.c_str(), fmt::format("{}/{}", p.bins.size() - missing, p.bins.size()),
                    std::to_string(count), holes);
    }
    return all;
}

std::vector<std::string> numbered(std::uint32_t n, std::uint32_t first) {
    std::vector<std::string> all;
    for (std::uint32_t k = 0; k < n; ++k) all.push_back(std::to_string(first + k));
    return all;
}

std::vector<std::string> crossed(std::uint32_t n, std::uint32_t m) {
    std::vector<std::string> all;
    for (std::uint32_t k = 0; k < n; ++k)
        for (std::uint32_t l = 0; l < m; ++l) all.push_back(fmt::format("{}-{}", k, l));
    return all;
}

}  // namespace sare::bench
