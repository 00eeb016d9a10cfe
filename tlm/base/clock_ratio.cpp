// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/clock_ratio.h"

#include <fmt/format.h>

#include <numeric>

namespace sare {

clock_ratio::clock_ratio(std::uint32_t cycles, std::uint32_t edges) : m_cycles(cycles), m_edges(edges) {
    if (edges == 1) return;  // nearly always: large networks make many
    const std::uint32_t common = std::gcd(cycles, edges);
    m_cycles /= common;
    m_edges /= common;
}

std::uint32_t clock_ratio::cycles_of(std::uint32_t n) const {
    return static_cast<std::uint32_t>((std::uint64_t{n} * m_cycles + m_edges - 1) / m_edges);
}

bool operator==(const clock_ratio& a, const clock_ratio& b) {
    return a.m_cycles == b.m_cycles && a.m_edges == b.m_edges;
}

std::string clock_ratio::text() const {
    return std::to_string(m_cycles) + (m_edges == 1 ? "" : fmt::format("/{}", m_edges));
}

}  // namespace sare
