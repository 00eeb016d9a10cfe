// SPDX-License-Identifier: Apache-2.0
#include "tlm/power/power_series.h"

#include "tlm/base/world.h"

#include <algorithm>

namespace sare {

void power_series::end_interval(cycle_t now, const std::vector<std::uint32_t>& flits) {
    if (now <= m_begin) return;
    std::vector<std::uint32_t> here(flits.size());
    for (std::size_t r = 0; r < here.size(); ++r) here[r] = flits[r] - m_before[r];
    m_before = flits;
    m_flits.push_back(std::move(here));
    m_ends.push_back(now);
    m_begin = now;
    if (m_ends.size() == m_most) join_pairs();
}

void power_series::join_pairs() {
    const std::size_t half = m_ends.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        std::vector<std::uint32_t> sum = std::move(m_flits[2 * i]);
        for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += m_flits[2 * i + 1][r];
        m_flits[i] = std::move(sum);
        m_ends[i] = m_ends[2 * i + 1];
    }
    m_flits.resize(half);
    m_ends.resize(half);
    m_length *= 2;
}

void power_series::serialize(archive& a) {
    a(m_length, m_runs, m_start, m_begin, m_before, m_ends);
    m_flits.resize(m_ends.size());
    for (std::vector<std::uint32_t>& one : m_flits) a(one);
}

void power_series::add_up(world& all) {
    for (std::vector<std::uint32_t>& one : m_flits) {
        std::vector<std::uint64_t> sums(one.begin(), one.end());
        all.sum(sums.data(), sums.size());
        std::transform(sums.begin(), sums.end(), one.begin(),
                       [](std::uint64_t n) { return static_cast<std::uint32_t>(n); });
    }
}

}  // namespace sare
