// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/result_text.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>

/// Energies of domains whose clock and voltage change, and what such domains refuse.
namespace sare::test::power_levels_test {
namespace {

const std::string mesh =
    "clock_period: 500ps\nnetwork: {topology: mesh, dims: [4, 3]}\nrouter: {vcs: 2, depth: 4}\n"
    "nic: {flit_bytes: 4}\nmeasurement: {warmup: 200, convergence_count: 0, batch: 600, batches: 3}\n"
    "traffic: {workload: bernoulli, pattern: uniform, load: 0.1, length: 3}\n";
const std::string head = "format: sare-power\nversion: 1\nname: t\nmade: {by: hand, voltage: 1}\n";

/// Writes a table: a flit, a cycle, and time cost something in routers, NICs and links, at 1 V.
std::string costs(const std::string& more = "") {
    const std::string file = testing::TempDir() + "levels" + std::to_string(getpid()) + ".yaml";
    std::ofstream(file) << head
                        << "router:\n  energy: [{component: buffers, event: buffer_read, terms: {\"1\": 3}}, "
                           "{component: other, event: clock, terms: {\"1\": 7}}]\n"
                           "  leakage: [{component: buffers, terms: {\"1\": 2}}]\n"
                           "  period: [{terms: {\"1\": 0.4}}]\n"
                           "nic: {energy: [{event: clock, terms: {\"1\": 5}}]}\n"
                           "link: {energy_bit_mm: 0.5, leakage_bit_mm: 0.1, delay_mm: 0.01}\n"
                        << more;
    return file;
}

experiment read(const std::string& yaml) {
    return experiment::read(config::parse_document(yaml, "test"), testing::TempDir());
}

/// Returns f(result) of a run, numbers one after the other.
template <class F>
std::vector<double> numbers(const std::string& yaml, F f) {
    std::istringstream text(in_child([&] {
        const experiment e = read(yaml);
        simulation s(e);
        const run_result r = s.run(e);
        std::ostringstream all;
        all.precision(17);
        for (const double x : f(r)) all << x << ' ';
        return all.str();
    }));
    return {std::istream_iterator<double>(text), {}};
}

std::vector<double> column(const run_result& r, scope of, const char* name) {
    const figure_view all = r.column_of(of, name);
    std::vector<double> numbers;
    for (std::size_t row = 0; row < all.size(); ++row) numbers.push_back(all.number(row));
    return numbers;
}

/// Energies of routers, links and nodes, after the total.
std::vector<double> energies(const std::string& yaml) {
    return numbers(yaml, [](const run_result& r) {
        std::vector<double> all{r.figure_of("power.energy.total")};
        for (const scope of : {scope::router, scope::link, scope::node})
            for (const double e : column(r, of, "energy")) all.push_back(e);
        return all;
    });
}

/// Column `k` of a table, of the rows that begin with `first`.
std::vector<double> cells(const run_result& r, const std::string& table, std::size_t k,
                          const std::string& first = "") {
    std::vector<double> all;
    for (const auto& [name, text] : r.tables) {
        if (name != table) continue;
        std::istringstream lines(text);
        std::string line;
        for (std::getline(lines, line); std::getline(lines, line);) {
            if (line.rfind(first, 0) != 0) continue;
            std::istringstream row(line);
            std::string cell;
            for (std::size_t n = 0; n <= k; ++n) std::getline(row, cell, ',');
            all.push_back(std::stod(cell));
        }
    }
    return all;
}

double sum_of(const run_result& r, const std::string& table, std::size_t k) {
    const std::vector<double> all = cells(r, table, k);
    return std::accumulate(all.begin(), all.end(), 0.0);
}

TEST(PowerLevels, CountEdgesAndTimeAtEachLevel) {
    const std::string yaml = mesh + "power: {table: " + costs() + "}\n" +
                             "domains: {a: {routers: 0-3, switching: 50, "
                             "schedule: [{at: 500, clock: 2, voltage: 0.5}]}}\n";
    const auto clocks =
        numbers(yaml, [](const run_result& r) { return column(r, scope::router, "energy_clock"); });
    const auto leaks =
        numbers(yaml, [](const run_result& r) { return column(r, scope::router, "energy_leakage"); });
    ASSERT_EQ(clocks.size(), 12U);
    // The window is from cycle 200 to 2000: 300 cycles at 1 V, 50 without edges, 725 at 0.5 V.
    EXPECT_NEAR(clocks[0], 7 * (300 + 725 * 0.25), 1e-5);
    EXPECT_NEAR(clocks[4], 7 * 1800, 1e-5);
    EXPECT_NEAR(leaks[0], 2e-3 * 0.5 * (300 + 1500 * 0.5), 1e-5);
    EXPECT_NEAR(leaks[4], 2e-3 * 0.5 * 1800, 1e-5);
}

TEST(PowerLevels, ShareEventsByTheFlitsOfEachLevel) {
    const std::string at = mesh + "power: {table: " + costs() + ", exact: true}\n";
    // A voltage from before the window on is that of a domain that has it always.
    EXPECT_EQ(energies(at + "domains: {a: {routers: 0-5, schedule: [{at: 100, voltage: 0.5}]}}\n"),
              energies(at + "domains: {a: {routers: 0-5, voltage: 0.5}}\n"));
    // A router that does the first half of its work at 1 V spends 5/8 of what it spends without steps.
    const auto one = energies(at + "domains: {a: {routers: all, voltage: 1}}\n"),
               steps = energies(at + "domains: {a: {routers: all, schedule: [{at: 1100, voltage: 0.5}]}}\n");
    EXPECT_NEAR(steps[0] / one[0], 0.625, 0.02);
}

/// In a network without packets all links sleep, or all routers are off, in the whole window.
TEST(PowerLevels, CountSleepAndGatesOnce) {
    const auto after = [](const std::string& network, const std::string& router) {
        return energies("network: {topology: mesh, dims: [4, 3]" + network + "}\nrouter: {vcs: 2, depth: 4" +
                        router + "}\nnic: {flit_bytes: 4}\n" +
                        "measurement: {warmup: 200, convergence_count: 0, batch: 600, batches: 3}\n"
                        "traffic: {workload: bernoulli, load: 0}\npower: {table: " +
                        costs() + "}\n" +
                        "domains: {a: {routers: 0-5, nodes: 0-5, schedule: [{at: 800, voltage: 0.5}]}}\n");
    };
    constexpr std::size_t routers = 12, links = 34 + 24;
    const auto asleep = after(", link_wake: 5, link_idle: 9", "");
    ASSERT_GT(asleep.size(), routers + links);
    for (std::size_t k = 0; k < links; ++k) EXPECT_NEAR(asleep[1 + routers + k], 0, 1e-6) << k;
    const auto off = after("", ", wake: 5, idle: 9");
    for (std::size_t k = 0; k < routers; ++k) EXPECT_NEAR(off[1 + k], 0, 1e-6) << k;
}

TEST(PowerLevels, AddUpOverDomainsAndIntervals) {
    const std::string yaml =
        mesh + "power: {table: " + costs() + ", interval: 130, intervals: 8}\n" +
        "domains: {a: {routers: 0-3, switching: 9, clock: 3/2, voltage: 0.9, schedule: [{at: 500, clock: 2, "
        "voltage: 0.5}, {at: 901, clock: 1, voltage: 1.1}, {at: 1500, clock: 3/2, voltage: 0.9}]}, "
        "b: {routers: 5-6, nodes: [0, 1, 7], levels: [{clock: 2, voltage: 0.8}, {clock: 3, voltage: 0.7}], "
        "governor: {name: threshold, measure: utilisation, up: 0.08, down: 0.06}, interval: 200}}\n";
    const auto sums = numbers(yaml, [](const run_result& r) {
        std::vector<double> all{r.figure_of("power.energy.total"), sum_of(r, "domain_power.csv", 1),
                                sum_of(r, "domain_power_over_time.csv", 5),
                                sum_of(r, "power_over_time.csv", 2), 0};
        for (const scope of : {scope::router, scope::link, scope::node})
            for (const double e : column(r, of, "energy")) all.back() += e;
        return all;
    });
    ASSERT_EQ(sums.size(), 5U);
    for (const double sum : sums) EXPECT_NEAR(sum, sums[0], 1e-4) << "of " << sums[0] << " pJ";
    // So is it with several threads.
    const auto both = numbers(yaml + "threads: 2\n", [](const run_result& r) {
        return std::vector<double>{r.figure_of("power.energy.total"),
                                   sum_of(r, "domain_power_over_time.csv", 5)};
    });
    EXPECT_EQ(both[0], sums[0]);
}

/// The clock costs nothing while it stops: intervals of 600, 150 and 300 edges.
TEST(PowerLevels, SpreadTheEnergyOfClocksByEdges) {
    std::string quiet = mesh;
    quiet.replace(quiet.find("load: 0.1"), 9, "load: 0.002");
    const auto all = numbers(
        quiet + "power: {table: " + costs() + ", interval: 600, intervals: 8}\n" +
            "domains: {a: {routers: all, switching: 300, schedule: [{at: 800, clock: 2, voltage: 0.9}]}}\n",
        [](const run_result& r) { return cells(r, "domain_power_over_time.csv", 5, "a,"); });
    ASSERT_EQ(all.size(), 3U);
    EXPECT_NEAR(all[1] / all[2], 0.5, 0.03);
    EXPECT_NEAR(all[2] / all[0], 0.5 * 0.81, 0.03);
}

/// Mean frequency of domain a in the window, in MHz.
double frequency(const std::string& load) {
    const std::string yaml = mesh +
                             "domains: {a: {routers: all, levels: [{clock: 2}, {clock: 4}], interval: 150, "
                             "governor: {name: threshold, up: 0.05, down: 0.01}}}\n";
    const std::string with =
        yaml.substr(0, yaml.find("load: 0.1")) + "load: " + load + yaml.substr(yaml.find(", length"));
    return numbers(with,
                   [](const run_result& r) { return std::vector<double>{sum_of(r, "domains.csv", 3)}; })[0];
}

TEST(PowerLevels, FollowTheLoadByAGovernor) {
    EXPECT_NEAR(frequency("0.4"), 2000, 150);
    EXPECT_NEAR(frequency("0.0001"), 500, 40);
}

std::string error_of(const std::string& more) {
    return in_child([&] {
        try {
            const experiment e = read(mesh + more);
            return simulation(e).run(e).reason;
        } catch (const config::error& e) {
            return std::string(e.what());
        }
    });
}

TEST(PowerLevels, RefuseWhatCannotBeInOneLine) {
    const std::string table = "power: {table: " + costs("delay: {threshold: 0.3, alpha: 1.3}\n") + "}\n";
    const struct {
        std::string more, said;
    } cases[] = {
        {"domains: {a: {routers: 0, schedule: [{at: 90, clok: 2}]}}", "unknown key 'clok' in 'schedule'"},
        {"domains: {a: {routers: 0, schedule: [{at: 90, clock: 1/2}]}}", "it must be 1 or more"},
        {"domains: {a: {routers: 0, schedule: [{at: 90, clock: 2, frequency: 1GHz}]}}",
         "has 'frequency' and 'clock'; give one of them"},
        {"domains: {a: {routers: 0, switching: 30, schedule: [{at: 90, clock: 2}, {at: 190, clock: 1}]}}",
         "domain 'a' changes in cycle 90 and in 190; changes must be in the order of time, and here 128 "
         "cycles "
         "apart"},
        {"domains: {a: {routers: 0, schedule: [{at: 90, clock: 2}, {at: 50, clock: 1}]}}",
         "in the order of time"},
        {"domains: {a: {routers: 0, levels: [{clock: 2}]}}", "needs 'levels' and 'governor' together"},
        {"domains: {a: {routers: 0, governor: threshold}}", "needs 'levels' and 'governor' together"},
        {"domains: {a: {routers: 0, levels: [{clock: 2}], governor: treshold}}", "threshold"},
        {"domains: {a: {routers: 0, levels: [{clock: 2}], governor: {name: threshold, up: 0.1, down: 0.2}}}",
         "'down' is 0.2, which is above 'up', 0.1"},
        {"domains: {a: {routers: 0, levels: [{clock: 2}], governor: threshold, schedule: [{at: 90, clock: "
         "2}]}}",
         "has 'schedule' and 'governor'; give one of them"},
        {"domains: {a: {nodes: 0, levels: [{clock: 2}], governor: threshold}}",
         "has a governor and no router"},
        {"domains: {a: {routers: 0, levels: [{clock: 2}], governor: threshold, interval: 9}}",
         "'interval' is 9; with these levels and links it must be "},
        {table + "domains: {a: {routers: 0, schedule: [{at: 90, voltage: 0.2}]}}",
         "is 0.2, and by the table"},
        {table + "domains: {a: {routers: 0, schedule: [{at: 90, voltage: 0.6}]}}", "router 0, by t"},
    };
    for (const auto& [more, said] : cases) {
        const std::string line = error_of(more + "\n");
        EXPECT_NE(line.find(said), std::string::npos) << more << ": " << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        EXPECT_NE(line.find("test:"), std::string::npos) << line;
    }
    EXPECT_EQ(error_of(table + "domains: {a: {routers: 0, schedule: [{at: 90, clock: 4, voltage: 0.6}]}}\n"),
              "");
}

}  // namespace
}  // namespace sare::test::power_levels_test
