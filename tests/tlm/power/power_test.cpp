// SPDX-License-Identifier: Apache-2.0
#include "tests/support/part_of_run.h"
#include "tests/support/result_text.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/power/table/events.h"
#include "tlm/power/table/monomial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

/// The section `power`: events of a run times what they cost.
namespace sare::test::power_test {
namespace {

/// A table whose coefficients are easy to add up by hand.
const std::string plain =
    "format: sare-power\nversion: 1\nname: plain\nmade: {by: hand, voltage: 1}\n"
    "router:\n"
    "  energy:\n"
    "    - {component: buffers, event: buffer_write, per: bit, terms: {\"1\": 0.25}}\n"
    "    - {component: buffers, event: buffer_read, terms: {\"1\": 3}}\n"
    "    - {component: va, event: va_grant, terms: {\"vcs*ports\": 1}}\n"
    "    - {component: other, event: clock, terms: {\"1\": 7}}\n"
    "  leakage: [{component: buffers, terms: {\"depth\": 2}}]\n"
    "  area: [{component: buffers, terms: {\"ports^2*width\": 1}}]\n"
    "  period: [{terms: {\"1\": 0.5, \"log2(vcs)\": 0.25}}]\n"
    "link: {energy_bit_mm: 0.5, leakage_bit_mm: 0.125}\n"
    "nic: {energy: [{event: inject, terms: {\"1\": 11}}, {event: inject_burst, terms: {\"vcs*depth\": 0.5}}, "
    "{event: clock, terms: {\"1\": 1}}]}\n";

const std::string mesh =
    "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4, depth: 4}\nnic: {flit_bytes: 4}\n"
    "measurement: {warmup: 200, convergence_count: 0, batch: 500, batches: 3}\n";
const std::string uniform = "traffic: {workload: bernoulli, pattern: uniform, load: 0.1, length: 3}\n";
const std::string requests =
    "traffic: {workload: request_reply, pattern: uniform, load: 0.04, length: 1, reply_length: 5}\n";

std::string power(const std::string& table, const std::string& more = "") {
    return "power: {table: " + table + more + "}\n";
}

std::string written(const std::string& name, const std::string& text) {
    static int files = 0;
    const std::string file =
        testing::TempDir() + name + std::to_string(getpid()) + "-" + std::to_string(++files) + ".yaml";
    std::ofstream(file) << text;
    return file;
}

template <class F>
std::string after_run(const std::string& yaml, F&& check) {
    return in_child([&] {
        const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
        simulation s(e);
        const run_result r = s.run(e);
        return check(r);
    });
}

/// Attojoules of a figure in pJ, to the last one.
std::int64_t attojoules_of(double pj) {
    return std::llround(pj * 1e6);
}

std::int64_t sum_of(const run_result& r, scope of, const std::string& name) {
    std::int64_t sum = 0;
    const figure_view column = r.column_of(of, name);
    for (std::size_t row = 0; column && row < column.size(); ++row) sum += attojoules_of(column.number(row));
    return sum;
}

std::int64_t energy_of(const run_result& r, const std::string& what) {
    return attojoules_of(r.figure_of("power.energy." + what));
}

std::vector<double> numbers_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<double> all;
    for (double x; in >> x;) all.push_back(x);
    return all;
}

std::int64_t over_time(const run_result& r) {
    std::int64_t sum = 0;
    for (const auto& [name, text] : r.tables) {
        if (name != "power_over_time.csv") continue;
        std::istringstream in(text);
        std::string line, cell;
        std::getline(in, line);
        while (std::getline(in, line)) {
            std::istringstream cells(line);
            for (int k = 0; k < 3; ++k) std::getline(cells, cell, ',');
            sum += attojoules_of(std::stod(cell));
        }
    }
    return sum;
}

/// Places, components, classes and intervals each hold all of it.
std::string check_sums(const run_result& r) {
    std::ostringstream wrong;
    const std::int64_t total = energy_of(r, "total");
    const auto expect = [&](const char* what, std::int64_t sum, std::int64_t whole) {
        if (sum != whole) wrong << what << ": " << sum << " and not " << whole << "; ";
    };
    if (total <= 0) wrong << "nothing was spent; ";
    std::int64_t components = 0;
    for (const char* name : power_components) components += energy_of(r, std::string("by_component.") + name);
    expect("components", components, total);
    expect("causes", energy_of(r, "dynamic") + energy_of(r, "clock") + energy_of(r, "leakage"), total);
    expect("places",
           sum_of(r, scope::router, "energy") + sum_of(r, scope::link, "energy") +
               sum_of(r, scope::node, "energy"),
           total);
    expect("routers",
           sum_of(r, scope::router, "energy_dynamic") + sum_of(r, scope::router, "energy_clock") +
               sum_of(r, scope::router, "energy_leakage"),
           sum_of(r, scope::router, "energy"));
    expect("intervals", over_time(r), total);
    if (!r.class_loads.empty())
        expect("classes", sum_of(r, scope::message_class, "energy"), energy_of(r, "dynamic"));
    return wrong.str();
}

/// As tests/scripts/test_rtl_power.py has them for the fit.
TEST(Power, EvaluatesTermsOfParametersAndMultiplexers) {
    const auto value = [](const std::string& term, double depth) {
        return monomial(term, {}).value([&](const std::string& name) { return name == "depth" ? depth : 2; });
    };
    EXPECT_EQ(value("depth^2*width", 3), 18);
    EXPECT_EQ(value("log2(depth)*width", 8), 6);
    EXPECT_DOUBLE_EQ(value("mux_selects(depth)", 3), 4.0 / 3);
    EXPECT_DOUBLE_EQ(value("mux_outputs(depth)", 3), 5.0 / 3);
    EXPECT_EQ(value("mux_selects(depth)*width", 4), 5);
    EXPECT_EQ(value("mux_outputs(depth)", 8), 7);
    EXPECT_EQ(value("bits(depth)", 7) + 10 * value("bits(depth)", 8), 43);
    EXPECT_EQ(value("clog2(depth)", 8) + 10 * value("clog2(depth)", 9) + 100 * value("clog2(depth)", 1), 43);
    EXPECT_EQ(value("flips(depth)", 8) + 10 * value("flips(depth)", 11) + 100 * value("flips(depth)", 6),
              214);
    EXPECT_THROW(monomial("root(depth)", {}), config::error);
}

TEST(Power, AddsUpToTheLastAttojoule) {
    const std::string by_hand = SARE_SOURCE_DIR "/tb/experiments/power/by-hand.yaml";
    for (const std::string& run :
         {mesh + uniform + power(by_hand, ", frequency: 200MHz"),
          mesh + requests + power(by_hand, ", frequency: 200MHz, interval: 70, intervals: 8"),
          mesh + uniform +
              power(by_hand,
                    ", frequency: fastest, clock_gating: true, header_bits: 5, bridges: 1-3, data: 0.3")})
        EXPECT_EQ(after_run(run, check_sums), "") << run;
}

/// Packets of 3 flits leave the manager's bridge of node 0 and come to the memory's of node 2. A beat of 16
/// bits has 18 with its strobes, which takes 2 flits of 12: two thirds of them are data. A header has 70
/// bits, so that nothing is behind it in 3 flits of 12, and one flit of 64. Its own ranges hold for a bridge.
TEST(Power, CountsBridgesOfBothEnds) {
    const std::string table = written(
        "bridged", plain +
                       "bridge:\n"
                       "  ranges: {beats: [2, 8]}\n"
                       "  energy:\n"
                       "    - {event: inject, when: {end: manager}, terms: {\"write_fill*width\": 5}}\n"
                       "    - {event: eject, when: {end: subordinate}, terms: {\"beats*id_width\": 7}}\n"
                       "    - {event: inject_beat, when: {end: manager}, terms: {\"1\": 300}}\n"
                       "  area: [{when: {end: manager}, terms: {\"data_width*transactions\": 1}}]\n");
    const std::string run =
        "network: {topology: mesh, dims: [3]}\nrouter: {vcs: 2, depth: 4}\nnic: {flit_bytes: 4}\n"
        "traffic: {workload: ping, pairs: [[0, 2]], length: 3}\n";
    const auto check = [](const run_result& r) {
        const double flits = static_cast<double>(r.flits.consumed);
        std::ostringstream said;
        said << r.figure_of("power.energy.by_component.bridges") / flits;
        const auto say = [&](const auto& outside) { said << outside; };
        r.column_of(scope::run, "power.extrapolated").visit(0, say);
        return said.str();
    };
    const std::string keys = ", bridges: 0, memory_bridges: 2, bridge: {data_width: 16, id_width: 3, beats: ";
    EXPECT_EQ(after_run(run + power(table, ", width: 12" + keys + "4}"), check), "124");
    EXPECT_EQ(after_run(run + power(table, ", width: 64" + keys + "4}"), check), "264");
    EXPECT_EQ(after_run(run + power(table, ", width: 12" + keys + "9}"), check),
              "229bridges: beats 9, where the table knows 2 to 8");
}

/// A message of 3 flits from node 0 to node 2 of a row of three routers.
TEST(Power, IsEventsTimesCosts) {
    const std::string table = written("plain", plain);
    const std::string run =
        "network: {topology: mesh, dims: [3]}\nrouter: {vcs: 2, depth: 4}\nnic: {flit_bytes: 4}\n"
        "traffic: {workload: ping, pairs: [[0, 2]], length: 3}\n" +
        power(table, ", frequency: 1GHz, links: {pitch: 2, lengths: [{between: [0, 1], length: 3}]}");
    EXPECT_EQ(
        after_run(run,
                  [](const run_result& r) {
                      std::ostringstream wrong;
                      const double flits = static_cast<double>(r.flits.consumed),
                                   cycles = static_cast<double>(r.measured_to - r.measured_from), toggle = 16;
                      const auto expect = [&](const std::string& what, double pj) {
                          if (std::abs(r.figure_of("power.energy." + what) - pj) > 1e-6 * (1 + pj))
                              wrong << what << ": " << r.figure_of("power.energy." + what) << " and not "
                                    << pj << "; ";
                      };
                      expect("by_component.buffers", 3 * flits * (0.25 * toggle + 3) + 3 * 8e-3 * cycles);
                      expect("by_component.va", 3 * 1 * 2 * 3);
                      expect("by_component.other", 3 * 7 * cycles);
                      expect("by_component.nics",
                             11 * flits + 2 * 4 * 0.5 * (1 - flits / cycles) + 3 * cycles);
                      expect("data", flits * toggle * (3 * 0.25 + 0.5 * (3 + 2)));
                      expect("clock", 3 * 7 * cycles + 3 * cycles);
                      return wrong.str();
                  }),
        "");
}

/// Of packets of three flits, without others in the way and where several share an output: bursts, starts,
/// requests, turns and fills a flit, by samples. Traces of 3,000 cycles have 0.17 and 0.32 turns, 0.33 and
/// 0.36 fills.
TEST(Power, EstimatesBySamplesHowFlitsFollow) {
    const std::string table = written(
        "follow",
        "format: sare-power\nversion: 1\nname: f\nmade: {by: hand}\nrouter: {energy: [{component: "
        "buffers, event: "
        "sa_grant, terms: {\"1\": 1}}, {component: sa, event: sa_request, terms: {\"1\": 1}}, "
        "{component: state, "
        "event: start, terms: {\"1\": 1}}, {component: other, event: burst, terms: {\"1\": 1}}, "
        "{component: route, event: turn, terms: {\"1\": 1}}, {component: credits, event: fill, terms: "
        "{\"1\": 1}}, {component: va, event: long_head, terms: {\"1\": 1}}]}\n");
    const std::string longer =
        "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4, depth: 4}\nnic: {flit_bytes: 4}\n"
        "measurement: {warmup: 200, convergence_count: 0, batch: 30000, batches: 1}\n";
    const auto at_load = [&](const std::string& load) {
        return numbers_of(
            after_run(longer + "traffic: {workload: bernoulli, pattern: uniform, load: " + load +
                          ", length: 3}\n" + power(table),
                      [](const run_result& r) {
                          std::ostringstream all;
                          for (const char* what : {"state", "other", "sa", "route", "credits", "va"})
                              all << r.figure_of(std::string("power.energy.by_component.") + what) /
                                         r.figure_of("power.energy.by_component.buffers")
                                  << ' ';
                          return all.str();
                      }));
    };
    const std::vector<double> low = at_load("0.05"), high = at_load("0.4");
    ASSERT_EQ(low.size(), 6u);
    ASSERT_EQ(high.size(), 6u);
    EXPECT_NEAR(low[0], 1.0 / 3, 0.1);
    EXPECT_NEAR(low[1], 1.0 / 3, 0.1);
    EXPECT_NEAR(low[2], 1, 0.15);
    EXPECT_GT(high[0], 0.45);  // packets of several VCs take turns
    EXPECT_LT(high[1], 0.33);  // and leave the output no gaps
    EXPECT_GT(high[2], 1.2);
    EXPECT_NEAR(low[3], 0.17, 0.05);
    EXPECT_NEAR(high[3], 0.33, 0.06);
    EXPECT_NEAR(low[4], 0.33, 0.06);
    EXPECT_NEAR(high[4], 0.36, 0.06);
    EXPECT_NEAR(low[5], 1.0 / 3, 0.02);  // one a packet
}

/// Packets of three flits that meet no other one: each goes through a router without a break.
TEST(Power, CountsEachPacketAsOneBurst) {
    const std::string table = written(
        "exact",
        "format: sare-power\nversion: 1\nname: e\nmade: {by: hand}\nrouter: {energy: [{component: buffers, "
        "event: sa_grant, terms: {\"1\": 1}}, {component: sa, event: sa_request, terms: {\"1\": 1}}, "
        "{component: state, event: start, terms: {\"1\": 1}}, {component: other, event: burst, terms: "
        "{\"1\": 1}}]}\n");
    const auto of_events = [&](const std::string& more) {
        return numbers_of(after_run(
            mesh + "traffic: {workload: constant_rate, pattern: neighbour, load: 0.1, length: 3}\n" +
                power(table, more),
            [](const run_result& r) {
                std::ostringstream all;
                for (const char* what : {"buffers", "sa", "state", "other"})
                    all << r.figure_of(std::string("power.energy.by_component.") + what) << ' ';
                return all.str();
            }));
    };
    const std::vector<double> exact = of_events(", exact: true");
    ASSERT_EQ(exact.size(), 4u);
    ASSERT_GT(exact[0], 300);
    EXPECT_DOUBLE_EQ(exact[1], exact[0]);            // none waits
    EXPECT_NEAR(exact[2] * 3 / exact[0], 1, 0.002);  // but for those cut by the window's begin
    EXPECT_NEAR(exact[3] * 3 / exact[0], 1, 0.002);
    EXPECT_EQ(of_events(""), exact);  // in a short run, where nothing is sampled
}

TEST(Power, IsClockAndLeakageWithoutTraffic) {
    const std::string run = mesh + "traffic: {workload: bernoulli, pattern: uniform, load: 0, length: 3}\n" +
                            power(written("plain", plain));
    EXPECT_EQ(after_run(run,
                        [](const run_result& r) {
                            std::ostringstream wrong;
                            if (energy_of(r, "dynamic") != 0) wrong << "dynamic " << energy_of(r, "dynamic");
                            if (energy_of(r, "clock") <= 0 || energy_of(r, "leakage") <= 0)
                                wrong << "no clock";
                            return wrong.str() + check_sums(r);
                        }),
              "");
}

/// All of them have fallen asleep in the warm-up.
TEST(Power, HasNoLeakageInSleepingLinks) {
    const std::string table = written("plain", plain);
    const auto links_with = [&](const std::string& sleep) {
        return numbers_of(after_run(
            "network: {topology: mesh, dims: [4, 4]" + sleep +
                "}\nnic: {flit_bytes: 4}\nmeasurement: {warmup: 200, convergence_count: 0}\n"
                "traffic: {workload: bernoulli, load: 0}\n" +
                power(table),
            [](const run_result& r) { return std::to_string(energy_of(r, "by_component.links")); }));
    };
    // 48 links of 32 bits and 1 mm, 10,000 cycles of 1 ns.
    EXPECT_EQ(links_with(""), std::vector<double>{1.92e9});
    EXPECT_EQ(links_with(", link_wake: 5, link_idle: 9"), std::vector<double>{0});
}

std::string energies(const run_result& r) {
    std::ostringstream all;
    for (const char* what : {"data", "dynamic", "clock", "leakage"}) all << energy_of(r, what) << ' ';
    return all.str();
}

TEST(Power, HalvesOnlyDataWithHalfTheActivity) {
    const std::string table = written("plain", plain);
    const auto with = [&](const std::string& more) {
        return numbers_of(after_run(mesh + uniform + power(table, more), energies));
    };
    const std::vector<double> random = with(""), half = with(", data: 0.25"), zero = with(", data: zero");
    ASSERT_EQ(random.size(), 4U);
    EXPECT_NEAR(half[0], random[0] / 2, 100);  // each place rounds
    EXPECT_NEAR(half[1] - half[0], random[1] - random[0], 100);
    EXPECT_EQ(half[2], random[2]);
    EXPECT_EQ(half[3], random[3]);
    EXPECT_EQ(zero[0], 0);
}

/// Flits of 4 bytes of which one bit of each, or none, differs from the flit before.
TEST(Power, FollowsTheTogglesOfADataFile) {
    const std::string table = written("plain", plain),
                      data = testing::TempDir() + "data" + std::to_string(getpid());
    std::ofstream(data) << std::string("aaaaabaaaaaa", 12);
    const auto with = [&](const std::string& more) {
        return after_run(mesh + uniform + power(table, more), energies);
    };
    const double share = 2 * 2 / 64.0;  // a and b differ in two bits, and two pairs of flits have 64
    EXPECT_EQ(with(", data: trace, data_file: " + data), with(", data: " + std::to_string(share)));
}

TEST(Power, ScalesWithVoltageAsDocumented) {
    const std::string table = written("plain", plain);
    const auto at = [&](const std::string& more) {
        return numbers_of(after_run(mesh + uniform + power(table, more), energies));
    };
    const std::vector<double> one = at(""), lower = at(", voltage: 0.5");
    ASSERT_EQ(one.size(), 4U);
    EXPECT_NEAR(lower[1], one[1] / 4, 100);
    EXPECT_NEAR(lower[2], one[2] / 4, 100);
    EXPECT_NEAR(lower[3], one[3] / 2, 100);
}

/// A table that says no voltage is taken as it is, and the voltage is that of another.
TEST(Power, TakesTheVoltageOfTheFirstTableThatSaysIt) {
    const std::string head = plain.substr(0, plain.find("router:")), rest = plain.substr(head.size());
    const std::string silent = "format: sare-power\nversion: 1\nname: silent\nmade: {by: hand}\n" + rest;
    const std::string wires = rest.substr(rest.find("link:"), rest.find("nic:") - rest.find("link:"));
    const std::string both = written("silent", std::string(silent).erase(silent.find(wires), wires.size())) +
                             ", " + written("wires", head + wires);
    EXPECT_EQ(after_run(mesh + uniform + power("[" + both + "]"), energies),
              after_run(mesh + uniform + power(written("whole", silent)), energies));
}

TEST(Power, DoesNotDependOnThreads) {
    const std::string run = mesh + requests + power(written("plain", plain), ", interval: 100");
    const auto with = [&](std::uint32_t threads) {
        return in_child([&] {
            experiment e = experiment::read(config::parse_yaml(run, "test"), testing::TempDir());
            e.threads = threads;
            e.all_threads = true;
            simulation s(e);
            return result_text::of(s.run(e));
        });
    };
    const std::string one = with(1);
    EXPECT_NE(one.find("power.energy.total"), std::string::npos);
    EXPECT_EQ(with(3), one);
}

/// Links that sleep, too.
TEST(Power, GoesOnFromACheckpoint) {
    const std::string run =
        "network: {topology: torus, dims: [3, 3], link_wake: 5, link_idle: 9}\nrouter: {vcs: 2}\n"
        "measurement: {warmup: 200, convergence_count: 0, batch: 300, batches: 3}\n" +
        uniform + power(written("plain", plain), ", interval: 70, intervals: 6");
    const auto part = [&](cycle_t stop, const std::string& before) {
        return part_of_run([&] { return experiment::read(config::parse_yaml(run, "test"), ""); }, stop,
                           before, result_text::of);
    };
    constexpr cycle_t never = ~cycle_t{0} >> 1;
    const std::string whole = part(never, "");
    EXPECT_NE(whole.find("power.energy.leakage"), std::string::npos) << whole.substr(0, 300);
    for (const cycle_t stop : {100, 555}) {
        const std::string kept = part(stop, "");
        ASSERT_TRUE(is_checkpoint(kept)) << kept.substr(0, 300);
        EXPECT_EQ(part(never, kept), whole) << stop;
    }
}

/// What a sweep does: the first experiment's tables are those of its points.
TEST(Power, ReadsATableOnce) {
    const std::string table = written("once", plain);
    const auto read = [&](const experiment* known) {
        return experiment::read(config::parse_yaml(mesh + uniform + power(table), "test"), testing::TempDir(),
                                known);
    };
    const experiment first = read(nullptr);
    std::ofstream(table) << "nothing of the kind\n";
    EXPECT_THROW(read(nullptr), config::error);
    const experiment second = read(&first);
    EXPECT_EQ(in_child([&] {
                  simulation s(second);
                  return energy_of(s.run(second), "total") > 0 ? std::string("spent") : std::string();
              }),
              "spent");
}

TEST(Power, TakesNamesOfPlacesForLengthsAndBridges) {
    const std::string named = mesh + uniform + "names: {routers: {0: a, 1: b}, nodes: {3: n}}\n",
                      table = written("plain", plain);
    const auto energy = [&](const std::string& more) {
        return after_run(named + power(table, more),
                         [](const run_result& r) { return std::to_string(energy_of(r, "total")); });
    };
    EXPECT_EQ(energy(", bridges: n, links: {lengths: [{between: [a, b], length: 3}, {node: n, length: 2}]}"),
              energy(", bridges: 3, links: {lengths: [{between: [0, 1], length: 3}, {node: 3, length: 2}]}"));
    EXPECT_EQ(energy(", links: {lengths: [{node: \"0-3\", length: 7}, {node: 3, length: 2}]}"),
              energy(", links: {lengths: [{node: 3, length: 2}, {node: \"0-2\", length: 7}]}"));
}

/// The line of an experiment that cannot be.
std::string line_of(const std::string& yaml) {
    return after_run(yaml, [](const run_result&) { return std::string(); });
}

TEST(Power, ReportsMistakesWithTheirLine) {
    const std::string table = written("plain", plain);
    const auto with_table = [](const std::string& from, const std::string& to, const char* keys = "") {
        std::string text = plain;
        text.replace(text.find(from), from.size(), to);
        return mesh + uniform + power(written("wrong", text), keys);
    };
    const std::pair<std::string, const char*> cases[] = {
        {mesh + uniform + "power: {frequency: 1GHz}\n", "'power' has no table of costs"},
        {"network: {topology: ring, n: 4}\nmeasurement: {statistics: [power]}\n" + uniform,
         "'power' has no table of costs"},
        {mesh + uniform + power("osu"), "there is no table 'osu'; these come with Sare"},
        {mesh + uniform + power("none.yaml"), "/none.yaml'"},
        {mesh + uniform + power(table, ", frequency: 1"), "'frequency' is '1'; it must be"},
        {mesh + uniform + power(table, ", data: noise"), "'data' is 'noise'; it must be"},
        {mesh + uniform + power(table, ", data: trace"), "which needs a 'data_file'"},
        {mesh + uniform + power(table, ", data: trace, data_file: none.bin"), "none.bin"},
        {mesh + uniform + power(table, ", width: 8, header_bits: 9"), "'header_bits' is 9, more than"},
        {mesh + uniform + power(table, ", bridges: 16"), "'bridges' names node 16; there are 0 to 15"},
        {mesh + uniform + power(table, ", memory_bridges: 17"),
         "'memory_bridges' names node 17; there are 0 to 15"},
        {mesh + uniform + power(table, ", glitches: true"), "has no glitch_factor"},
        {mesh + uniform + power(table, ", links: {lengths: [{length: 1}]}"), "says which links"},
        {mesh + uniform + power(table, ", links: {lengths: [{between: [0, 5], length: 1}]}"),
         "there is no link between router 0 and router 5"},
        {mesh + uniform + power(table, ", links: {lengths: [{node: 16, length: 1}]}"), "there is no node 16"},
        {"fidelity: analytic\n" + mesh + uniform + power(table), "'power' counts flits in routers"},
        {with_table("sare-power", "power"), "begins with 'format: sare-power'"},
        {with_table("version: 1\n", ""), "'version' is missing"},
        {with_table("made: {by: hand, voltage: 1}", "applies: {kind: bubble}"), "for bubble; add one for it"},
        {with_table("made: {by: hand, voltage: 1}\n", "applies: {ranges: {vcs: [1]}}\n"),
         "must be two numbers"},
        {with_table("made: {by: hand, voltage: 1}\n", "applies: {ranges: [1]}\n"), "'ranges' must be a map"},
        {with_table("{\"1\": 0.25}", "{}"), "'terms' must be a map"},
        {with_table("vcs*ports", "vcs+ports"), "is no product of parameters"},
        {with_table("vcs*ports", "vcz"), "did you mean 'vcs'?"},
        {with_table("vcs*ports", "va_allocator"), "no number to multiply by"},
        {with_table("event: va_grant", "event: va_grant, per: bit"), "moves no flit"},
        {with_table("event: va_grant", "event: inject"), "is of NICs and bridges, and not of routers"},
        {with_table("event: va_grant, ", ""), "must say which 'event'"},
        {with_table("event: va_grant", "event: va_grant, when: 4"), "'when' must be a map"},
        {with_table(", voltage: 1", "", ", voltage: 1"), "does not say at which voltage"},
    };
    for (const auto& [yaml, said] : cases) {
        const std::string line = line_of(yaml);
        EXPECT_NE(line.find(said), std::string::npos) << yaml << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

}  // namespace
}  // namespace sare::test::power_test
