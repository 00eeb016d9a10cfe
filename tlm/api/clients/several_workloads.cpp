// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/clients/several_workloads.h"

#include <algorithm>

namespace sare {

cycle_t several_workloads::next_tick() const {
    cycle_t next = never;
    for (const workload* const w : m_works) next = std::min(next, w->next_tick());
    return next;
}

void several_workloads::tick(cycle_t now) {
    for (workload* const w : m_works)
        if (w->next_tick() <= now) w->tick(now);
}

bool several_workloads::all(bool (workload::*is)() const) const {
    return std::all_of(m_works.begin(), m_works.end(), [is](const workload* w) { return (w->*is)(); });
}

bool several_workloads::any(bool (workload::*is)() const) const {
    return std::any_of(m_works.begin(), m_works.end(), [is](const workload* w) { return (w->*is)(); });
}

std::uint32_t several_workloads::most(std::uint32_t (workload::*of)() const) const {
    std::uint32_t largest = 0;
    for (const workload* const w : m_works) largest = std::max(largest, (w->*of)());
    return largest;
}

traffic_loop several_workloads::loop() const {
    if (m_works.empty()) return traffic_loop::unknown;
    traffic_loop common = m_works.front()->loop();
    for (const workload* const w : m_works) common = both(common, w->loop());
    return common;
}

double several_workloads::progress() const {
    double least = m_works.empty() ? -1 : 1;
    for (const workload* const w : m_works)
        if (!w->finished()) least = std::min(least, w->progress());
    return least;
}

void several_workloads::measured_from(cycle_t now) {
    for (workload* const w : m_works) w->measured_from(now);
}

void several_workloads::measured_to(cycle_t now) {
    for (workload* const w : m_works) w->measured_to(now);
}

generated_counts several_workloads::generated(cycle_t now) {
    generated_counts sum;
    for (workload* const w : m_works) sum += w->generated(now);
    return sum;
}

standstill several_workloads::stuck() const {
    for (const workload* const w : m_works)
        if (standstill why = w->stuck(); !w->finished() && !why.first.empty()) return why;
    return {};
}

void several_workloads::serialize(archive& a) {
    for (workload* const w : m_works) w->serialize(a);
}

}  // namespace sare
