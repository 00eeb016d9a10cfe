// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/timing/access_report.h"

#include "tlm/memory/memory_bridge.h"
#include "tlm/memory/timing/access_side.h"
#include "tlm/stats/table.h"
#include "tlm/systemc/reports.h"

#include <ostream>
#include <utility>

namespace sare {
namespace {

const table_form timeline_form{"accesses_timeline.csv", R"(
    from: number in ns. When the interval begins.
    bridge: text. SystemC name of the memory bridge, or of the CHI node.
    side: text. initiator or memory.
    number: count. Which one of its bridge's, in the order of binding.
    accesses: count. That ended in the interval.
    bytes: count in bytes. Of these, without an error.
    outstanding: number in accesses. Under way, on average, of those that are over.
)"};

}  // namespace

/// Calls f(statistics, summary) for each initiator and memory, with a summary of its names and numbers.
template <class F>
void access_report::for_each(F f) const {
    for (memory_bridge_base* bridge : m_bridges) {
        access_summary s;
        s.bridge = bridge->name();
        s.node = bridge->node();
        for (s.number = 0; s.number < bridge->initiators_bound(); ++s.number) {
            s.most_outstanding = bridge->initiator_counts_of(s.number).most_outstanding;
            f(bridge->initiator_statistics(s.number), s);
        }
        s.memory = true;
        for (s.number = 0; s.number < bridge->memories_bound(); ++s.number) {
            s.most_outstanding = bridge->memory_counts_of(s.number).most_held;
            f(bridge->memory_statistics(s.number), s);
        }
    }
    for (const auto& side : m_sides) {
        access_summary s;
        s.bridge = side->name;
        s.memory = side->memory;
        s.node = side->node;
        s.most_outstanding = side->most_open;
        f(side->statistics, s);
    }
}

void access_report::add(memory_bridge_base& bridge) {
    m_bridges.push_back(&bridge);
    for (std::uint32_t k = 0; k < bridge.initiators_bound(); ++k)
        bridge.initiator_statistics(k).keep_intervals(m_length);
    for (std::uint32_t k = 0; k < bridge.memories_bound(); ++k)
        bridge.memory_statistics(k).keep_intervals(m_length);
}

void access_report::add(std::shared_ptr<access_side> side) {
    side->statistics.keep_intervals(m_length);
    m_sides.push_back(std::move(side));
}

std::vector<access_summary> access_report::results() const {
    std::vector<access_summary> all;
    for_each([&](const access_statistics& counted, const access_summary& whose) {
        if (whose.memory || counted.accesses() != 0) all.push_back(summary_of(counted, whose));
    });
    return all;
}

void access_report::write_timeline(std::ostream& out) const {
    table t(timeline_form, out);
    for_each([&](const access_statistics& counted, const access_summary& whose) {
        const double length = m_length.to_seconds();
        for (std::size_t n = 0; n < counted.intervals().size(); ++n) {
            const access_statistics::interval& i = counted.intervals()[n];
            t.row(static_cast<double>(n) * (m_length / sc_core::sc_time(1, sc_core::SC_NS)), whose.bridge,
                  whose.memory ? "memory" : "initiator", whose.number, i.accesses, i.bytes,
                  i.outstanding.to_seconds() / length);
        }
    });
}

void access_report::keep_intervals(const sc_core::sc_time& length) {
    m_length = length;
    count_all();
    for_each([&](access_statistics& s, const access_summary&) { s.keep_intervals(length); });
}

void access_report::over() {
    if (m_out != nullptr) print(*m_out, results());
    m_out = nullptr;
}

}  // namespace sare
