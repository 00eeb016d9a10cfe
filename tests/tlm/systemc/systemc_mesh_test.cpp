// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/systemc/systemc_support.h"
#include "tests/tlm/topology/topology_support.h"
#include "tlm/network/network.h"

#include <gtest/gtest.h>
#include <sysc/kernel/sc_dynamic_processes.h>

#include <sstream>

/// Three ways to the same network: by hand, by the composer with all sockets, by the composer with wires
/// alone.
namespace sare::test::systemc_mesh_test {
namespace {

experiment mesh_experiment(std::uint64_t seed) {
    experiment e;
    e.seed = seed;
    e.network = section("mesh dims=4,4 link_latency=2", "topology");
    e.routing = section("dor", "function");
    e.traffic = section("bernoulli", "workload");
    return e;
}

TEST(SystemcMesh, IsTheSameHandBuiltBoundAndLean) {
    const experiment e = mesh_experiment(77);
    hand_mesh by_hand("hand", 4, 4, router_params{}, 1, 2, e.seed);
    sare::network bound("bound", e, 1), lean("lean", e, 1, 0);
    ASSERT_TRUE(bound.bound());
    ASSERT_FALSE(lean.bound());
    const std::vector<cycle_engine*> engines{&by_hand.engine, &bound.engine(), &lean.engine()};
    packet_records logs[3];
    std::unique_ptr<workload> traffic[3];
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (int k = 0; k < 3; ++k) {
        engines[k]->net().stepper().set_observer(&logs[k]);
        traffic[k] =
            make_workload("bernoulli", 16, {{"load", "0.3"}, {"length", "5"}, {"stop_cycle", "2000"}});
        engines[k]->set_workload(*traffic[k]);
    }
    engines[0]->run_until(5000);
    ASSERT_GT(logs[0].lines.size(), 3000U);
    EXPECT_EQ(logs[0].lines, logs[1].lines);
    EXPECT_EQ(logs[0].lines, logs[2].lines);
    for (auto* engine : engines) EXPECT_EQ(engine->net().view().leftovers(), "");
}

/// What happens to packets, told in cycles from `start` on.
std::vector<std::vector<std::uint64_t>> from(cycle_t start, const packet_records& log) {
    auto lines = log.lines;
    for (auto& l : lines)
        for (const std::size_t time : {1, 7, 8})
            if (time < l.size()) l[time] -= start;
    return lines;
}

struct source {
    const char* name;
    words parameters;
};

/// The difference of traffic that is set in cycle 0 from what is set in cycle `start`, each in its network,
/// before or after that cycle was run.
std::string difference(const source& s, cycle_t start, bool is_run) {
    hand_mesh early("a", 3, 3, {}, 2), late("b", 3, 3, {}, 2);
    packet_records logs[2];
    const auto first = make_workload(s.name, 9, s.parameters),
               second = make_workload(s.name, 9, s.parameters);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    early.engine.net().stepper().set_observer(&logs[0]);
    early.engine.set_workload(*first);
    if (start != 0) late.engine.work_at(start / 2);
    late.engine.run_until(start);
    if (is_run) {
        late.engine.work_at(start);
        for (int delta = 0; delta < 2; ++delta) sc_core::sc_start(sc_core::SC_ZERO_TIME);
        ++start;
    }
    late.engine.net().stepper().set_observer(&logs[1]);
    late.engine.set_workload(*second);
    late.engine.run_until(start + 2000);
    const bool waits = s.parameters.back().first == "start_cycle";
    const auto reference = from(waits ? 500 : 0, logs[0]);
    const auto ours = from(waits ? std::max<cycle_t>(start, 500) : start, logs[1]);
    if (ours.size() < 100) return "only " + std::to_string(ours.size()) + " events";
    for (std::size_t k = 0; k < std::min(ours.size(), reference.size()); ++k)
        if (ours[k] != reference[k]) return "event " + std::to_string(k) + " differs";
    return "";
}

/// Traffic that is set in mid-run, after cycles that were run and cycles that were not, does from there on
/// what it does from cycle 0 on.
TEST(SystemcMesh, StartsTrafficThatIsSetInMidRun) {
    for (const source& s :
         {source{"bernoulli", {{"load", "0.3"}, {"length", "3"}}},
          source{"bernoulli", {{"load", "0.3"}, {"start_cycle", "500"}}},
          source{"burst", {{"messages", "30"}, {"bursts", "3"}}}, source{"request_reply", {{"load", "0.1"}}},
          source{"request_reply", {{"outstanding", "3"}}}})
        for (const cycle_t start : {0, 1, 700})
            for (const bool is_run : {false, true})
                EXPECT_EQ(in_child([&] { return difference(s, start, is_run); }), "")
                    << s.name << " from " << start << (is_run ? ", which is run" : "");
}

/// A process that looks at the clock from time to time.
struct clock_watcher : sc_core::sc_module {
    explicit clock_watcher(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
        SC_HAS_PROCESS(clock_watcher);
        SC_METHOD(look);
    }
    void look() { next_trigger(sc_core::sc_time(17, sc_core::SC_NS)); }
};

/// What became of packets in a network that is alone, or has a process beside it; first, whether all was
/// seen in its own time.
std::string history(bool alone) {
    hand_mesh net("m", 3, 3, {}, 1, 2);
    const auto beside = alone ? nullptr : std::make_unique<clock_watcher>("watcher");
    struct in_time final : observer {
        packet_records log;
        bool late = false;
        void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override {
            late = late || sc_core::sc_time_stamp() != sc_core::sc_time(double(now), sc_core::SC_NS);
            log.packet_injected(node, p, now);
        }
        void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override {
            log.packet_consumed(node, p, now);
        }
        void message_consumed(const message_record&, cycle_t) override {}
    } seen;
    const auto traffic =
        make_workload("bernoulli", 9, {{"load", "0.2"}, {"length", "3"}, {"stop_cycle", "900"}});
    net.engine.net().stepper().set_observer(&seen);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(*traffic);
    std::ostringstream text;
    for (const cycle_t end : {1, 2, 333, 334, 1000, 2000, 5000}) {
        net.engine.run_until(end);
        sare::message m;
        m.source = 3;
        m.destination = 5;
        m.generated = net.engine.cycle();
        net.engine.send(m);
        text << "cycle " << net.engine.cycle() << " at " << sc_core::sc_time_stamp() << '\n';
    }
    net.engine.run_until(6000);
    for (const auto& line : seen.log.lines) {
        for (const std::uint64_t word : line) text << word << ' ';
        text << '\n';
    }
    return (seen.late ? "ahead\n" : "in step\n") + text.str() + net.engine.net().view().leftovers();
}

TEST(SystemcMesh, RunsAheadOfTimeToTheSameEndWhenAlone) {
    const std::string alone = in_child([] { return history(true); }),
                      beside = in_child([] { return history(false); });
    ASSERT_EQ(alone.substr(0, 6), "ahead\n");
    ASSERT_EQ(beside.substr(0, 8), "in step\n");
    EXPECT_EQ(alone.substr(6), beside.substr(8));
    EXPECT_GT(alone.size(), 20000U);
}

/// A process that sc_main spawns in mid-run, and that waits for an event alone, is woken in its time.
TEST(SystemcMesh, WakesALaterProcessInItsTime) {
    hand_mesh net("m", 2, 2, {});
    sc_core::sc_event delivered;
    struct teller final : observer {
        explicit teller(sc_core::sc_event& e) : told(e) {}
        void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
        void packet_consumed(std::uint32_t, const packet&, cycle_t now) override {
            consumed = now;
            told.notify(sc_core::SC_ZERO_TIME);
        }
        void message_consumed(const message_record&, cycle_t) override {}
        sc_core::sc_event& told;
        cycle_t consumed = 0;
    } observer(delivered);
    script traffic;
    traffic.add(500, 0, 3, 1);
    net.engine.net().stepper().set_observer(&observer);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(traffic);
    net.engine.run_until(100);
    sc_core::sc_time woken;
    sc_core::sc_spawn([&] {
        sc_core::wait(delivered);
        woken = sc_core::sc_time_stamp();
    });
    net.engine.run_until(200);
    net.engine.run_until(1000);
    ASSERT_GT(observer.consumed, 500U);
    EXPECT_EQ(woken, sc_core::sc_time(double(observer.consumed), sc_core::SC_NS));
}

TEST(SystemcMesh, RefusesASecondWorkload) {
    hand_mesh net("m", 2, 2, {});
    script first, second;
    first.add(5, 0, 3, 1);
    second.add(5, 1, 2, 1);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(first);
    EXPECT_EQ(report_of([&] { net.engine.set_workload(second); }),
              "m_engine has its traffic: set_workload() is for once");
    net.engine.run_until(100);
    EXPECT_EQ(first.received.size(), 1U);
    EXPECT_EQ(second.received.size(), 0U);
}

TEST(SystemcMesh, RefusesTimeThatSystemcCannotCount) {
    hand_mesh net("m", 2, 2, {});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    script traffic;
    traffic.add(workload::never / 2, 0, 3, 1);  // times the clock's period it is no number
    net.engine.set_workload(traffic);
    net.engine.run_until(1000);
    EXPECT_EQ(net.engine.cycle(), 1000U);
    EXPECT_EQ(
        report_of([&] { net.engine.run_until(workload::never / 2); }),
        "m_engine: cycle 9223372036854775807 is beyond the end of SystemC's time, which with this clock "
        "is cycle 18446744073709551");
}

struct broken final : workload {
    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return 7; }
    void tick(cycle_t) override { throw config::error("the trace is torn"); }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
};

/// What throws within a cycle comes out of run_until() as what it was, and the engine stands still.
TEST(SystemcMesh, PassesOnAFailureWithinACycle) {
    broken traffic;
    hand_mesh net("m", 2, 2, {});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(traffic);
    EXPECT_EQ(message([&] { net.engine.run_until(100); }), "the trace is torn");
}

TEST(SystemcMesh, NamesTheEngineInAFailureOfScStart) {
    broken traffic;
    hand_mesh net("m", 2, 2, {});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(traffic);
    EXPECT_EQ(report_of([] { sc_core::sc_start(100, sc_core::SC_NS); }),
              "m_engine, cycle 7: the trace is torn");
}

}  // namespace
}  // namespace sare::test::systemc_mesh_test
