// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

#include <algorithm>
#include <cmath>

/// Figures of a run.
namespace sare {
namespace {

auto run_number(double run_result::*member) {
    return [member](const reading& r, const figure_place&) { return figure_cell(r.out.*member); };
}

figure of_run(const std::string& name, const std::string& unit, const std::string& sentence,
              double run_result::*member) {
    return {scope::run, name, unit, sentence, summing::as_is, run_number(member)};
}

/// Of the loads of batches: with one alone there is no deviation.
double deviation_of(const std::vector<batch_result>& all, double batch_result::*load) {
    double sum = 0, squares = 0;
    for (const batch_result& b : all) sum += b.*load;
    const double n = static_cast<double>(all.size()), mean = sum / n;
    for (const batch_result& b : all) squares += (b.*load - mean) * (b.*load - mean);
    return all.size() < 2 ? std::nan("") : std::sqrt(squares / (n - 1));
}
double most_of(const std::vector<batch_result>& all, double batch_result::*load) {
    double most = 0;
    for (const batch_result& b : all) most = std::max(most, b.*load);
    return most;
}

figure of_batches(const std::string& name, const std::string& sentence,
                  double (*how)(const std::vector<batch_result>&, double batch_result::*),
                  double batch_result::*load) {
    return {
        scope::run,
        name,
        "flits/node/cycle",
        sentence,
        summing::as_is,
        [how, load](const reading& r, const figure_place&) { return figure_cell(how(r.out.batches, load)); },
        [](const reading& r) { return !r.out.batches.empty(); }};
}

const figures_declaration run_loads{
    0,
    {of_run("load.offered", "flits/node/cycle", "What the workload made, in the measured window.",
            &run_result::offered),
     {scope::run, "load.refused", "flits/node/cycle", "Of that, what full source queues refused.",
      summing::as_is, run_number(&run_result::refused), [](const reading& r) { return r.out.refused > 0; }},
     of_run("load.injected", "flits/node/cycle", "What entered the network.", &run_result::injected),
     of_run("load.accepted", "flits/node/cycle", "What came to nodes.", &run_result::accepted),
     of_batches("load.offered_stddev", "Standard deviation of it over batches.", deviation_of,
                &batch_result::offered),
     of_batches("load.offered_max", "The most of a batch.", most_of, &batch_result::offered),
     of_batches("load.injected_stddev", "Standard deviation of it over batches.", deviation_of,
                &batch_result::injected),
     of_batches("load.injected_max", "The most of a batch.", most_of, &batch_result::injected),
     of_batches("load.accepted_stddev", "Standard deviation of it over batches.", deviation_of,
                &batch_result::accepted),
     of_batches("load.accepted_max", "The most of a batch.", most_of, &batch_result::accepted)}};

/// Of packets or messages, from one of the two times on: all figures of a latency.
void add_latency(const std::string& what, latency_pair run_result::*pair, const std::string& since,
                 latency_summary latency_pair::*half, std::vector<figure>& all) {
    const std::string keys = "latency." + what + ".from_" + since + ".";
    all.push_back(
        {scope::run, keys + "count", "", "Those consumed in the measured window.", summing::total,
         [=](const reading& r, const figure_place&) { return figure_cell((r.out.*pair.*half).count); }});
    struct row {
        const char *key, *sentence;
        double latency_summary::*member;
    };
    for (const row& each :
         {row{"mean", "Mean", &latency_summary::mean},
          row{"stddev", "Standard deviation", &latency_summary::stddev},
          row{"ci95", "Half width of the 95% confidence interval of the mean", &latency_summary::ci95},
          row{"min", "Least", &latency_summary::min}, row{"max", "Largest", &latency_summary::max},
          row{"p50", "Median", &latency_summary::p50}, row{"p95", "95th percentile", &latency_summary::p95},
          row{"p99", "99th percentile", &latency_summary::p99},
          row{"p999", "99.9th percentile", &latency_summary::p999}})
        all.push_back({scope::run, keys + each.key, "cycles",
                       std::string(each.sentence) + " of their latencies.", summing::as_is,
                       [pair, half, member = each.member](const reading& r, const figure_place&) {
                           return figure_cell(r.out.*pair.*half.*member);
                       }});
}

std::vector<figure> latencies() {
    std::vector<figure> all;
    for (const auto& [what, pair] :
         {std::pair{"packet", &run_result::packet_latency}, {"message", &run_result::message_latency}}) {
        add_latency(what, pair, "generation", &latency_pair::from_generation, all);
        add_latency(what, pair, "injection", &latency_pair::from_injection, all);
    }
    return all;
}

const figures_declaration run_latencies{10, latencies()};

const figures_declaration run_hops{
    20,
    {of_run("hops.mean", "routers", "Mean number of routers that packets visited.", &run_result::hops_mean),
     of_run("hops.max", "routers", "The most routers that a packet visited.", &run_result::hops_max)}};

const figures_declaration run_fairness{
    30,
    {of_run("fairness.accepted.min", "flits/cycle", "The least accepted load of a node.",
            &run_result::fairness_min),
     of_run("fairness.accepted.max", "flits/cycle", "The largest accepted load of a node.",
            &run_result::fairness_max),
     of_run("fairness.accepted.jain", "", "Jain's index of fairness of the accepted loads.",
            &run_result::fairness_jain)}};

}  // namespace
}  // namespace sare
