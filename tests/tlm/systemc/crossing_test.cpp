// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/systemc/crossing_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

/// Two networks with a crossing between them.
namespace sare::test::crossing_test {
namespace {

/// Keeps what is delivered.
struct sink final : workload {
    std::vector<delivery> all;
    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    void delivered(const delivery& d) override { all.push_back(d); }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
};

/// The first cycle of a clock of that period that begins at `time` or later.
cycle_t from(std::uint64_t time, std::uint64_t period) {
    return (time + period - 1) / period;
}

/// A message that is alone: in the FIFO in the cycle in which it comes to the gateway, readable after the
/// synchroniser, on the other link in that cycle.
std::string lone_messages(std::uint64_t of_a, std::uint64_t of_b, std::uint32_t stages) {
    row a("a", 3, ps(of_a)), b("b", 2, ps(of_b));
    crossing x("x", *a.edge, *b.edge, {4, stages});
    sink got;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    b.engine.set_workload(got);
    const router_params p;
    std::string wrong;
    for (std::uint32_t k = 0; k < 20; ++k) {
        a.engine.run_until(a.engine.cycle() + 90 + k);
        const cycle_t sent = a.engine.cycle() + 1;  // with its NIC
        a.send_over(0, 0, 1, k);
        sc_core::sc_start(100 * (ps(of_a) + ps(of_b)));
        const cycle_t written = sent + zero_load(p, 3, 1);
        const cycle_t read = from((written + 1) * of_a, of_b) + stages - 1;
        const cycle_t expected = read + zero_load(p, 2, 1) - nic_params{}.delay;
        if (got.all.size() != k + 1) return "message " + std::to_string(k) + " did not come";
        const delivery& d = got.all.back();
        if (d.injected != read || d.consumed != expected || d.what.tag >> 32 != k || d.what.source != 1)
            wrong += "injected " + std::to_string(d.injected) + " not " + std::to_string(read) +
                     ", consumed " + std::to_string(d.consumed) + " not " + std::to_string(expected) + "\n";
    }
    return wrong + a.engine.net().view().leftovers() + b.engine.net().view().leftovers() +
           (x.empty() ? "" : "not empty");
}

TEST(Crossing, DelaysALoneMessageByTheFormula) {
    for (const std::uint64_t of_b : {1000u, 2500u, 400u, 999u, 1001u, 7u, 12345u})
        for (const std::uint32_t stages : {1u, 2u, 3u})
            EXPECT_EQ(in_child([&] { return lone_messages(1000, of_b, stages); }), "")
                << of_b << " " << stages;
}

/// The same of a clock of B that changes when the flit has been written and cannot be read yet.
std::string after_a_change(std::uint64_t of_b, std::uint64_t then, std::uint32_t stages) {
    constexpr std::uint64_t of_a = 100000;
    row a("a", 3, ps(of_a)), b("b", 2, ps(of_b));
    crossing x("x", *a.edge, *b.edge, {4, stages});
    sink got;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    b.engine.set_workload(got);
    const cycle_t sent = 1, written = sent + zero_load(router_params{}, 3, 1);
    a.send_over(0, 0, 1);
    sc_core::sc_start(ps(written * of_a + of_a * 3 / 4));
    const cycle_t next = b.engine.cycle() + 1;  // the first one of the new period
    b.engine.set_period(ps(then));
    sc_core::sc_start(ps(200 * (of_a + then)));
    const std::uint64_t ends = (written + 1) * of_a, begins = next * of_b;
    const cycle_t read = (ends <= begins ? next : next + from(ends - begins, then)) + stages - 1;
    if (got.all.size() != 1) return "it did not come";
    if (got.all[0].injected != read)
        return "read in cycle " + std::to_string(got.all[0].injected) + ", not " + std::to_string(read);
    return a.engine.net().view().leftovers() + b.engine.net().view().leftovers();
}

TEST(Crossing, FollowsAChangedClockWithWhatItHolds) {
    for (const std::uint64_t of_b : {1000u, 7001u, 40000u, 90000u})
        for (const std::uint64_t then : {130u, 1000u, 5003u, 250000u})
            for (const std::uint32_t stages : {1u, 2u, 3u})
                EXPECT_EQ(in_child([&] { return after_a_change(of_b, then, stages); }), "")
                    << of_b << " " << then << " " << stages;
}

/// Cycles of B between the first and the last message of a train from A.
std::string rate(std::uint64_t of_a, std::uint64_t of_b, std::uint32_t depth, std::uint32_t vcs = 4) {
    router_params p;
    p.depth = 16;
    p.vcs = vcs;
    row a("a", 2, ps(of_a), p), b("b", 2, ps(of_b), p);
    crossing x("x", *a.edge, *b.edge, {depth, 2});
    sink got;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    b.engine.set_workload(got);
    for (std::uint32_t k = 0; k < 200; ++k) a.send_over(0, 0, 8, k);
    sc_core::sc_start(10000 * (ps(of_a) + ps(of_b)));
    if (got.all.size() != 200) return "lost: " + std::to_string(got.all.size());
    for (std::size_t k = 0; k < 200; ++k)
        if (vcs == 1 && got.all[k].what.tag >> 32 != k) return "out of order";
    const double span =
        static_cast<double>(got.all[199].consumed - got.all[19].consumed) * static_cast<double>(of_b);
    return std::to_string(180 * 8 / span * 1e3);
}

/// As many flits as the slower clock has cycles, if the FIFO covers the way there and back.
TEST(Crossing, CarriesAFlitInACycleOfTheSlowerClock) {
    for (const std::uint64_t of_b : {1000u, 2500u, 400u, 1001u}) {
        const double most = 1e3 / static_cast<double>(std::max<std::uint64_t>(1000, of_b));
        const std::string carried = in_child([&] { return rate(1000, of_b, 6); });
        EXPECT_NE(in_child([&] { return rate(1000, of_b, 6, 1); }), "out of order");
        ASSERT_NE(std::strtod(carried.c_str(), nullptr), 0) << carried;
        EXPECT_NEAR(std::stod(carried), most, most * 0.02) << of_b;
        EXPECT_LT(std::stod(in_child([&] { return rate(1000, of_b, 2); })), most * 0.75) << of_b;
    }
}

/// Both ways at random, in two classes, with clocks that change: everything comes, once, in the order of its
/// source, and every credit comes back.
std::string random_run(std::uint64_t seed) {
    rng random(seed, stream::test, 4);
    router_params p;
    p.vcs = 4;
    p.depth = 2 + random.below(6);
    if (random.bernoulli(0.3)) p.reallocation = reallocation_rule::atomic;
    row a("a", 3, ps(500 + random.below(1000)), p, 2), b("b", 4, ps(300 + random.below(3000)), p, 2);
    crossing x("x", *a.edge, *b.edge, {1 + random.below(8), 1 + random.below(3)});
    sink at_a, at_b;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    a.engine.set_workload(at_a);
    b.engine.set_workload(at_b);
    std::uint32_t to_b = 0, to_a = 0;
    for (std::uint32_t k = 0; k < 300; ++k) {
        const std::uint32_t flits = 1 + random.below(9), of_class = random.below(2);
        if (random.bernoulli(0.5))
            a.send_over(random.below(2), random.below(3), flits, to_b++, of_class);
        else
            b.send_over(random.below(3), random.below(2), flits, to_a++, of_class);
        if (random.bernoulli(0.05)) a.engine.set_period(ps(2 + random.below(2000)));
        if (random.bernoulli(0.05)) b.engine.set_period(ps(2 + random.below(2000)));
        sc_core::sc_start(ps(1 + random.below(20000)));
    }
    sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_US));
    std::ostringstream text;
    const auto check = [&](const sink& s, std::uint32_t sent, const row& at, const char* name) {
        std::vector<std::uint64_t> came;
        for (const delivery& d : s.all)
            if (d.what.destination != at.edge->node()) came.push_back(d.what.tag >> 32);
        std::sort(came.begin(), came.end());
        if (came.size() != sent) text << name << ": " << came.size() << " of " << sent << " came\n";
        if (std::adjacent_find(came.begin(), came.end()) != came.end()) text << name << ": one came twice\n";
        text << at.engine.net().view().leftovers();
    };
    check(at_b, to_b, b, "b");
    check(at_a, to_a, a, "a");
    if (!x.empty()) text << "something is left in it";
    return text.str();
}

TEST(Crossing, LosesNothingWhateverTheClocksDo) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed)
        EXPECT_EQ(in_child([&] { return random_run(seed); }), "") << "seed " << seed;
}

TEST(Crossing, ReportsMistakes) {
    row a("a", 2, ps(1000)), b("b", 2, ps(1000));
    row other("o", 2, ps(1000), {}, 2);
    EXPECT_EQ(report_of([&] { crossing x("x", *a.edge, *a.edge); }),
              "x: a_edge and a_edge are of one network; a crossing is between two");
    EXPECT_EQ(report_of([&] { crossing x("y", *a.edge, *other.edge); }),
              "y: its networks have 1 and 2 message classes; they must have as many");
    EXPECT_EQ(report_of([&] {
                  crossing x("z", *a.edge, *b.edge, {0, 2});
              }),
              "z: depth and stages are 0 and 2; both must be at least 1");
    EXPECT_EQ(report_of([&] { gateway g("g", a.engine, 7); }),
              "g: there is no node 7; make its NIC before, of 2 there are");
    EXPECT_EQ(report_of([&] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }).substr(0, 40),
              "a_edge has no crossing: what is sent to ");
}

}  // namespace
}  // namespace sare::test::crossing_test
