// SPDX-License-Identifier: Apache-2.0
#include "traffic/application/application.h"

#include <array>
#include <cmath>

/// What is told of an application, in summary.json and in applications.csv.
namespace sare::traffic {
namespace {

using config::number;
using latency_column = std::pair<const char*, double latency_summary::*>;

constexpr std::array<latency_column, 8> latency_columns{{{"mean", &latency_summary::mean},
                                                         {"stddev", &latency_summary::stddev},
                                                         {"min", &latency_summary::min},
                                                         {"p50", &latency_summary::p50},
                                                         {"p95", &latency_summary::p95},
                                                         {"p99", &latency_summary::p99},
                                                         {"p999", &latency_summary::p999},
                                                         {"max", &latency_summary::max}}};

config::value latency(const latency_summary& s) {
    config::value out = config::value::map({{"count", number(s.count)}});
    for (const auto& [name, member] : latency_columns) out.set(name, number(s.*member));
    return out;
}

const table_form applications_form{
    "applications.csv",
    {{"application", column::text, "", "Its name."},
     {"background", column::count, "", "1: the run does not wait for it."},
     {"tasks", column::count, "", "How many it has."},
     {"nodes", column::count, "", "On so many nodes."},
     {"start_cycle", column::count, "cycles", "When it began."},
     {"completion_cycles", column::count, "cycles", "From then to its end; empty where it has none."},
     {"messages_generated", column::count, "messages", "Since the start."},
     {"messages_consumed", column::count, "messages", "Since the start."},
     {"messages_dropped", column::count, "messages", "Since the start."},
     {"messages_inside_nodes", column::count, "messages", "Between tasks of one node, since the start."},
     {"flits_generated", column::count, "flits", "Since the start."},
     {"flits_consumed", column::count, "flits", "Since the start."},
     {"bytes", column::count, "bytes", "Of the messages that were consumed."},
     {"offered", column::number, "flits/task/cycle", "In the measured window."},
     {"accepted", column::number, "flits/task/cycle", "In the measured window."},
     {"latency_mean", column::number, "cycles", "Of messages, from generation."},
     {"latency_stddev", column::number, "cycles", "Likewise."},
     {"latency_min", column::number, "cycles", "Likewise."},
     {"latency_p50", column::number, "cycles", "Likewise."},
     {"latency_p95", column::number, "cycles", "Likewise."},
     {"latency_p99", column::number, "cycles", "Likewise."},
     {"latency_p999", column::number, "cycles", "Likewise."},
     {"latency_max", column::number, "cycles", "Likewise."},
     {"network_latency_mean", column::number, "cycles", "Of messages, from injection."}}};

}  // namespace

table application::new_table() {
    return table(applications_form);
}

/// In flits per task and cycle of the measured window.
double application::load(std::uint64_t flits) const {
    const double cycles = static_cast<double>(m_window.end - m_window.begin);
    return cycles > 0 ? static_cast<double>(flits) / cycles / m_tasks : 0;
}

config::value application::results() const {
    using config::value;
    value out = value::map({{"name", value::scalar(m_who.name)}});
    out.set("background", value::scalar(m.background ? "true" : "false"));
    out.set("tasks", number(m_tasks));
    out.set("nodes", number(m_nodes));
    out.set("start_cycle", number(m_network != nullptr ? first_cycle() : 0));
    if (complete()) {
        const cycle_t cycles = m_completed - first_cycle();
        out.set("completion_cycles", number(cycles));
        out.set("completion_seconds", number(static_cast<double>(cycles) * cycle_seconds()));
    }
    out.set("messages", value::map({{"generated", number(m_generated.messages)},
                                    {"consumed", number(m_consumed.messages)},
                                    {"dropped", number(m_lost)},
                                    {"inside_nodes", number(m_kept.messages)}}));
    out.set("flits",
            value::map({{"generated", number(m_generated.flits)}, {"consumed", number(m_consumed.flits)}}));
    out.set("bytes", number(m_consumed.bytes));
    out.set("load", value::map({{"offered", number(load(m_generated.flits - m_window.generated))},
                                {"accepted", number(load(m_consumed.flits - m_window.consumed))}}));
    out.set("latency", value::map({{"from_generation", latency(m_from_generation.summary())},
                                   {"from_injection", latency(m_from_injection.summary())}}));
    out.set("results", m_work->results());
    return out;
}

void application::add_row(table& to) const {
    const auto real = [&to](double x) { std::isfinite(x) ? to.cell(config::number_text(x)) : to.no_cell(); };
    to.cell(m_who.name);
    to.cell(m.background ? 1U : 0U);
    to.cell(m_tasks);
    to.cell(m_nodes);
    to.cell(first_cycle());
    complete() ? to.cell(m_completed - first_cycle()) : to.no_cell();
    to.counts({m_generated.messages, m_consumed.messages, m_lost, m_kept.messages, m_generated.flits,
               m_consumed.flits, m_consumed.bytes});
    real(load(m_generated.flits - m_window.generated));
    real(load(m_consumed.flits - m_window.consumed));
    const latency_summary s = m_from_generation.summary();
    for (const auto& each : latency_columns) real(s.*each.second);
    real(m_from_injection.summary().mean);
    to.end_row();
}

}  // namespace sare::traffic
