// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/result_text.h"
#include "tests/tlm/routing/routing_support.h"
#include "tlm/config/yaml.h"
#include "tlm/network/credit_limit.h"
#include "tlm/network/router_plan.h"
#include "tlm/network/simulation.h"
#include "tlm/routing/load/channel_bound.h"
#include "tlm/topology/region/clock_regions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

/// The section `domains`: which blocks it means, what it refuses, and what results say of it.
namespace sare::test::domains_test {
namespace {

const std::string mesh =
    "clock_period: 500ps\nnetwork: {topology: mesh, dims: [4, 3]}\nrouter: {vcs: 2, depth: 4}\n"
    "nic: {flit_bytes: 4}\nnames: {routers: {5: hub}, nodes: {7: dram}}\n"
    "measurement: {warmup: 200, convergence_count: 0, batch: 600, batches: 3}\n"
    "traffic: {workload: bernoulli, pattern: uniform, load: 0.1, length: 3}\n";

experiment read(const std::string& yaml) {
    return experiment::read(config::parse_document(yaml, "test"), testing::TempDir());
}

/// Domain of each router and then of each node, a letter each; "." for none.
std::string letters(const std::string& domains) {
    const auto map = read(mesh + "domains: {" + domains + "}\n").make_map();
    std::string all;
    const auto add = [&](const clock_region* its) { all += its == nullptr ? "." : its->name; };
    for (std::uint32_t r = 0; r < map->routers(); ++r) add(map->region(router_id(r)));
    all += ' ';
    for (std::uint32_t n = 0; n < map->nodes(); ++n) add(map->region(node_id(n)));
    return all;
}

/// A bank of routers of phits whose first wire crossed to another clock gave its flits a cycle too late.
TEST(Domains, AreTheSameByThreadsWithRoutersOfPhits) {
    const auto loads = [](std::uint32_t threads, const std::string& slow) {
        return in_child([&] {
            experiment e = read(
                "network: {topology: thin_tree, n: 3, k: 2, k_up: 2}\nrouter: {kind: multistage, packet: 4}\n"
                "traffic: {workload: bernoulli, load: 0.2}\n"
                "measurement: {warmup: 0, convergence_count: 0, batch: 200, batches: 2}\n"
                "domains: {slow: {routers: " +
                slow + ", clock: 2}}\n");
            e.threads = threads;
            e.all_threads = true;
            const run_result r = simulation(e).run(e);
            std::ostringstream all;
            for (const link_result& l : r.link_loads) all << l.flits << ' ';
            all << r.packet_latency.from_generation.mean << ' ' << r.threads;
            return all.str();
        });
    };
    for (const char* const slow : {"0-2", "[1, 5, 9]", "4-11"}) {
        std::string one = loads(1, slow), two = loads(2, slow), three = loads(3, slow);
        EXPECT_EQ(two.back(), '2') << two;
        for (std::string* const s : {&one, &two, &three}) s->pop_back();
        EXPECT_EQ(one, two) << slow;
        EXPECT_EQ(one, three) << slow;
    }
}

TEST(Domains, AreSetsOfRoutersAndNodes) {
    EXPECT_EQ(letters("a: {routers: 0-3, clock: 2}"), "aaaa........ aaaa........");
    EXPECT_EQ(letters("a: {routers: [0, hub, 8-9], clock: 2}"), "a....a..aa.. a....a..aa..");
    EXPECT_EQ(letters("a: {rectangle: [[2, 2], [1, 1]], clock: 2}, b: {nodes: [dram, 6]}"),
              ".....aa..aa. .....abb.aa.");
    EXPECT_EQ(letters("a: {routers: all}, b: {nodes: 0}"), "aaaaaaaaaaaa baaaaaaaaaaa");
}

TEST(Domains, HaveClocksOfAnyRatio) {
    const auto clock = [](const std::string& what) {
        return read(mesh + "domains: {a: {routers: 0, " + what + "}}\n")
            .make_map()
            ->clock(router_id(0))
            .text();
    };
    EXPECT_EQ(clock("voltage: 0.7"), "1");
    EXPECT_EQ(clock("frequency: 2GHz"), "1");
    EXPECT_EQ(clock("frequency: 1GHz"), "2");
    EXPECT_EQ(clock("frequency: 1.7GHz"), "20/17");
    EXPECT_EQ(clock("frequency: 333MHz"), "2000/333");
    EXPECT_EQ(clock("clock: 6/4"), "3/2");
    EXPECT_EQ(clock("clock: 1.25"), "5/4");
    EXPECT_EQ(clock("clock: 1000"), "1000");
}

/// Bounds count with the fastest clock from the end of the warm-up on.
TEST(Domains, HaveTheFastestClockFromACycleOn) {
    const experiment e = read(
        mesh + "domains: {a: {routers: 0, clock: 3, schedule: [{at: 50, clock: 2}, {at: 90, clock: 4}]}}\n");
    for (const auto& [from, clock] : {std::pair<cycle_t, const char*>{0, "2"}, {89, "2"}, {90, "4"}}) {
        const auto map = e.make_map(from);
        EXPECT_EQ(map->clock(router_id(0)).text(), clock) << from;
        EXPECT_EQ(map->link(router_id(0), port_id(0)).clock.text(), clock) << from;
    }
}

TEST(Domains, RefuseWhatCannotBeInOneLine) {
    const struct {
        std::string domains, said;
    } cases[] = {
        {"a: {routers: 0, frequency: 3GHz}",
         "domain 'a': 'frequency' is '3GHz'; the network's clock is slower; take 'clock_period: "},
        {"a: {routers: 0, frequency: fast}", "it must be one with its unit, such as 500MHz"},
        {"a: {routers: 0, frequency: 1.23456789GHz}", "as a fraction of numbers up to 10000 and 4000"},
        {"a: {routers: 0, clock: 1/2}", "it must be 1 or more, as no clock is faster than the network's"},
        {"a: {routers: 0, clock: 1/0}", "'clock' is '1/0'; its period must be from 1 to 1000"},
        {"a: {routers: 0, clock: 1001}", "its period must be from 1 to 1000"},
        {"a: {routers: 0, clock: 2, frequency: 1GHz}", "has 'frequency' and 'clock'; give one of them"},
        {"a: {clock: 2}", "domain 'a' is empty; name its 'routers' or 'nodes'"},
        {"a: {routers: 12}", "domain 'a': there is no router 12; the network has 12, 0 and up"},
        {"a: {routers: 0-5}, b: {routers: 5}", "router hub is in the domains 'a' and 'b'; it has one clock"},
        {"a: {rectangle: [[0, 0], [4, 2]]}", "has coordinate 4 of dimension 0, which goes from 0 to 3"},
        {"a: {rectangle: [[0, 0]]}", "is two opposite corners with a coordinate for each of the 2"},
        {"a: {routers: 0, synchroniser: 0}", "synchroniser"},
        {"a: {router: 0}", "unknown key 'router' in 'domains.a'"},
        {"a: {routers: 0, clock: 2, switching: 9}",
         "domain 'a' has 'switching' without 'schedule' or 'governor', and so no change for it; leave it "
         "out"},
        {"a: {routers: 0, interval: 9, schedule: [{at: 9, clock: 2}]}",
         "has 'interval' without 'governor', and"},
        {"a: {routers: 0, clock: 2, schedule: [{at: 9, clock: 4/2}]}",
         "has one clock and voltage at all times, and 'schedule' changes nothing; leave it out"},
        {"a: {routers: 0, levels: [{clock: 1}], governor: threshold}", "and 'governor' changes nothing"},
    };
    for (const auto& [domains, said] : cases) {
        std::string line;
        try {
            read(mesh + "domains: {" + domains + "}\n").make_map();
        } catch (const config::error& e) {
            line = e.what();
        }
        EXPECT_NE(line.find(said), std::string::npos) << domains << ": " << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        EXPECT_NE(line.find("test:8:"), std::string::npos) << line;
    }
}

/// Error of a run, or "" if there is none.
std::string error_of_run(const std::string& yaml) {
    const std::string text = in_child([&] {
        const experiment e = read(yaml);
        return to_string(simulation(e).run(e).status) + std::string();
    });
    return text.substr(0, 5) == "error" || text.find("test:") != std::string::npos ? text : "";
}

TEST(Domains, RefuseWhatKnowsOneClockOnly) {
    const std::string slow = "domains: {a: {routers: 0-3, clock: 3/2}}\n";
    for (const auto& [more, said] :
         {std::pair<const char*, const char*>{"fidelity: analytic\n", "'domains' are of routers and NICs"},
          {"routing: up_down\nfailures: {events: [{between: [1, 2], at: 50}]}\n",
           "several clocks; all must have one"},
          {"links: [{between: [1, 2], wake: 3}]\n", "can sleep, and is of routers of other clocks than 1"}})
        EXPECT_NE(in_child([&, more = std::string(more)] {
                      const experiment e = read(mesh + slow + more);
                      return simulation(e).run(e).reason;
                  }).find(said),
                  std::string::npos)
            << more;
    EXPECT_EQ(error_of_run(mesh + slow), "");
}

/// All goes from node 0 to node 1, in whose domain a cycle takes 5/3 of the network's.
TEST(Domains, BoundTheLoadByTheSlowerClock) {
    const auto map = read(mesh + "domains: {a: {routers: 1, clock: 5/3}}\n").make_map();
    const auto way = routing("dor", *map, 2);
    channel_question q;
    q.network = map.get();
    q.routing = way.get();
    q.vcs = 2;
    q.demands = [](std::uint32_t source, std::vector<node_demand>& out) {
        if (source == 0) out.push_back({1, 1});
    };
    EXPECT_NEAR(find_channel_bound(q).load, 0.6, 1e-3);
}

/// SA, ST, the link and the second flip-flop for a flit and its credit, each in cycles of its writer or
/// reader.
TEST(Domains, CountTheRoundTripOfACredit) {
    const experiment e = read(mesh + "domains: {a: {routers: 1, clock: 5/3, synchroniser: 3}}\n");
    const auto map = e.make_map();
    const network_channel link{network_channel::kind::link, 0, 0, 1};
    ASSERT_EQ(map->peer(router_id(0), port_id(0)).id, 1U);
    const auto limit = credit_limit_of(link, *map, router_plan(e, *map), e.nic);
    ASSERT_TRUE(limit);
    EXPECT_DOUBLE_EQ(limit->round_trip, (2 + 1 + 1 + 1) + (1 + 2) * 5 / 3.0);
    EXPECT_DOUBLE_EQ(limit->rate(), 2 * 4 / limit->round_trip);
}

using cells = std::vector<std::string>;

cells row_of(const std::string& csv, const std::string& domain) {
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        cells all;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) all.push_back(cell);
        if (!all.empty() && all[0] == domain) return all;
    }
    return cells(10);
}

/// The table domains.csv of a run.
std::string table_of(const std::string& yaml) {
    return in_child([&] {
        const experiment e = read(yaml);
        simulation s(e);
        const run_result r = s.run(e);
        for (const auto& [name, text] : r.tables)
            if (name == "domains.csv") return text;
        return std::string("none");
    });
}

TEST(Domains, HaveResultsInCyclesOfTheirsAndInTime) {
    const std::string csv =
        table_of(mesh + "domains: {slow: {routers: 0-5, frequency: 800MHz}, io: {nodes: 11, clock: 4}}\n");
    const cells slow = row_of(csv, "slow"), io = row_of(csv, "io"), rest = row_of(csv, "network");
    EXPECT_EQ(cells(slow.begin(), slow.begin() + 5), (cells{"slow", "6", "6", "800", "720"})) << csv;
    EXPECT_EQ(cells(io.begin(), io.begin() + 5), (cells{"io", "0", "1", "500", "450"})) << csv;
    EXPECT_EQ(cells(rest.begin(), rest.begin() + 5), (cells{"network", "6", "5", "2000", "1800"})) << csv;
    EXPECT_NEAR(std::stod(slow[5]), 0.25, 0.03);  // 0.1 flits in a network cycle
    EXPECT_NEAR(std::stod(io[5]), 0.4, 0.12);
    EXPECT_NEAR(std::stod(slow[8]) * 1.25, std::stod(slow[9]), 1e-3);  // of 1.25 ns
    EXPECT_NEAR(std::stod(rest[8]) * 0.5, std::stod(rest[9]), 1e-3);
    EXPECT_EQ(table_of(mesh), "none");
}

/// Writes a table: dynamic energy of routers, NICs and links, clocks and leakage, at 1 V.
std::string costs() {
    const std::string file = testing::TempDir() + "domains" + std::to_string(getpid()) + ".yaml";
    std::ofstream(file) << "format: sare-power\nversion: 1\nname: t\nmade: {by: hand, voltage: 1}\nrouter:\n"
                           "  energy: [{component: buffers, event: buffer_read, terms: {\"1\": 3}}, "
                           "{component: other, event: clock, terms: {\"1\": 7}}]\n"
                           "  leakage: [{component: buffers, terms: {\"1\": 2}}]\n"
                           "nic: {energy: [{event: clock, terms: {\"1\": 5}}]}\n"
                           "link: {energy_bit_mm: 0.5, delay_mm: 0.01}\n";
    return file;
}

/// Energies of routers, links and nodes in pJ, after the total; by column `energy` and of clocks.
std::vector<double> energies(const std::string& yaml) {
    std::istringstream text(in_child([&] {
        const experiment e = read(yaml);
        simulation s(e);
        const run_result r = s.run(e);
        std::ostringstream all;
        all.precision(17);
        all << r.figure_of("power.energy.total") << ' ' << r.figure_of("power.energy.clock") << ' ';
        for (const scope of : {scope::router, scope::link, scope::node}) {
            const figure_view column = r.column_of(of, "energy");
            for (std::size_t row = 0; row < column.size(); ++row) all << column.number(row) << ' ';
        }
        return all.str();
    }));
    return {std::istream_iterator<double>(text), {}};
}

TEST(Domains, SpendByTheirVoltageAndClock) {
    const std::string file = costs(), at_1 = mesh + "power: {table: " + file + "}\n",
                      at_half = mesh + "power: {table: " + file + ", voltage: 0.5}\n";
    const std::vector<double> one = energies(at_1), half = energies(at_half);
    ASSERT_GT(one.size(), 26U);
    // All at half of the voltage, once by `power` and once by a domain, which the network is in.
    EXPECT_EQ(energies(at_1 + "domains: {a: {routers: all, voltage: 0.5}}\n"), half);
    EXPECT_NEAR(one[1] / half[1], 4, 1e-9);  // clocks: by the square
    // Of some routers: each has what it has alone, and the sum is the whole.
    const std::vector<double> mixed = energies(at_1 + "domains: {a: {routers: 0-3, voltage: 0.5}}\n");
    double sum = 0;
    for (std::size_t k = 2; k < mixed.size(); ++k) {
        sum += mixed[k];
        EXPECT_EQ(mixed[k], k < 6 ? half[k] : k < 14 ? one[k] : mixed[k]) << "router " << k - 2;
    }
    EXPECT_NEAR(sum, mixed[0], 1e-6 * mixed[0]);
    // Clocks of half the routers and NICs at half the frequency spend three quarters.
    const std::vector<double> slow = energies(at_1 + "domains: {a: {routers: 0-5, clock: 2}}\n");
    EXPECT_NEAR(slow[1] / one[1], 0.75, 1e-9);
}

TEST(Domains, RefuseImpossibleVoltagesAndClocks) {
    const std::string file = costs();
    std::ofstream(file, std::ios::app) << "delay: {threshold: 0.3, alpha: 1.3}\n";
    const auto said = [&](const std::string& domain) {
        return in_child([&] {
            const experiment e =
                read(mesh + "power: {table: " + file + "}\ndomains: {a: {routers: 0-3, " + domain + "}}\n");
            return simulation(e).run(e).reason;
        });
    };
    EXPECT_NE(said("voltage: 0.3").find("'domains.a.voltage' is 0.3, and by the table"), std::string::npos)
        << said("voltage: 0.3");
}

}  // namespace
}  // namespace sare::test::domains_test
