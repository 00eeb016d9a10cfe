// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/timing/access_report.h"

#include "tlm/memory/memory_bridge.h"
#include "tlm/memory/timing/access_statistics.h"
#include "tlm/stats/table.h"
#include "tlm/systemc/reports.h"

#include <ostream>

namespace sare {
namespace {

const table_form timeline_form{
    "accesses_timeline.csv",
    {{"from", column::number, "ns", "When the interval begins."},
     {"bridge", column::text, "", "SystemC name of the memory bridge."},
     {"side", column::text, "", "initiator or memory."},
     {"number", column::count, "", "Which one of its bridge's, in the order of binding."},
     {"accesses", column::count, "", "That ended in the interval."},
     {"bytes", column::count, "bytes", "Of these, without an error."},
     {"outstanding", column::number, "accesses", "Under way, on average, of those that are over."}}};

/// Of each initiator and memory of a bridge: its statistics, side and number.
template <class F>
void for_each_side(memory_bridge_base& bridge, F f) {
    for (std::uint32_t k = 0; k < bridge.initiators_bound(); ++k) f(bridge.initiator_statistics(k), false, k);
    for (std::uint32_t k = 0; k < bridge.memories_bound(); ++k) f(bridge.memory_statistics(k), true, k);
}

}  // namespace

void access_report::add(memory_bridge_base& bridge) {
    m_bridges.push_back(&bridge);
    for_each_side(bridge, [&](access_statistics& s, bool, std::uint32_t) { s.keep_intervals(m_length); });
}

std::vector<access_summary> access_report::results() const {
    std::vector<access_summary> all;
    for (memory_bridge_base* bridge : m_bridges)
        for_each_side(*bridge, [&](const access_statistics& counted, bool memory, std::uint32_t k) {
            access_summary s = summary_of(counted);
            if (!memory && s.accesses == 0) return;
            s.bridge = bridge->name();
            s.memory = memory;
            s.number = k;
            s.node = bridge->node();
            s.most_outstanding = memory ? bridge->memory_counts_of(k).most_held
                                        : bridge->initiator_counts_of(k).most_outstanding;
            all.push_back(std::move(s));
        });
    return all;
}

void access_report::write_timeline(std::ostream& out) const {
    table t(timeline_form, out);
    for (memory_bridge_base* bridge : m_bridges)
        for_each_side(*bridge, [&](const access_statistics& counted, bool memory, std::uint32_t k) {
            const double length = m_length.to_seconds();
            for (std::size_t n = 0; n < counted.intervals().size(); ++n) {
                const access_statistics::interval& i = counted.intervals()[n];
                t.row(static_cast<double>(n) * (m_length / sc_core::sc_time(1, sc_core::SC_NS)),
                      bridge->name(), memory ? "memory" : "initiator", k, i.accesses, i.bytes,
                      i.outstanding.to_seconds() / length);
            }
        });
}

void access_report::keep_intervals(const sc_core::sc_time& length) {
    m_length = length;
    count_all();
    for (memory_bridge_base* bridge : m_bridges)
        for_each_side(*bridge, [&](access_statistics& s, bool, std::uint32_t) { s.keep_intervals(length); });
}

void access_report::over() {
    if (m_out != nullptr) print(*m_out, results());
    m_out = nullptr;
}

}  // namespace sare
