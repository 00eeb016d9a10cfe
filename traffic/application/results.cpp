// SPDX-License-Identifier: Apache-2.0
#include "traffic/application/application.h"

#include "tlm/stats/results.h"

#include <array>
#include <cmath>

/// The results of an application, in summary.json and in applications.csv.
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

const table_form applications_form{"applications.csv", R"(
    application: text. Its name.
    background: count. 1: the run does not wait for it.
    tasks: count. How many it has.
    nodes: count. On so many nodes.
    start_cycle: count in cycles. When it began.
    completion_cycles: count in cycles. From then to its end; empty where it has none.
    messages_generated: count in messages. Since the start.
    messages_consumed: count in messages. Since the start.
    messages_dropped: count in messages. Since the start.
    messages_inside_nodes: count in messages. Between tasks of one node, since the start.
    flits_generated: count in flits. Since the start.
    flits_consumed: count in flits. Since the start.
    bytes: count in bytes. Of the messages that were consumed.
    offered: number in flits/task/cycle. In the measured window.
    accepted: number in flits/task/cycle. In the measured window.
    latency_mean: number in cycles. Of messages, from generation.
    latency_stddev: number in cycles. Likewise.
    latency_min: number in cycles. Likewise.
    latency_p50: number in cycles. Likewise.
    latency_p95: number in cycles. Likewise.
    latency_p99: number in cycles. Likewise.
    latency_p999: number in cycles. Likewise.
    latency_max: number in cycles. Likewise.
    network_latency_mean: number in cycles. Of messages, from injection.
)"};

}  // namespace

table application::new_table() {
    return table(applications_form);
}

/// Returns a load in flits per task and cycle of the measured window.
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
