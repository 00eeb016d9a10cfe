// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/network/stepped/idle_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

/// The statistic `message_sizes`: latency and slowdown of messages by size.
namespace sare::test::message_sizes_test {
namespace {

constexpr const char* statistic = "measurement: {statistics: [message_sizes]}\n";

run_result run(const std::string& yaml) {
    const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
    return simulation(e).run(e);
}

/// A row of message_sizes.csv, in the order of its columns.
struct row {
    double from, to, messages, latency_mean, latency_p50, latency_p99, idle_mean, slowdown_mean, slowdown_p50,
        slowdown_p99, slowdown_max;
};
std::vector<row> rows_of(const run_result& r) {
    std::vector<row> all;
    for (const auto& [name, text] : r.tables) {
        if (name != "message_sizes.csv") continue;
        std::istringstream in(text);
        std::string line, cell;
        for (std::getline(in, line); std::getline(in, line);) {
            std::istringstream cells(line);
            row one{};
            for (double* x = &one.from; std::getline(cells, cell, ','); ++x)
                *x = cell.empty() ? INFINITY : std::stod(cell);
            all.push_back(one);
        }
    }
    return all;
}

std::string text_of(const row& r) {
    std::ostringstream text;
    text << r.from << "-" << r.to << ": " << r.messages << " messages, latency " << r.latency_mean
         << ", slowdown " << r.slowdown_mean << " to " << r.slowdown_max;
    return text.str();
}

/// Lone messages of 1 to 200 flits, shorter and longer than a packet, also where credits or links limit them.
/// Where packets of a message meet, those that the arbiters served before decide who goes first.
TEST(MessageSizes, SlowdownIsOneInAnIdleNetwork) {
    const std::string mesh = "network: {topology: mesh, dims: [4, 4]}\n";
    for (const std::string& network :
         {mesh, mesh + "router: {vcs: 1, depth: 3}\nnic: {max_packet_flits: 5, pad: true}\n",
          std::string(
              "network: {topology: mesh, dims: [4, 4], link_latency: 9}\nrouter: {vcs: 2, depth: 4}\n"),
          std::string(
              "network: {topology: torus, dims: [4, 4], link_cycles_per_flit: 3}\nrouter: {vcs: 4}\n"),
          std::string(
              "network: {topology: torus, dims: [4, 4]}\nrouter: {kind: bubble, vcs: 1, packet: 8}\n"),
          std::string("network: {topology: kary_ntree, k: 4, n: 2}\n"),
          std::string("network: {topology: dragonfly, p: 2, a: 4, h: 2}\nrouter: {vcs: 4}\nlinks: "
                      "[{between: [0, 1], latency: 40}]\n"),
          mesh + "router: {switching: store_and_forward, depth: 64}\nnic: {max_packet_flits: 16}\n",
          mesh + "nic: {retransmission: go_back_n, window: 64}\n", mesh + "fidelity: analytic\n",
          mesh + "fidelity: node_links\n"})
        EXPECT_EQ(in_child([&] {
                      const run_result r =
                          run(network +
                              "traffic: {workload: ping, pairs: [[0, 15], [0, 1], [0, 6]], rounds: 8, "
                              "interval: 3000, length: {name: range, min: 1, max: 200}}\n" +
                              statistic);
                      const double slack = network.find("store_and_forward") == std::string::npos ? 0 : 0.03;
                      const auto is_off = [slack](double slowdown) {
                          return std::fabs(slowdown - 1) > slack;
                      };
                      double messages = 0;
                      std::string wrong = is_off(r.figure_of("slowdown.p99")) ? "p99; " : "";
                      for (const row& one : rows_of(r)) {
                          messages += one.messages;
                          if (is_off(one.slowdown_mean) || is_off(one.slowdown_max) ||
                              is_off(one.latency_mean / one.idle_mean))
                              wrong += text_of(one) + "; ";
                      }
                      return wrong + std::to_string(static_cast<int>(messages));
                  }),
                  "24")
            << network;
}

/// The last of n messages of L flits for one node ends (n - 1) L cycles later than alone.
TEST(MessageSizes, SlowdownOfAnIncastIsItsClosedForm) {
    for (const int senders : {2, 3, 5})
        for (const int flits : {16, 64, 250})
            EXPECT_EQ(
                in_child([&] {
                    const run_result r = run(
                        "network: {topology: mesh, dims: [1], concentration: " + std::to_string(senders + 1) +
                        "}\nrouter: {vcs: 8, depth: 8}\nnic: {max_packet_flits: 16, ejection_depth: 4096}\n"
                        "traffic: {workload: incast, bytes: " +
                        std::to_string(16 * flits) + "}\n" + statistic);
                    const std::vector<row> all = rows_of(r);
                    if (all.size() != 1) return std::to_string(all.size()) + " rows";
                    const row& one = all[0];
                    const double idle = one.idle_mean, size = 16 * flits,
                                 slowest = 1 + (senders - 1) * flits / idle;
                    const bool right = one.messages == senders && one.from <= size && size < one.to &&
                                       std::fabs(one.slowdown_max - slowest) < 0.001;
                    return right ? std::string() : text_of(one) + ", and not " + std::to_string(slowest);
                }),
                "")
                << senders << " " << flits;
}

/// Rows add up to the messages of the run, and no message is faster than alone.
TEST(MessageSizes, RowsAddUpToTheRun) {
    for (const std::string edges : {"", ", edges: [100, 101, 3000]"})
        EXPECT_EQ(in_child([&] {
                      const run_result r = run(
                          "network: {topology: mesh, dims: [5, 5]}\nrouter: {vcs: 2}\n"
                          "traffic: {workload: poisson, load: 0.3, length: {name: range, min: 1, max: 90}}\n"
                          "measurement: {warmup: 300, convergence_count: 0, batch: 500, batches: 3, "
                          "statistics: [{name: message_sizes" +
                          edges + "}]}\n");
                      double messages = 0, latency = 0, slowdown = 0;
                      std::string wrong;
                      for (const row& one : rows_of(r)) {
                          messages += one.messages;
                          latency += one.messages * one.latency_mean;
                          slowdown += one.messages * one.slowdown_mean;
                          if (one.idle_mean > one.latency_mean || one.slowdown_p50 < 1) wrong += text_of(one);
                      }
                      const latency_summary& l = r.message_latency.from_generation;
                      if (messages != static_cast<double>(l.count)) wrong += " count";
                      if (std::fabs(latency / messages - l.mean) > 1e-9 * l.mean) wrong += " mean";
                      if (std::fabs(slowdown / messages - r.figure_of("slowdown.mean")) > 1e-9)
                          wrong += " slowdown";
                      return wrong;
                  }),
                  "")
            << edges;
}

TEST(MessageSizes, RefusesEdgesThatDoNotAscend) {
    const std::string said = in_child([] {
        return run("network: {topology: mesh, dims: [2, 2]}\ntraffic: {workload: ping}\n"
                   "measurement: {statistics: [{name: message_sizes, edges: [8, 8]}]}\n")
            .reason;
    });
    EXPECT_NE(said.find("'edges' must ascend, and 8 comes behind 8"), std::string::npos) << said;
}

/// Also with clocks of 3 and 7 cycles, slots, credits and measurements at times, tokens, and links that
/// sleep.
TEST(MessageSizes, AsksTheIdleNetworkTheSameWhateverWasAskedBefore) {
    const std::string mesh = "network: {topology: mesh, dims: [4]}\n";
    for (const std::string& network :
         {mesh + "domains: {slow: {routers: 1, clock: 3}, slower: {routers: 2, clock: 7}}\n",
          std::string("network: {topology: omega, k: 2, n: 2}\nrouter: {kind: spinet, slot: 41}\n"),
          mesh + "router: {depth: 2, credit_batch: 13}\n",
          mesh + "router: {kind: bubble, vcs: 1, packet: 4, global_limit: 0.1, global_interval: 50}\n"
                 "nic: {max_packet_flits: 4}\n",
          std::string(
              "network: {topology: torus, dims: [4]}\nrouter: {kind: apenet, credit_interval: 777}\n"),
          mesh + "nic: {rate: 0.1, burst: 70}\n",
          std::string("network: {topology: slim_fly, q: 5}\nrouting: slim_fly_valiant\nrouter: {vcs: 4}\n"
                      "nic: {max_packet_flits: 8}\n"),
          std::string("network: {topology: mesh, dims: [4], link_wake: 30, link_idle: 200}\n")})
        EXPECT_EQ(in_child([&] {
                      const experiment e = experiment::read(
                          config::parse_yaml(network + "traffic: {workload: bernoulli, load: 0.1}\n", "test"),
                          testing::TempDir());
                      std::vector<message> all(8);
                      for (std::uint32_t k = 0; k < 8; ++k)
                          all[k].source = k % 4, all[k].destination = 3 - k % 4, all[k].flits = 2 + 11 * k;
                      const auto map = e.make_map();
                      const auto ahead = idle_latencies(e, *map, 1), back = idle_latencies(e, *map, 1);
                      std::string there, again;
                      for (const message& m : all) there += std::to_string(ahead(m)) + " ";
                      for (std::uint32_t k = 8; k-- > 0;) again = std::to_string(back(all[k])) + " " + again;
                      return there == again ? "" : there + "and not " + again;
                  }),
                  "")
            << network;
}

/// Combiners end messages, and send others.
TEST(MessageSizes, RefusesCombiners) {
    const std::string said = in_child([] {
        return run("network: {topology: mesh, dims: [2, 2]}\ncombining: {entries: 4}\n"
                   "traffic: {workload: collective, operation: barrier, collectives: {barrier: in_network}}\n"
                   "measurement: {statistics: [message_sizes]}\n")
            .reason;
    });
    EXPECT_NE(said.find("'combining' ends them in combiners; or clocks change"), std::string::npos) << said;
}

}  // namespace
}  // namespace sare::test::message_sizes_test
