// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/fake_port.h"
#include "tests/traffic/statistics.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <tuple>

/// Sources whose messages are made when others are consumed.
namespace sare::testing_support::driven_test {
namespace {

double result(const workload& w, const char* key) {
    return std::stod(w.results().find(key)->text());
}

using entries = std::vector<std::pair<std::string, std::string>>;

/// Runs cycle by cycle; the port holds `all` messages in each, and gives those under way per source.
std::vector<std::vector<int>> expect_population(entries e, std::uint32_t nodes, std::uint64_t all) {
    e.insert(e.begin(), {"workload", "constant_population"});
    fake_port port(nodes, 7);
    auto w = make_workload(section(e), nodes);
    w->start(port);
    for (cycle_t t = 1; t <= 3000; ++t) {
        port.run(*w, t);
        EXPECT_EQ(port.sent.size() - port.delivered, all) << "in cycle " << t;
        if (port.sent.size() - port.delivered != all) break;
    }
    EXPECT_GT(port.delivered, 20 * all);
    EXPECT_FALSE(w->finished());
    EXPECT_EQ(result(*w, "population"), static_cast<double>(all));
    EXPECT_EQ(port.ticks, 1u);
    std::vector<std::vector<int>> sent(nodes, std::vector<int>(nodes, 0));
    for (const auto& m : port.sent) ++sent[m.source][m.destination];
    return sent;
}

TEST(constant_population, HoldsInEveryCycle) {
    for (const char* next : {"sender", "consumer"})
        for (const char* pattern : {"uniform", "hotspot", "tornado"})
            for (const char* length : {"1", "bimodal"}) {
                const entries e = {{"next", next}, {"pattern", pattern}, {"length", length}};
                auto per_node = e, in_all = e;
                per_node.push_back({"messages", "3"});
                in_all.push_back({"total", "5"});
                expect_population(per_node, 12, 36);
                expect_population(in_all, 12, 5);
            }
}

TEST(constant_population, SendsTheNextFromSenderOrConsumer) {
    // 1 sends to 0 only: its message never leaves it, or goes to 0 and from there on.
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "/round.txt") << "0 2 1\n1 0 1\n2 0 1\n";
    for (const bool moves : {false, true}) {
        fake_port port(4, 5);
        auto s = section({{"workload", "constant_population"}, {"next", moves ? "consumer" : "sender"}});
        s.set("pattern", section({{"name", "population"}, {"file", "round.txt"}}));
        auto w = make_workload(s, 4, folder);
        w->start(port);
        port.run(*w, 500);
        std::vector<int> sent(4, 0);
        for (const auto& m : port.sent) ++sent[m.source];
        EXPECT_EQ(sent[3], 0);
        EXPECT_EQ(sent[1] == 1, moves);
        EXPECT_EQ(port.sent.size() - port.delivered, 3u);
    }
}

TEST(constant_population, ReturnsToTheSenderFromSilentConsumers) {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "/one.txt") << "0 1 1\n";
    fake_port port(2, 5);
    auto s = section({{"workload", "constant_population"}, {"next", "consumer"}, {"messages", "2"}});
    s.set("pattern", section({{"name", "population"}, {"file", "one.txt"}}));
    auto w = make_workload(s, 2, folder);
    w->start(port);
    port.run(*w, 400);
    EXPECT_EQ(port.sent.size() - port.delivered, 2u);
    EXPECT_GT(port.delivered, 100u);
}

TEST(constant_population, SendsToDestinationsOfItsPattern) {
    const auto sent = expect_population({{"pattern", "uniform"}, {"messages", "8"}}, 8, 64);
    std::vector<double> seen, expected;
    for (std::size_t s = 0; s < 8; ++s) {
        double all = 0;
        for (const int n : sent[s]) all += n;
        for (std::size_t d = 0; d < 8; ++d) {
            seen.push_back(sent[s][d]);
            expected.push_back(s == d ? 0 : all / 7);
        }
    }
    expect_chi_square(seen, expected);
}

/// A branching process: of N that begin, with m children on average and their variance v, N / (1 - m) come
/// in all, with variance N v / (1 - m)^3.
TEST(reactive, HasTheProgenyOfTheBranchingFormula) {
    for (const auto& [q, low, high] : {std::tuple{0.5, 1, 1}, std::tuple{0.3, 1, 4}, std::tuple{0.9, 1, 1}}) {
        fake_port port(64, 3);
        auto w = make_workload(section({{"workload", "reactive"},
                                        {"initial", "100"},
                                        {"probability", config::number_text(q)},
                                        {"min", std::to_string(low)},
                                        {"max", std::to_string(high)},
                                        {"length", "range"}}),
                               64);
        EXPECT_TRUE(w->runs_to_completion());
        w->start(port);
        EXPECT_FALSE(w->finished());
        port.run(*w, 10000000);
        EXPECT_TRUE(w->finished());
        EXPECT_EQ(port.delivered, port.sent.size());
        double squares = 0;
        for (int k = low; k <= high; ++k) squares += q * k * k / (high - low + 1);
        const double m = q * (low + high) / 2, n = 6400;
        const double sigma = std::sqrt(n * (squares - m * m) / std::pow(1 - m, 3));
        EXPECT_NEAR(static_cast<double>(port.sent.size()), n / (1 - m), 3 * sigma);
        EXPECT_EQ(result(*w, "mean_progeny") * n, static_cast<double>(port.sent.size()));
        EXPECT_EQ(result(*w, "messages"), static_cast<double>(port.sent.size()));
        EXPECT_EQ(port.ticks, 1u);
    }
}

TEST(reactive, HasTheGenerationsOfTheClosedForm) {
    // 1, 2, 4, ... from one node of two to the other and back, until 15 have been made.
    fake_port port(2, 10);
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "/from_0.txt") << "0 0 1\n";
    auto s = section(
        {{"workload", "reactive"}, {"probability", "1"}, {"min", "2"}, {"max", "2"}, {"limit", "15"}});
    s.set("pattern", section({{"name", "population"}, {"file", "from_0.txt"}}));
    auto w = make_workload(s, 2, folder);
    EXPECT_TRUE(w->runs_to_completion());
    w->start(port);
    port.run(*w, 1000);
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(port.sent.size(), 15u);
    EXPECT_EQ(result(*w, "generations"), 4);
    std::vector<int> of(5, 0);
    for (const auto& m : port.sent) ++of[m.tag];
    EXPECT_EQ(of, (std::vector<int>{0, 1, 2, 4, 8}));
    EXPECT_EQ(result(*w, "last_consumption_cycle"), 10 + 10 + 10 + 10 + 7);
}

/// Each of a node's own brings 1 / (1 - m) messages in all, m = 0.5.
TEST(reactive, MakesMessagesOfItsOwnAtARate) {
    fake_port port(8, 3);
    auto w = make_workload(
        section({{"workload", "reactive"}, {"initial", "0"}, {"load", "0.02"}, {"length", "2"}}), 8);
    w->start(port);
    port.run(*w, 200000);
    const double own = 8 * 200000 * 0.01;
    EXPECT_NEAR(result(*w, "initial_messages"), own, 4 * std::sqrt(own));
    EXPECT_NEAR(result(*w, "mean_progeny"), 2, 0.08);
    EXPECT_FALSE(w->finished());
    EXPECT_FALSE(w->runs_to_completion());
}

TEST(reactive, HasNoEndWhereItNeedNotDieOut) {
    const entries all = {{"workload", "reactive"}, {"probability", "1"}};
    EXPECT_FALSE(make_workload(section(all), 4)->runs_to_completion());
    fake_port port(4);
    auto w = make_workload(section(all), 4);
    w->start(port);
    port.run(*w, 5000);
    EXPECT_FALSE(w->finished());
    EXPECT_EQ(port.sent.size() - port.delivered, 4u);
}

TEST(ping, SendsBetweenAllPairs) {
    fake_port port(5, 10);
    auto w = make_workload(section({{"workload", "ping"}, {"length", "3"}, {"rounds", "2"}}), 5);
    EXPECT_TRUE(w->runs_to_completion());
    w->start(port);
    for (cycle_t t = 1; !w->finished() && t < 10000; ++t) {
        port.run(*w, t);
        EXPECT_LE(port.longest_queue, 1u);
        EXPECT_LE(port.sent.size() - port.delivered, 5u);
    }
    EXPECT_EQ(port.sent.size(), 5u * 4 * 2);
    const auto tables = w->tables();
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(tables[0].first, "pings.csv");
    std::string expected = "source,destination,probes,min_cycles,mean_cycles,max_cycles,lost\n";
    for (int s = 0; s < 5; ++s)
        for (int d = 0; d < 5; ++d)
            if (s != d) expected += std::to_string(s) + ',' + std::to_string(d) + ",2,12,12,12,0\n";
    EXPECT_EQ(tables[0].second, expected);
    EXPECT_EQ(result(*w, "pairs"), 20);
    EXPECT_EQ(result(*w, "max_message_cycles"), 12);
}

TEST(ping, SendsBetweenGivenPairs) {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "/flits.txt") << "2 1\n5 3\n";
    fake_port port(4, 10);
    auto s = section({{"workload", "ping"}, {"rounds", "1000"}});
    s.set("pairs", config::value::list({config::value::list({text("3"), text("0")}),
                                        config::value::list({text("1"), text("1")})}));
    s.set("length", section({{"name", "file"}, {"file", "flits.txt"}}));
    auto w = make_workload(s, 4, folder);
    w->start(port);
    port.run(*w, 1000000);
    EXPECT_TRUE(w->finished());
    std::istringstream in(w->tables()[0].second);
    std::string line;
    std::getline(in, line);
    for (const std::string ends : {"1,1,", "3,0,"}) {
        ASSERT_TRUE(std::getline(in, line));
        EXPECT_EQ(line.substr(0, 12), ends + "1000,11,");
        EXPECT_NEAR(std::stod(line.substr(12)), 10 + 0.25 * 1 + 0.75 * 4, 0.15) << line;
        EXPECT_EQ(line.substr(line.size() - 5), ",14,0");
    }
    EXPECT_FALSE(std::getline(in, line));
}

/// Probes that take longer than the interval, and a node that has none.
TEST(ping, SendsAtAFixedRate) {
    fake_port port(3, 100);
    auto s = section({{"workload", "ping"}, {"rounds", "4"}, {"interval", "30"}});
    s.set("pairs", config::value::list({config::value::list({text("0"), text("2")}),
                                        config::value::list({text("1"), text("0")})}));
    auto w = make_workload(s, 3);
    w->start(port);
    port.run(*w, 1000);
    EXPECT_TRUE(w->finished());
    ASSERT_EQ(port.sent.size(), 8u);
    for (unsigned k = 0; k < 8; ++k) {
        EXPECT_EQ(port.sent[k].generated, k / 2 * 30);
        EXPECT_EQ(port.sent[k].source, k % 2);
    }
    EXPECT_EQ(result(*w, "messages"), 8);
    EXPECT_EQ(result(*w, "mean_message_cycles"), 100);
}

TEST(driven, ReportsMistakesInOneLine) {
    const auto error = [](const entries& all) { return error_of([&] { make_workload(section(all), 4); }); };
    EXPECT_EQ(
        error({{"workload", "reactive"}, {"initial", "0"}}),
        "test.yaml:1:2: workload 'reactive': 'initial' and 'load' are both 0, so no message is ever made");
    const std::string no_mean =
        " in the mean ('probability' times the mean of 'min' and 'max'), so their number grows without bound "
        "and has no mean; lower it below 1, or end it by 'limit'";
    const std::string triggers = "test.yaml:1:2: workload 'reactive': a message triggers ";
    EXPECT_EQ(error({{"workload", "reactive"}, {"max", "4"}}), triggers + "1.25" + no_mean);
    EXPECT_EQ(error({{"workload", "reactive"}, {"max", "3"}}), triggers + "1" + no_mean);
    EXPECT_EQ(error({{"workload", "reactive"}, {"probability", "1"}, {"load", "0.1"}}),
              triggers + "1" + no_mean);
    EXPECT_EQ(error({{"workload", "reactive"}, {"max", "4"}, {"limit", "9"}}), "");
    EXPECT_EQ(error({{"workload", "reactive"}, {"min", "3"}}),
              "test.yaml:1:2: workload 'reactive': min 3 is above max 1");
    EXPECT_EQ(error({{"workload", "reactive"}, {"probability", "1.5"}}),
              "test.yaml:1:2: 'probability' is 1.5; it must be from 0 to 1");
    EXPECT_EQ(error({{"workload", "constant_population"}, {"messages", "0"}}),
              "test.yaml:1:2: 'messages' is 0; it must be from 1 to 1048576");
    EXPECT_EQ(error({{"workload", "constant_population"}, {"next", "receiver"}}),
              "test.yaml:1:2: unknown next 'receiver'; one of: sender, consumer");
    const auto pairs = [](const std::vector<config::value>& pair) {
        auto s = section({{"workload", "ping"}});
        s.set("pairs", config::value::list({config::value::list(pair)}, {"test.yaml", 3, 4}));
        return error_of([&] { make_workload(s, 4); });
    };
    EXPECT_EQ(pairs({text("1")}), "test.yaml:3:4: workload 'ping': a pair must be [source, destination]");
    EXPECT_EQ(pairs({text("1"), text("4")}),
              "test.yaml:3:4: workload 'ping': there is no node 4; nodes are 0 to 3");
}

}  // namespace
}  // namespace sare::testing_support::driven_test
