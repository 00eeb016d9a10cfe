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

void combiners::use(table& its) {
    m_counts.most_entries = std::max(m_counts.most_entries, ++its.used);
}

bool combiners::reserve(const std::vector<std::uint32_t>& routers) {
    for (const std::uint32_t r : routers)
        if (m_all[r].used == m.entries) return false;
    for (const std::uint32_t r : routers) use(m_all[r]);
    return true;
}

/// Notes that a packet goes by uncombined, if its sum has no entry and gets none. Returns whether it does.
bool combiners::pass(table& its, std::uint64_t key, std::uint32_t below, std::uint32_t weight) {
    if (m.when_full == full_table::block) return false;
    const auto known = its.passed.find(key);
    if (known == its.passed.end()) {
        if (its.used < m.entries || its.entries.count(key) != 0) return false;
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
        if (m.when_full == full_table::forward) use(its);
        return false;
    }
    ++m_counts.combined;
    sum = entry->second += sum;
    if (sum.weight != below) return false;
    its.entries.erase(entry);
    --its.used;
    return true;
}

}  // namespace sare
