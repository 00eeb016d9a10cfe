// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/memory/memory_support.h"
#include "tests/tlm/systemc/systemc_support.h"
#include "tlm/systemc/reports.h"

#include <gtest/gtest.h>

#include <sstream>

/// Several networks in one simulation, each with a clock of its own, and clocks that change.
namespace sare::test::period_test {
namespace {

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;

sc_time ns(double t) {
    return {t, SC_NS};
}

TEST(EngineClock, NumbersCyclesOnWhenThePeriodChanges) {
    engine_clock c(ns(2));
    EXPECT_EQ(c.cycle_at(ns(9)), 4U);
    EXPECT_EQ(c.begin_of(5), ns(10));
    c.change(5, ns(3), ns(9));  // cycle 5 begins at 10
    EXPECT_EQ(c.cycle_at(ns(9)), 4U);
    EXPECT_EQ(c.cycle_at(ns(10)), 5U);
    EXPECT_EQ(c.cycle_at(ns(12.999)), 5U);
    EXPECT_EQ(c.cycle_at(ns(13)), 6U);
    EXPECT_EQ(c.begin_of(7), ns(16));
    EXPECT_EQ(c.period_of(4), ns(2));
    EXPECT_EQ(c.period_of(5), ns(3));
    c.change(5, ns(1), ns(9.5));  // the last word holds
    EXPECT_EQ(c.begin_of(7), ns(12));
    c.change(8, ns(10), ns(12.5));
    EXPECT_EQ(c.cycle_at(ns(13)), 8U);
    EXPECT_EQ(c.cycle_at(ns(12.9)), 7U);
    EXPECT_EQ(c.begin_of(9), ns(23));
    // Of an engine that runs ahead: several before SystemC's time has come to the first one.
    c.change(20, ns(4), ns(12.5));
    c.change(30, ns(5), ns(12.5));
    EXPECT_EQ(c.begin_of(31), ns(13 + 12 * 10 + 10 * 4 + 5));
    EXPECT_EQ(c.cycle_at(ns(13 + 12 * 10 + 39)), 29U);
}

std::string text_of(const packet_records& log) {
    std::ostringstream text;
    for (const auto& line : log.lines) {
        for (const std::uint64_t word : line) text << word << ' ';
        text << '\n';
    }
    return text.str();
}

/// Changes the clock of an engine at some times.
struct governor : sc_core::sc_module {
    governor(const sc_core::sc_module_name& name, cycle_engine& e,
             std::vector<std::pair<sc_time, sc_time>> all)
        : sc_core::sc_module(name), engine(e), plan(std::move(all)) {
        SC_HAS_PROCESS(governor);
        SC_THREAD(run);
    }
    void run() {
        for (const auto& [at, period] : plan) {
            wait(at - sc_core::sc_time_stamp());
            engine.set_period(period);
        }
    }
    cycle_engine& engine;
    std::vector<std::pair<sc_time, sc_time>> plan;
};

/// What becomes of random traffic, in cycles. `plan`: of the clock; `others`: another network beside it.
std::string history(const std::vector<std::pair<sc_time, sc_time>>& plan, bool others,
                    const sc_time& period) {
    hand_mesh net("m", 3, 3, {}, 1, 2);
    net.engine.set_period(period);
    std::unique_ptr<hand_mesh> other;
    std::unique_ptr<workload> its_traffic;
    packet_records log, its_log;
    if (others) {
        other = std::make_unique<hand_mesh>("o", 2, 2, router_params{});
        other->engine.set_period(sc_time(437, SC_PS));
    }
    governor changes("governor", net.engine, plan);
    const auto traffic =
        make_workload("bernoulli", 9, {{"load", "0.2"}, {"length", "3"}, {"stop_cycle", "900"}});
    net.engine.net().stepper().set_observer(&log);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(*traffic);
    if (others) {
        its_traffic = make_workload("bernoulli", 4, {{"load", "0.3"}, {"stop_cycle", "700"}});
        other->engine.net().stepper().set_observer(&its_log);
        other->engine.set_workload(*its_traffic);
    }
    for (const cycle_t end : {1, 2, 333, 334, 1000, 3000}) {
        net.engine.run_until(end);
        if (net.engine.cycle() != end || net.engine.clock().begin_of(end) != sc_core::sc_time_stamp())
            return "cycle " + std::to_string(net.engine.cycle()) + ", not " + std::to_string(end);
    }
    if (others) return text_of(log) + "and\n" + text_of(its_log) + other->engine.net().view().leftovers();
    return text_of(log) + net.engine.net().view().leftovers();
}

const std::vector<std::pair<sc_time, sc_time>> changes{
    {ns(3.3), ns(4)},   {ns(100), ns(0.25)}, {ns(120.125), ns(7)}, {ns(120.2), ns(2)},
    {ns(500), ns(0.1)}, {ns(500), ns(0.3)},  {ns(600), ns(50)},    {ns(5000), ns(1)}};

/// Cycles know nothing of the length of their like.
TEST(Period, DoesNotChangeTheHistoryOfCycles) {
    const std::string usual = in_child([] { return history({}, false, ns(1)); });
    ASSERT_GT(usual.size(), 10000U);
    EXPECT_EQ(in_child([] { return history(changes, false, ns(1)); }), usual);
    EXPECT_EQ(in_child([] { return history({}, false, sc_time(730, SC_PS)); }), usual);
}

/// Two networks with clocks of their own do not know of each other.
TEST(Period, KeepsNetworksIndependentOfEachOther) {
    const std::string alone = in_child([] { return history({}, false, ns(1)); }),
                      beside = in_child([] { return history({}, true, ns(1)); }),
                      changed = in_child([] { return history(changes, true, sc_time(2, SC_PS)); });
    EXPECT_EQ(beside.substr(0, beside.find("and\n")), alone);
    EXPECT_GT(beside.size(), alone.size() + 10000);
    EXPECT_EQ(beside, changed);
}

/// In one process, at the end of a cycle that lasts: cycle, period and seconds.
TEST(Period, IsThatOfThePresentCycle) {
    hand_mesh net("m", 2, 2, {});
    net.engine.set_period(ns(3));
    EXPECT_EQ(net.engine.period(), ns(3));
    sc_core::sc_start(ns(10));
    EXPECT_EQ(net.engine.cycle(), 3U);
    net.engine.set_period(ns(5));
    EXPECT_EQ(net.engine.period(), ns(3));
    sc_core::sc_start(ns(2));  // cycle 4 begins
    EXPECT_EQ(net.engine.cycle(), 4U);
    EXPECT_EQ(net.engine.period(), ns(5));
    sc_core::sc_start(ns(4.999));
    EXPECT_EQ(net.engine.cycle(), 4U);
    sc_core::sc_start(ns(0.001));
    EXPECT_EQ(net.engine.cycle(), 5U);
    EXPECT_DOUBLE_EQ(net.engine.net().port().cycle_seconds(), 5e-9);
    EXPECT_EQ(report_of([&] { net.engine.set_period(sc_core::SC_ZERO_TIME); }),
              "m_engine: the period of its clock is no time; SystemC counts in steps of 1 ps");
    EXPECT_EQ(net.engine.period(), ns(5));
}

}  // namespace
}  // namespace sare::test::period_test
