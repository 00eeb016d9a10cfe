// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stats/log/record_file.h"

#include <algorithm>
#include <queue>
#include <vector>

namespace sare {

/// Calls f(record) for each record, by ascending key(record); records of equal keys keep their order.
/// External merge sort: sorts pieces of `run_length` records (above 0, not checked) in memory, then merges
/// them from temporary files. Throws std::runtime_error as nameless_file.
template <class T, class Key, class F>
void sorted_by(const record_file<T>& records, Key key, F f, std::size_t run_length = 1 << 20) {
    const auto before = [&](const T& a, const T& b) { return key(a) < key(b); };
    std::vector<record_file<T>> runs;
    std::vector<T> run;
    const auto end_run = [&] {
        std::stable_sort(run.begin(), run.end(), before);
        runs.emplace_back();
        for (const T& record : run) runs.back().append(record);
        run.clear();
    };
    records.for_each([&](const T& record) {
        run.push_back(record);
        if (run.size() == run_length) end_run();
    });
    if (runs.empty()) {
        std::stable_sort(run.begin(), run.end(), before);
        for (const T& record : run) f(record);
        return;
    }
    if (!run.empty()) end_run();
    struct next_of {
        T record;
        std::size_t run;
        std::uint64_t number;
    };
    const auto later = [&](const next_of& a, const next_of& b) {
        return before(b.record, a.record) || (!before(a.record, b.record) && b.run < a.run);
    };
    std::priority_queue<next_of, std::vector<next_of>, decltype(later)> next(later);
    for (std::size_t r = 0; r < runs.size(); ++r) next.push({runs[r].at(0), r, 0});
    while (!next.empty()) {
        const next_of least = next.top();
        next.pop();
        f(least.record);
        const std::uint64_t n = least.number + 1;
        if (n < runs[least.run].size()) next.push({runs[least.run].at(n), least.run, n});
    }
}

}  // namespace sare
