// SPDX-License-Identifier: Apache-2.0
#include "tlm/combining/combiners.h"

#include <algorithm>

namespace sare {

cycle_t combiners::take(std::uint32_t port, std::uint32_t flits, cycle_t now) {
    lane& its = m_lanes[port];
    const cycle_t since = now - its.last, idle = since - std::min<cycle_t>(since, flits);
    its.last = now;
    its.lag -= std::min(its.lag, idle);
    its.lag += cycle_t{flits} * (m.cycles_per_flit - 1);
    return now + its.lag + m.latency;
}

bool combiners::are_empty() const {
    return std::all_of(m_all.begin(), m_all.end(),
                       [](const table& t) { return t.entries.empty() && t.passed.empty(); });
}

/// Notes that a packet goes by uncombined, if its sum has no entry and gets none. Returns whether it does.
bool combiners::pass(table& its, std::uint64_t key, std::uint32_t below, std::uint32_t weight) {
    const auto known = its.passed.find(key);
    if (known == its.passed.end()) {
        if (its.entries.size() < m.entries || its.entries.count(key) != 0) return false;
        its.passed.emplace(key, weight);
    } else if ((known->second += weight) == below) {
        its.passed.erase(known);
    }
    ++m_counts.uncombined;
    return true;
}

bool combiners::add(std::uint32_t router, std::uint64_t key, std::uint32_t below, partial_sum& sum) {
    table& its = m_all[router];
    if (sum.weight == below || pass(its, key, below, sum.weight)) return true;
    const auto [entry, is_new] = its.entries.try_emplace(key, sum);
    if (is_new) {
        m_counts.most_entries =
            std::max(m_counts.most_entries, static_cast<std::uint32_t>(its.entries.size()));
        return false;
    }
    ++m_counts.combined;
    sum = entry->second += sum;
    if (sum.weight != below) return false;
    its.entries.erase(entry);
    return true;
}

}  // namespace sare
