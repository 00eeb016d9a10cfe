// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

/// Figures of message classes, where there are several.
namespace sare {
namespace {

auto class_counter(std::uint64_t class_result::*member) {
    return [member](const reading& r, const figure_place& p) {
        return figure_cell(r.out.class_loads[p.row].*member);
    };
}

figure load_of_class(const char* name, const char* sentence, double class_result::*member) {
    return {scope::message_class,
            name,
            "flits/node/cycle",
            sentence,
            summing::as_is,
            [member](const reading& r, const figure_place& p) {
                return figure_cell(r.out.class_loads[p.row].*member);
            }};
}

figure latency_of_class(const std::string& name, const std::string& sentence,
                        latency_summary latency_pair::*since, double latency_summary::*member) {
    return {scope::message_class,
            name,
            "cycles",
            sentence,
            summing::as_is,
            [since, member](const reading& r, const figure_place& p) {
                return figure_cell(r.out.class_loads[p.row].latency.*since.*member);
            }};
}

std::vector<figure> class_figures() {
    const auto made = &latency_pair::from_generation;
    const auto sent = &latency_pair::from_injection;
    return {
        load_of_class("offered", "What the workload made.", &class_result::offered_load),
        load_of_class("injected", "Packets that began to leave their sources.", &class_result::injected_load),
        load_of_class("accepted", "Packets that came to nodes as a whole.", &class_result::accepted_load),
        {scope::message_class, "packets_generated", "packets",
         "Packets that the workload made; a message that waits counts as one.", summing::total,
         class_counter(&class_result::generated)},
        {scope::message_class, "packets_injected", "packets", "Packets sent into the network.",
         summing::total, class_counter(&class_result::injected)},
        {scope::message_class, "packets_consumed", "packets", "Packets that came to nodes.", summing::total,
         class_counter(&class_result::consumed)},
        latency_of_class("latency_mean", "Mean latency of packets, from generation.", made,
                         &latency_summary::mean),
        latency_of_class("latency_stddev", "Standard deviation of it.", made, &latency_summary::stddev),
        latency_of_class("latency_p50", "Median of it.", made, &latency_summary::p50),
        latency_of_class("latency_p95", "95th percentile of it.", made, &latency_summary::p95),
        latency_of_class("latency_p99", "99th percentile of it.", made, &latency_summary::p99),
        latency_of_class("latency_max", "Largest of it.", made, &latency_summary::max),
        latency_of_class("network_latency_mean", "Mean latency of packets, from injection.", sent,
                         &latency_summary::mean),
        latency_of_class("network_latency_p99", "99th percentile of it.", sent, &latency_summary::p99),
        latency_of_class("network_latency_max", "Largest of it.", sent, &latency_summary::max)};
}

const figures_declaration classes_declared{0, class_figures()};

}  // namespace
}  // namespace sare
