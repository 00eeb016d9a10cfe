// SPDX-License-Identifier: Apache-2.0
#include "traffic/application/application.h"

#include <array>
#include <cmath>

/// What is told of an application, in summary.json and in applications.csv.
namespace sare::traffic {
namespace {

using config::number;
using column = std::pair<const char*, double latency_summary::*>;

constexpr std::array<column, 8> latency_columns{{{"mean", &latency_summary::mean},
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

}  // namespace

/// In flits per task and cycle of the measured window.
double application::load(std::uint64_t flits) const {
    const double cycles = static_cast<double>(m_window_end - m_window_start);
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
    out.set("load", value::map({{"offered", number(load(m_generated.flits - m_generated_at_start))},
                                {"accepted", number(load(m_consumed.flits - m_consumed_at_start))}}));
    out.set("latency", value::map({{"from_generation", latency(m_from_generation.summary())},
                                   {"from_injection", latency(m_from_injection.summary())}}));
    out.set("results", m_work->results());
    return out;
}

const char* application::header() {
    return "application,background,tasks,nodes,start_cycle,completion_cycles,messages_generated,"
           "messages_consumed,messages_dropped,messages_inside_nodes,flits_generated,flits_consumed,bytes,"
           "offered,accepted,latency_mean,latency_stddev,latency_min,latency_p50,latency_p95,latency_p99,"
           "latency_p999,latency_max,network_latency_mean";
}

std::string application::row() const {
    std::string out = m_who.name + (m.background ? ",1" : ",0");
    const auto whole = [&out](std::uint64_t n) { out += ',' + std::to_string(n); };
    const auto real = [&out](double x) { out += ',' + (std::isfinite(x) ? config::number_text(x) : ""); };
    whole(m_tasks);
    whole(m_nodes);
    whole(first_cycle());
    if (complete())
        whole(m_completed - first_cycle());
    else
        out += ',';
    for (const std::uint64_t n : {m_generated.messages, m_consumed.messages, m_lost, m_kept.messages,
                                  m_generated.flits, m_consumed.flits, m_consumed.bytes})
        whole(n);
    real(load(m_generated.flits - m_generated_at_start));
    real(load(m_consumed.flits - m_consumed_at_start));
    const latency_summary s = m_from_generation.summary();
    for (const auto& each : latency_columns) real(s.*each.second);
    real(m_from_injection.summary().mean);
    return out;
}

}  // namespace sare::traffic
