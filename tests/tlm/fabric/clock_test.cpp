// SPDX-License-Identifier: Apache-2.0
#include "tests/support/clocked.h"
#include "tests/support/closed_form.h"
#include "tests/support/parameter_text.h"
#include "tests/support/seed.h"
#include "tests/support/test_fabric.h"
#include "tests/tlm/topology/topology_support.h"

#include <gtest/gtest.h>

/// Routers of several clocks.
namespace sare::test::clock_test {
namespace {

std::unique_ptr<topology> slowed(const std::string& line, std::uint32_t clock) {
    return std::make_unique<clocked>(network(line), [clock](std::uint32_t) { return clock; });
}

/// Packets at random, all in cycles that are a multiple of `clock`, in order of time.
std::vector<sare::message> script(std::uint32_t nodes, std::uint32_t clock, std::uint64_t seed) {
    rng random(seed, stream::test, 3);
    std::vector<sare::message> all;
    for (cycle_t t = 0; t < 300; ++t)
        for (std::uint32_t n = 0; n < nodes; ++n) {
            if (!random.bernoulli(0.08)) continue;
            sare::message m;
            m.source = n;
            m.destination = random.below(nodes);
            m.flits = 1 + random.below(6);
            m.generated = t * clock;
            all.push_back(m);
        }
    return all;
}

fabric_setting random_setting(rng& random) {
    fabric_setting s;
    s.seed = random.next();
    s.router.vcs = 2 + 2 * random.below(2);
    s.router.depth = 1 + random.below(8);
    s.router.rc_delay = random.below(2);
    s.router.va_delay = random.below(2);
    s.router.sa_delay = random.below(3);
    s.router.st_delay = random.below(2);
    s.router.credit_delay = s.nic.credit_delay = random.below(3);
    s.router.input_speedup = 1 + random.below(2);
    if (random.bernoulli(0.3)) s.router.credit_batch = 1 + random.below(3);
    s.nic.max_packet_flits = 1 + random.below(4);
    s.compact_allowed = random.bernoulli(0.5);
    return s;
}

/// A network whose routers all have clock p is the same network, p times as slow: to the cycle.
TEST(Clock, SlowsTheWholeNetworkInProportion) {
    rng random(test_seed(1), stream::test, 11);
    const std::vector<std::string> networks{
        "mesh dims=3,3 link_latency=2", "torus dims=4,3 node_link_latency=3",
        "ring n=5 concentration=2 link_cycles_per_flit=2", "crossbar n=6"};
    for (int n = 0; n < 60; ++n) {
        const std::string& net = networks[static_cast<std::size_t>(n) % networks.size()];
        fabric_setting s = random_setting(random);
        s.routing = net[0] == 'c' ? "table" : "dor";
        s.nic.credit_delay = 0;  // is in cycles of the NIC, whose clock is 1
        const std::uint32_t clock = 2 + random.below(4), nodes = network(net)->nodes();
        const packet_log once = log_of(s, network(net), script(nodes, 1, s.seed)),
                         slow = log_of(s, slowed(net, clock), script(nodes, clock, s.seed));
        ASSERT_EQ(once.lines.size(), slow.lines.size())
            << net << " clock " << clock << ' ' << parameter_text(s.router) << " max "
            << s.nic.max_packet_flits << " fast " << s.compact_allowed;
        for (std::size_t k = 0; k < once.lines.size(); k += 8) {
            const std::uint64_t in = once.lines[k] % 2;
            ASSERT_EQ(slow.lines[k] / 2, once.lines[k] / 2 * clock) << net << " clock " << clock << ' ' << in;
            for (const std::size_t same : {1, 2, 3, 4, 5})
                ASSERT_EQ(slow.lines[k + same], once.lines[k + same]) << net << " clock " << clock;
        }
    }
}

TEST(Clock, DoesNotDependOnTheOrderOfEvaluation) {
    rng random(test_seed(1), stream::test, 12);
    for (int n = 0; n < 30; ++n) {
        fabric_setting s = random_setting(random);
        const std::uint32_t seed = random.next();
        const auto map = [&] {
            return std::make_unique<clocked>(network("torus dims=4,3 concentration=2"), [&](std::uint32_t r) {
                return 1 + rng(seed, stream::test, r).below(4);
            });
        };
        const auto all = script(24, 1, s.seed);
        const packet_log plain = log_of(s, map(), all), shuffled = log_of(s, map(), all, 5);
        auto a = plain.lines, b = shuffled.lines;
        ASSERT_EQ(a.size(), b.size());
        // Packets of one cycle may be told in another order.
        const auto sorted = [](const std::vector<std::uint64_t>& lines) {
            std::vector<std::vector<std::uint64_t>> rows;
            for (std::size_t k = 0; k < lines.size(); k += 8)
                rows.emplace_back(lines.begin() + static_cast<std::ptrdiff_t>(k),
                                  lines.begin() + static_cast<std::ptrdiff_t>(k + 8));
            std::sort(rows.begin(), rows.end());
            return rows;
        };
        ASSERT_EQ(sorted(a), sorted(b));
    }
}

/// The cycle in which one packet, sent in cycle `start`, is consumed.
std::uint64_t arrival(const fabric_setting& s, std::unique_ptr<topology> map, std::uint32_t from,
                      std::uint32_t to, cycle_t start, std::uint32_t flits) {
    sare::message m;
    m.source = from;
    m.destination = to;
    m.flits = flits;
    m.generated = start;
    const packet_log log = log_of(s, std::move(map), {m});
    return log.lines[8] / 2;
}

std::uint64_t up(std::uint64_t t, std::uint64_t clock) {
    return (t + clock - 1) / clock;
}

/// Cycle by cycle along the way: a link has the clock of its slower end, and what has come over it is read at
/// the next edge of its reader.
TEST(Clock, DelaysAPacketByPipelineAndEdges) {
    const std::vector<std::uint32_t> clocks{3, 1, 2, 5, 5};
    fabric_setting s;
    s.routing = "dor";
    s.nic.delay = 0;
    s.router.va_delay = 1;
    s.router.sa_delay = 1;
    s.router.st_delay = 1;
    const std::uint32_t latency = 2, node_latency = 1;
    for (const std::uint32_t to : {1U, 2U, 3U, 4U})
        for (cycle_t start = 0; start < 31; ++start) {
            const auto map = [&] {
                return std::make_unique<clocked>(network("mesh dims=5 link_latency=2"),
                                                 [&](std::uint32_t r) { return clocks[r]; });
            };
            // In cycles of the router: comes in at its edge, and leaves for the link.
            std::uint64_t edge = up(start, clocks[0]) + node_latency;
            const std::uint64_t through = 1 + s.router.va_delay + s.router.sa_delay + s.router.st_delay;
            for (std::uint32_t r = 0; r < to; ++r) {
                const std::uint32_t own = clocks[r], next = clocks[r + 1];
                if (own >= next)
                    edge = up((edge + through + latency) * own, next);
                else
                    edge = up((edge + through) * own, next) + latency;
            }
            const std::uint64_t expected = (edge + through + node_latency) * clocks[to];
            ASSERT_EQ(arrival(s, map(), 0, to, start, 1), expected) << to << " from cycle " << start;
        }
}

/// A router takes a flit a cycle of its own clock, whatever sends to it.
TEST(Clock, LimitsThroughputToTheSlowestRouter) {
    for (const std::uint32_t slow : {2U, 3U, 7U}) {
        fabric_setting s;
        s.router.depth = 16;
        s.nic.max_packet_flits = 8;
        std::vector<sare::message> all;
        for (int n = 0; n < 100; ++n) {
            sare::message m;
            m.source = 0;
            m.destination = 2;
            m.flits = 8;
            all.push_back(m);
        }
        const auto map = [&] {
            return std::make_unique<clocked>(network("mesh dims=3"),
                                             [&](std::uint32_t r) { return r == 1 ? slow : 1U; });
        };
        const packet_log log = log_of(s, map(), all);
        const std::uint64_t last = log.lines[log.lines.size() - 8] / 2;
        EXPECT_GE(last, 799U * slow);
        EXPECT_LE(last, 799U * slow + 30 * slow);
    }
}

TEST(Clock, SurvivesTimesBeyond2To32Cycles) {
    fabric_setting s;
    s.routing = "dor";
    const cycle_t half = cycle_t{1} << 31;
    for (const std::uint32_t clock : {2U, 3U}) {
        test_fabric f(s, slowed("torus dims=4,4", clock));
        packet_log log;
        f.net.stepper().set_observer(&log);
        for (const cycle_t start : {cycle_t{0}, half * clock - 20, half * clock * 2 + 1000}) {
            std::vector<sare::message> all = script(16, 1, 4);
            for (sare::message& m : all) m.generated += start;
            scripted_traffic traffic(all);
            f.net.stepper().set_workload(&traffic, start);
            f.run(start, start + 1'000'000);
            ASSERT_EQ(f.net.view().leftovers(), "");
            f.net.stepper().set_workload(nullptr);
        }
    }
}

}  // namespace
}  // namespace sare::test::clock_test
