// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/goal/goal_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>

namespace sare::traffic {

namespace {

/// Returns the numbers of the operations, in order.
std::vector<std::uint32_t> order_of(const goal_rank& rank, std::uint32_t number, const std::string& path) {
    const auto& [operations, edges] = rank;
    const std::size_t n = operations.size();
    std::vector<std::uint32_t> missing(n), first(n + 1), order;
    for (const goal_edge& e : edges) {
        ++missing[e.later];
        ++first[e.earlier + 1];
    }
    for (std::size_t i = 0; i < n; ++i) first[i + 1] += first[i];
    std::vector<std::uint32_t> dependents(edges.size()), next(first);
    for (const goal_edge& e : edges) dependents[next[e.earlier]++] = e.later;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < n; ++i)
        if (missing[i] == 0) ready.push(i);
    while (!ready.empty()) {
        const std::uint32_t i = ready.top();
        ready.pop();
        order.push_back(i);
        for (auto k = first[i]; k < first[i + 1]; ++k)
            if (--missing[dependents[k]] == 0) ready.push(dependents[k]);
    }
    for (const goal_edge& e : edges)
        if (missing[e.later] != 0 && missing[e.earlier] != 0)
            throw config::error(
                {path, static_cast<int>(e.line), 1},
                fmt::format("operations of rank {} require each other, this one among them: none can begin",
                            number));
    return order;
}

event event_of(const goal_operation& o, std::uint32_t number) {
    event e;
    e.line = static_cast<int>(o.line);
    e.what = o.what;
    e.in_sequence = false;
    e.communicator = o.communicator;
    if (o.needed) e.request = number + 1;
    if (o.what == op::compute) {
        e.seconds = static_cast<double>(o.size) * 1e-9;
    } else {
        e.bytes = o.size;
        e.peer = o.peer == goal_wild ? any_source : o.peer;
        e.tag = o.tag == goal_wild ? any_tag : o.tag;
    }
    return e;
}

}  // namespace

kept_events in_order(goal_rank rank, std::uint32_t number, const std::string& path) {
    auto& [operations, edges] = rank;
    const auto order = order_of(rank, number, path);
    std::stable_sort(edges.begin(), edges.end(),
                     [](const goal_edge& a, const goal_edge& b) { return a.later < b.later; });
    kept_events events;
    for (const std::uint32_t i : order) {
        event e = event_of(operations[i], i);
        e.number = 1;
        auto edge = std::lower_bound(edges.begin(), edges.end(), i,
                                     [](const goal_edge& a, std::uint32_t n) { return a.later < n; });
        for (; edge != edges.end() && edge->later == i; ++edge)
            e.needs.push_back({edge->earlier + std::uint64_t{1}, edge->begun});
        events.put(e);
    }
    events.shrink();
    return events;
}

bool goal_schedule::next(std::uint32_t task, event& e) {
    const auto found = m_ranks.find(task);
    if (found == m_ranks.end()) return false;
    if (found->second.empty()) {
        m_ranks.erase(found);
        return false;
    }
    found->second.take(e);
    return true;
}

void goal_schedule::say(std::uint64_t cpus, bool nics) {
    if (cpus > 1)
        warn(fmt::format(
            "operations name {} cpus, by number; here any core that is free takes one: cores: {} is as many",
            cpus, cpus));
    if (nics) warn("which nic an operation uses is not read: a node has one");
}

}  // namespace sare::traffic
