// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

/// The statistic `packet_series`, packets over time; loads over batches.
namespace sare::test::packet_series_test {
namespace {

using rows = std::vector<std::map<std::string, double>>;

rows read_again(const run_result& r) {
    rows all;
    for (const auto& [name, text] : r.tables) {
        if (name != "packets_over_time.csv") continue;
        std::istringstream in(text);
        std::vector<std::string> header;
        for (std::string line; std::getline(in, line);) {
            std::istringstream cells(line);
            std::vector<std::string> row;
            for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
            row.resize(std::max(row.size(), header.size()));
            if (header.empty()) {
                header = row;
                continue;
            }
            all.emplace_back();
            for (std::size_t k = 0; k < header.size(); ++k)
                all.back()[header[k]] = row[k].empty() ? std::nan("") : std::stod(row[k]);
        }
    }
    return all;
}

template <class F>
std::string after_run(const std::string& yaml, F&& check) {
    return in_child([&] {
        const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
        const run_result r = simulation(e).run(e);
        return check(r, read_again(r));
    });
}

/// A run to completion is measured from the first cycle: the intervals add up to its figures, with drops too.
TEST(PacketSeries, AddsUpToTheRun) {
    const std::string statistic = "measurement: {statistics: [{name: packet_series, interval: 37}]}\n";
    for (const std::string network :
         {"network: {topology: mesh, dims: [3, 3]}\n",
          "network: {topology: torus, dims: [3, 3]}\nrouter: {kind: bubble, vcs: 1, packet: 3, queue: 2, "
          "injection_length: 1, drop: tail}\n"})
        EXPECT_EQ(
            after_run(network +
                          "traffic: {workload: burst, messages: 40, bursts: 2, length: 3, load: 0.5}\n" +
                          statistic,
                      [](const run_result& r, const rows& all) {
                          std::map<std::string, double> sums;
                          double before = 0, latency = 0, squares = 0, most = 0, inside = 0, hops = 0;
                          std::ostringstream wrong;
                          for (auto row : all) {
                              if (row["from"] != before) wrong << "a gap before " << row["from"] << "; ";
                              before = row["to"];
                              for (const char* name : {"injected", "consumed", "dropped"})
                                  sums[name] += row[name];
                              if (row["consumed"] == 0) continue;
                              const double n = row["consumed"], mean = row["latency_mean"];
                              latency += n * mean;
                              squares += n * (row["latency_stddev"] * row["latency_stddev"] + mean * mean);
                              inside += n * row["network_latency_mean"];
                              hops += n * row["hops_mean"];
                              most = std::max(most, row["latency_max"]);
                          }
                          const latency_summary& l = r.packet_latency.from_generation;
                          const auto n = static_cast<double>(r.packets.consumed);
                          const auto is = [&](const char* what, double ours, double run) {
                              if (!(std::fabs(ours - run) <= 1e-6 * run))
                                  wrong << what << " " << ours << " and " << run << "; ";
                          };
                          is("cycles", before, static_cast<double>(r.cycles));
                          is("injected", sums["injected"], static_cast<double>(r.packets.injected));
                          is("consumed", sums["consumed"], n);
                          is("dropped", sums["dropped"], static_cast<double>(r.packets.dropped));
                          is("mean", latency / n, l.mean);
                          is("deviation", std::sqrt(squares / n - latency * latency / n / n), l.stddev);
                          is("most", most, l.max);
                          is("inside", inside / n, r.packet_latency.from_injection.mean);
                          is("hops", hops / n, r.hops_mean);
                          return wrong.str();
                      }),
            "")
            << network;
}

/// A constant rate has batches alike; a Bernoulli source has those of a binomial law.
TEST(LoadOfBatches, HasTheDeviationOfItsLaw) {
    const std::string network = "network: {topology: mesh, dims: [4, 4]}\n";
    const std::string window = "measurement: {warmup: 1000, convergence_count: 0, batch: 500, batches: 60}\n";
    EXPECT_EQ(after_run(network + window + "traffic: {workload: constant_rate, load: 0.2, length: 1}\n",
                        [](const run_result& r, const rows&) {
                            const double off = r.figure_of("load.offered_stddev");
                            return off < 1e-3 && std::fabs(r.figure_of("load.offered_max") - 0.2) < 2e-3
                                       ? std::string()
                                       : std::to_string(off);
                        }),
              "");
    EXPECT_EQ(after_run(network + window + "traffic: {workload: bernoulli, load: 0.2, length: 1}\n",
                        [](const run_result& r, const rows&) {
                            const double off = r.figure_of("load.offered_stddev"),
                                         law = std::sqrt(0.2 * 0.8 / (16 * 500));
                            const double most = r.figure_of("load.offered_max");
                            // The deviation of 60 samples' deviation is 1 / sqrt(118) of it.
                            return std::fabs(off / law - 1) < 0.3 && most > 0.2 && most < 0.2 + 4 * law
                                       ? std::string()
                                       : std::to_string(off) + " " + std::to_string(law) + " " +
                                             std::to_string(most);
                        }),
              "");
}

}  // namespace
}  // namespace sare::test::packet_series_test
