// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/verdict.h"
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

/// Completed, saturated or unsettled.
namespace sare::test::verdict_test {
namespace {

/// The status of a run, and the reason behind it.
std::string verdict_of(const std::string& yaml) {
    return in_child([&] {
        const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
        const run_result r = simulation(e).run(e);
        return std::string(to_string(r.status)) + " " + r.reason;
    });
}

/// Lines "source destination weight" in a file of its own, and the section that reads it.
class population {
  public:
    explicit population(const std::string& lines)
        : m_file(testing::TempDir() + "/sare-verdict-" + std::to_string(getpid()) + ".txt") {
        std::ofstream(m_file) << lines;
    }
    ~population() { std::remove(m_file.c_str()); }
    std::string pattern() const { return "pattern: {name: population, file: " + m_file + "}"; }

  private:
    std::string m_file;
};

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Nodes 0 and 1 offer node 2 1.4 flits a cycle, and all others are in pairs: 97% of what is offered is
/// accepted.
TEST(Verdict, IsSaturatedForTwoBlockedSources) {
    std::string lines = "0 2 1\n1 2 1\n";
    for (int n = 2; n < 40; ++n)
        lines += std::to_string(n) + " " + std::to_string(n == 39 ? 0 : n + 1) + " 1\n";
    const population all(lines);
    const std::string said = verdict_of(
        "network: {topology: crossbar, n: 40}\nrouting: table\nrouter: {vcs: 8, depth: 32}\n"
        "traffic: {workload: bernoulli, load: 0.7, length: 16, " +
        all.pattern() + "}");
    EXPECT_EQ(said.rfind("saturated 2 of 40 sources cannot send what they are offered: node ", 0), 0U)
        << said;
    EXPECT_TRUE(says(said, "node 0 (0.7")) << said;
    EXPECT_TRUE(says(said, "node 1 (0.7")) << said;
    EXPECT_TRUE(says(said, " flits/node/cycle are offered and ")) << said;
}

TEST(Verdict, IsSaturatedForStarvingSourcesOnALine) {
    const population all("0 3 1\n1 3 1\n2 3 1\n");
    const std::string said = verdict_of(
        "network: {topology: mesh, dims: [4]}\nrouter: {vcs: 1, depth: 8}\n"
        "traffic: {workload: bernoulli, load: 0.9, length: 4, " +
        all.pattern() +
        "}\n"
        "measurement: {convergence_count: 0}");
    EXPECT_EQ(said.rfind("saturated 3 of 3 sources", 0), 0U) << said;
}

/// Few and long packets: neither saturated nor anything else.
TEST(Verdict, IsCompletedForLowLoads) {
    for (const char* load : {"0.01", "0.05"})
        for (const char* dims : {"[2, 2]", "[4, 4]"})
            for (const char* count : {"3", "0"}) {
                const std::string said =
                    verdict_of(std::string("network: {topology: mesh, dims: ") + dims +
                               "}\nrouter: {vcs: 2, depth: 8}\n" +
                               "traffic: {workload: bernoulli, length: 32, load: " + load + "}\n" +
                               "measurement: {batch: 5000, convergence_count: " + count + "}");
                EXPECT_EQ(said, "completed ") << load << " " << dims << " " << count;
            }
}

/// So many are in each batch, about.
TEST(Verdict, TakesIntervalsLongEnoughForTheirPackets) {
    for (const std::uint32_t packets : {0U, 50U, 400U}) {
        const std::string said = in_child([packets] {
            experiment e = experiment::read(
                config::parse_yaml("network: {topology: mesh, dims: [4, 4]}\nrouting: dor\n"
                                   "traffic: {workload: bernoulli, length: 32, load: 0.02}\n",
                                   "test"),
                "");
            e.measurement.interval_packets = packets;
            const run_result r = simulation(e).run(e);
            return std::to_string(r.measured_to - r.measured_from);
        });
        const double expected = packets == 0 ? 10'000 : 10 * packets / (16 * 0.02 / 32);
        EXPECT_NEAR(std::stod(said), expected, 0.2 * expected) << packets;
    }
}

TEST(Verdict, IsUnsettledForTooFewPackets) {
    const std::string quiet =
        "network: {topology: mesh, dims: [2, 2]}\nrouting: dor\nmeasurement: {convergence_count: 0}\n";
    const std::string said = verdict_of(quiet + "traffic: {workload: bernoulli, load: 0.0001}");
    EXPECT_EQ(said.rfind("unsettled ", 0), 0U) << said;
    EXPECT_TRUE(says(said, "arrived in the measured window, too few for a mean")) << said;
    EXPECT_EQ(verdict_of(quiet + "traffic: {workload: bernoulli, load: 0}"), "completed ");
}

TEST(Verdict, IsUnsettledWhileTheNetworkFills) {
    const std::string said = verdict_of(
        "network: {topology: mesh, dims: [8, 8], link_latency: 50}\nrouting: dor\nrouter: {vcs: 4, depth: "
        "64}\n"
        "traffic: {workload: bernoulli, load: 0.2}\n"
        "measurement: {warmup: 0, convergence_count: 0, batches: 1, batch: 200}");
    EXPECT_EQ(said.rfind("unsettled the network was still filling", 0), 0U) << said;
}

/// What buffers hide from sources; but not where one source alone fills a link, all that it can carry.
TEST(Verdict, IsUnsettledForANearlyFullLink) {
    const auto said = [](const std::string& traffic) {
        return verdict_of(
            "network: {topology: crossbar, n: 8}\nrouting: table\nrouter: {vcs: 8, depth: 64}\n"
            "traffic: {workload: bernoulli, " +
            traffic + "}");
    };
    const std::string hot = "length: 16, pattern: {name: hotspot, nodes: [0], fraction: 1}, load: ";
    const std::string full = said(hot + "0.139");
    EXPECT_EQ(full.rfind("unsettled too short to tell whether the ejection of node 0 can carry what is "
                         "offered to it: it was used for 9",
                         0),
              0U)
        << full;
    EXPECT_EQ(said(hot + "0.1"), "completed ");
    EXPECT_EQ(said("length: 1, pattern: neighbour, load: 1"), "completed ");
}

/// A class of few messages, which the others do not let through.
TEST(Verdict, NamesAClassThatStarves) {
    const std::string said = verdict_of(
        "network: {topology: crossbar, n: 8}\nrouting: table\n"
        "router: {vcs: 4, depth: 16, va_arbiter: priority, sa_arbiter: priority}\nnic: {arbiter: priority}\n"
        "traffic: {workload: bernoulli, load: 0.155, length: 4, classes: {0: 0.1, 1: 0.9}, pattern: {name: "
        "hotspot, nodes: [0], fraction: 1}}");
    EXPECT_TRUE(says(said, "saturated 7 of 8 sources")) << said;
    EXPECT_TRUE(says(said, "; of class 0 0.0")) << said;
    EXPECT_TRUE(says(said, "; messages of class 0 pile up in these sources; ")) << said;
}

/// A line through the means of batches.
TEST(Verdict, IsUnsettledForAMeanThatMoves) {
    for (const double slope : {0.0, 20.0}) {
        run_result r;
        r.offered = r.accepted = 0.5;
        r.packet_latency.from_generation.count = 10'000;
        r.packet_latency.from_generation.mean = 190;
        r.packet_latency.from_generation.ci95 = 3;
        for (int n = 0; n < 10; ++n)
            r.batches.push_back({0, 0, 190 + slope * (n - 4.5) + (n % 2 == 0 ? 2 : -2), 0.5, 0.5});
        judge({{}, "", 0.05}, r);
        EXPECT_EQ(r.status, slope == 0 ? run_status::completed : run_status::unsettled) << r.reason;
        EXPECT_EQ(std::isnan(r.packet_latency.from_generation.ci95), slope != 0);
        EXPECT_EQ(says(r.reason, "from 100.5 to 279.5 cycles"), slope != 0) << r.reason;
    }
}

}  // namespace
}  // namespace sare::test::verdict_test
