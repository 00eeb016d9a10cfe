// SPDX-License-Identifier: Apache-2.0
#include "tests/support/parameter_text.h"
#include "tests/tlm/fabric/domain_runs.h"

#include <gtest/gtest.h>

/// Networks with domains whose clocks have any ratio.
namespace sare::test::domain_test {
namespace {

/// A network in which all routers and NICs have clock p is the network without domains, p times as slow:
/// what was in cycle k is in the cycle of edge k, exactly.
TEST(Domain, OfAllBlocksSlowsTheNetworkInProportion) {
    rng random(test_seed(1), stream::test, 31);
    for (int n = 0; n < networks(); ++n) {
        fabric_setting s = random_setting(random);
        const drawn_network net = random_network(random);
        s.routing = net.routing;
        const clock_ratio clock = n % 3 == 0 ? clock_ratio(2) : random_clock(random);
        const std::uint32_t nodes = network(net.line)->nodes();
        const auto slowed = [&](std::uint64_t k) { return clock.cycle_of(k); };
        const packet_log once = log_of(s, network(net.line), script(nodes, s.seed)),
                         slow = log_of(
                             s, with_domains(net.line, "all: {routers: all, clock: " + clock.text() + "}"),
                             script(nodes, s.seed, clock));
        ASSERT_EQ(sorted(once, slowed), sorted(slow, itself))
            << net.line << " clock " << clock.text() << ' ' << parameter_text(s.router);
    }
}

/// Draws up to three domains of routers, one of NICs, and what remains: "name: {...}, ..." with every clock
/// times `factor`.
std::string random_domains(std::uint64_t seed, const topology& map, std::uint32_t factor) {
    rng random(seed, stream::test, 7);
    const auto [routers, nodes] = random_blocks(random, map);
    std::string all;
    const auto add = [&](const char* what, const std::string& which, bool fixed) {
        const clock_ratio c = random_clock(random);
        const std::uint32_t stages = 1 + random.below(4);
        if (which.find_first_of("0123456789") == std::string::npos) return;
        const clock_ratio clock = fixed ? clock_ratio() : c;
        all +=
            (all.empty() ? "d" : ", d") + std::to_string(all.size()) + ": {" + what + ": [" +
            which.substr(which.find_first_of("0123456789")) + "], synchroniser: " + std::to_string(stages) +
            ", clock: " + std::to_string(clock.cycles() * factor) + "/" + std::to_string(clock.edges()) + "}";
    };
    for (std::size_t k = 0; k < 3; ++k) add("routers", routers[k], k == 0);
    for (std::size_t k = 0; k < 2; ++k) add("nodes", nodes[k], k == 0);
    return all;
}

/// Fractions of a cycle are exact: where all clocks are 60 times as slow, so that each has whole cycles, all
/// happens in the same cycles, divided by 60.
TEST(Domain, CountsFractionsOfACycleExactly) {
    rng random(test_seed(1), stream::test, 32);
    constexpr std::uint32_t fine = 60;  // a multiple of all numbers of edges
    for (int n = 0; n < networks(); ++n) {
        fabric_setting s = random_setting(random);
        const drawn_network net = random_network(random);
        s.routing = net.routing;
        const auto map = network(net.line);
        const std::uint64_t seed = random.next();
        const auto divided = [](std::uint64_t k) { return k / fine; };
        const packet_log coarse = log_of(s, with_domains(net.line, random_domains(seed, *map, 1)),
                                         script(map->nodes(), s.seed)),
                         exact = log_of(s, with_domains(net.line, random_domains(seed, *map, fine)),
                                        script(map->nodes(), s.seed, clock_ratio(fine)));
        ASSERT_FALSE(coarse.lines.empty());
        ASSERT_EQ(sorted(coarse, itself), sorted(exact, divided))
            << net.line << ' ' << random_domains(seed, *map, 1) << ' ' << parameter_text(s.router);
    }
}

TEST(Domain, DependsOnNoOrderOfEvaluationAndNoThreads) {
    rng random(test_seed(1), stream::test, 33);
    for (int n = 0; n < networks() / 6; ++n) {
        fabric_setting s = random_setting(random);
        const drawn_network net = random_network(random);
        s.routing = net.routing;
        const std::string domains = random_domains(random.next(), *network(net.line), 1);
        const auto all = script(network(net.line)->nodes(), s.seed);
        const rows plain = sorted(log_of(s, with_domains(net.line, domains), all), itself);
        ASSERT_EQ(plain, sorted(log_of(s, with_domains(net.line, domains), all, 5), itself)) << domains;
        s.threads = {3, 1, 0, 3};
        ASSERT_EQ(plain, sorted(log_of(s, with_domains(net.line, domains), all), itself)) << domains;
    }
}

/// The way of a flit over a crossing, in closed form: what router 0 puts on the link at edge k is there
/// `latency` of its own cycles later. The next edge of router 1 samples it, and the synchroniser of n
/// flip-flops takes n - 1 more.
TEST(Domain, CrossesInTheCyclesOfASynchroniser) {
    for (const auto& [first, second] : {std::pair<clock_ratio, clock_ratio>{{1, 1}, {2, 1}},
                                        {{2, 1}, {1, 1}},
                                        {{3, 2}, {1, 1}},
                                        {{1, 1}, {4, 3}},
                                        {{7, 5}, {9, 4}},
                                        {{20, 17}, {8, 3}}})
        for (std::uint32_t flip_flops = 1; flip_flops <= 3; ++flip_flops)
            for (cycle_t start = 0; start < 23; ++start) {
                fabric_setting s;
                s.nic.delay = 0;
                s.router.va_delay = s.router.sa_delay = s.router.st_delay = 1;
                const std::uint64_t through = 1 + 1 + 1 + 1, latency = 3, node_link = 1;
                const std::uint64_t sent = first.first_edge(start) + node_link + through;
                const std::uint64_t there = (sent + latency) * first.cycles() * second.edges(),
                                    each = std::uint64_t{second.cycles()} * first.edges();
                const std::uint64_t read = (there + each - 1) / each + flip_flops - 1;
                const std::string domains = "a: {routers: 0, clock: " + first.text() +
                                            "}, b: {routers: 1, clock: " + second.text() +
                                            ", synchroniser: " + std::to_string(flip_flops) + "}";
                ASSERT_EQ(arrival(s, with_domains("mesh dims=2 link_latency=3", domains), start, 1),
                          second.cycle_of(read + through + node_link))
                    << first.text() << " to " << second.text() << ", " << flip_flops << ", " << start;
            }
}

/// First edge of `reader` that is not before edge `k` of `writer`, in whole numbers.
std::uint64_t next_edge(const clock_ratio& reader, std::uint64_t k, const clock_ratio& writer) {
    const std::uint64_t at = k * writer.cycles() * reader.edges(),
                        each = std::uint64_t{reader.cycles()} * writer.edges();
    return (at + each - 1) / each;
}

/// A packet on a line of routers, flit by flit: a flit leaves its buffer in the cycle in which it comes, but
/// a cycle after the flit before it, and the head two later. It is on the link after SA and ST, and the
/// reader takes one in a cycle.
TEST(Domain, MovesFlitsAsTheirRecurrenceSays) {
    rng random(test_seed(1), stream::test, 34);
    for (int n = 0; n < networks(); ++n) {
        const std::uint32_t routers = 2 + random.below(4), latency = 1 + random.below(3);
        const std::uint32_t flits = 1 + random.below(30), start = random.below(50);
        std::vector<clock_ratio> clocks;
        std::vector<std::uint32_t> stages;
        std::string domains;
        for (std::uint32_t r = 0; r < routers; ++r) {
            clocks.push_back(random_clock(random));
            stages.push_back(1 + random.below(3));
            domains += (r == 0 ? "d" : ", d") + std::to_string(r) + ": {routers: " + std::to_string(r) +
                       ", clock: " + clocks[r].text() + ", synchroniser: " + std::to_string(stages[r]) + "}";
        }
        fabric_setting s;
        s.nic.delay = 0;
        s.router.depth = s.nic.max_packet_flits = 32;
        s.router.rc_delay = s.router.va_delay = s.router.sa_delay = s.router.st_delay = 1;
        std::vector<std::uint64_t> come(flits), granted(flits);
        for (std::uint32_t i = 0; i < flits; ++i) come[i] = clocks[0].first_edge(start) + i + 1;
        for (std::uint32_t r = 0; r < routers; ++r)
            for (std::uint32_t i = 0; i < flits; ++i) {
                granted[i] = i == 0 ? come[0] + 2 : std::max(come[i], granted[i - 1] + 1);
                if (r + 1 == routers) continue;
                const bool alike = clocks[r] == clocks[r + 1];
                const std::uint64_t read = next_edge(clocks[r + 1], granted[i] + 2 + latency, clocks[r]) +
                                           (alike ? 0 : stages[r + 1] - 1);
                come[i] = i == 0 ? read : std::max(read, come[i - 1] + 1);
            }
        const std::string line =
            "mesh dims=" + std::to_string(routers) + " link_latency=" + std::to_string(latency);
        ASSERT_EQ(arrival(s, with_domains(line, domains), start, flits),
                  clocks.back().cycle_of(granted.back() + 2 + 1))
            << line << ' ' << domains << ' ' << flits << " flits from " << start;
    }
}

/// Cycles that 400 flits need from router 0 to router 1, over those of a flit.
double cycles_of_flit(std::uint32_t vcs, std::uint32_t depth, const std::string& domains) {
    fabric_setting s;
    s.router.vcs = vcs;
    s.router.depth = depth;
    s.nic.ejection_depth = 16;
    std::vector<std::uint64_t> ends;
    for (const std::uint32_t flits : {400U, 800U}) {
        s.nic.max_packet_flits = flits;
        ends.push_back(arrival(s, with_domains("mesh dims=2", domains), 0, flits));
    }
    return static_cast<double>(ends[1] - ends[0]) / 400;
}

/// With buffers that cover the round trip of a credit a flit passes in each cycle of the slower clock.
TEST(Domain, CarriesAFlitInEachCycleOfTheSlowerClock) {
    for (const auto& [first, second, period] : {std::tuple<const char*, const char*, double>{"1", "2", 2},
                                                {"2", "1", 2},
                                                {"3/2", "1", 1.5},
                                                {"1", "3/2", 1.5},
                                                {"7/5", "9/4", 2.25},
                                                {"9/4", "20/17", 2.25}})
        EXPECT_NEAR(cycles_of_flit(1, 24,
                                   std::string("a: {routers: 0, clock: ") + first +
                                       "}, b: {routers: 1, clock: " + second + "}"),
                    period, 0.01)
            << first << ' ' << second;
}

/// With a buffer of one flit, one passes in the round trip of a credit. Router 1 has edges at multiples of
/// its period p only, so that the round trip waits until the next multiple of p.
TEST(Domain, CarriesAFlitInTheRoundTripOfACredit) {
    for (const std::uint32_t there : {1U, 2U, 3U})
        for (const std::uint32_t back : {1U, 2U, 4U})
            for (const std::uint32_t p : {1U, 2U, 4U, 5U}) {
                const fabric_setting s;
                const router_terms terms = model_of(s)->terms();
                const std::uint32_t latency = 1, stages = p == 1 ? 0 : 1;  // of equal clocks there are none
                const std::uint32_t own =
                                        terms.flit_delay + terms.credit_delay + latency + stages * (back - 1),
                                    other = terms.input_delay + latency + stages * (there - 1),
                                    trip = own + other * p;
                EXPECT_NEAR(cycles_of_flit(1, 1,
                                           "a: {routers: 0, synchroniser: " + std::to_string(back) +
                                               "}, b: {routers: 1, clock: " + std::to_string(p) +
                                               ", synchroniser: " + std::to_string(there) + "}"),
                            (trip + p - 1) / p * p, 0.01)
                    << there << ' ' << back << ' ' << p;
            }
}

TEST(Domain, SurvivesTimesBeyond2To32Cycles) {
    fabric_setting s;
    const cycle_t half = cycle_t{1} << 31;
    test_fabric f(s, with_domains("torus dims=4,4",
                                  "a: {routers: 0-7, clock: 3/2}, b: {nodes: 8-9, clock: "
                                  "2000/333}"));
    packet_log log;
    f.net.stepper().set_observer(&log);
    for (const cycle_t start : {cycle_t{0}, half * 3 / 2 - 20, half * 3 + 1000}) {
        std::vector<sare::message> all = script(16, 4);
        for (sare::message& m : all) m.generated += start;
        scripted_traffic traffic(all);
        f.net.stepper().set_workload(&traffic, start);
        f.run(start, start + 1'000'000);
        ASSERT_EQ(f.net.view().leftovers(), "");
        f.net.stepper().set_workload(nullptr);
    }
}

}  // namespace
}  // namespace sare::test::domain_test
