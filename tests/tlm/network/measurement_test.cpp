// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/measurement.h"
#include "tests/support/in_child.h"
#include "tests/support/test_fabric.h"
#include "tlm/network/network.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <regex>

/// The method: what is measured when, and how a run ends.
namespace sare::test::measurement_test {
namespace {

experiment make(const std::string& network, const std::string& routing, const std::string& traffic) {
    config::value all = config::value::map({});
    all.set("network", section(network, "topology"));
    all.set("routing", section(routing, "function"));
    all.set("traffic", section(traffic, "workload"));
    return experiment::read(all, "");
}

/// Of routers of a kind that brings its routing.
experiment make_of(const std::string& kind, const std::string& traffic) {
    config::value all = config::value::map({});
    all.set("network", section("torus dims=4,4", "topology"));
    all.set("router", section(kind, "kind"));
    all.set("traffic", section(traffic, "workload"));
    return experiment::read(all, "");
}

/// One run of `e`: once per process.
run_result run(const experiment& e) {
    return simulation(e).run(e);
}

struct totals {
    std::uint64_t packets = 0;
    double latency = 0, squares = 0, from_injection = 0;
};

/// Everything consumed in [from, to), counted without the classes under test.
class reference final : public observer {
  public:
    reference(cycle_t from, cycle_t to) : m_from(from), m_to(to) {}
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override {
        if (now < m_from || now >= m_to) return;
        const auto cycles = static_cast<double>(now - p.generated);
        ++sum.packets;
        sum.latency += cycles;
        sum.squares += cycles * cycles;
        sum.from_injection += static_cast<double>(now - p.injected);
    }
    void message_consumed(const message_record&, cycle_t) override {}

    totals sum;

  private:
    cycle_t m_from, m_to;
};

/// Wants the run to stop when an interval is over and its end is being noted.
struct late_wish final : workload {
    volatile std::sig_atomic_t stop = 0;
    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    void delivered(const delivery&) override {}
    generated_counts generated(cycle_t now) override {
        if (now >= 250) stop = 1;
        return {};
    }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    void serialize(archive&) override {}
};

/// Whenever a wish to stop comes, the run ends with a checkpoint.
TEST(Measurement, KeepsAWishToStopBetweenTwoIntervals) {
    sare::network net("net", make("mesh dims=2,2", "dor", "bernoulli load=0.1"), 1);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    late_wish traffic;
    net.engine().set_workload(traffic);
    measurement_params params;
    params.warmup = 0;
    params.convergence_count = 0;
    params.batch = 100;
    params.batches = 5;
    std::vector<cycle_t> kept;
    run_control control;
    control.stop = &traffic.stop;
    control.keep = [&](cycle_t at, const state_function&) { kept.push_back(at); };
    run_result out;
    measurement(net.engine(), traffic, params, control).run(out);
    EXPECT_EQ(out.status, run_status::interrupted);
    EXPECT_EQ(out.cycles, 300U);
    EXPECT_EQ(kept, std::vector<cycle_t>{300});
    EXPECT_EQ(out.batches.size(), 3U);
}

TEST(Measurement, MatchesMeansAndLoadsOfThePackets) {
    experiment e = make("mesh dims=4,4", "dor", "bernoulli load=0.3 length=3");
    e.measurement.warmup = 700;
    e.measurement.convergence_count = 0;
    e.measurement.batch = 450;
    e.measurement.batches = 7;
    const run_result r = run(e);
    EXPECT_EQ(r.status, run_status::completed) << r.reason;
    EXPECT_EQ(r.measured_from, 700U);
    EXPECT_EQ(r.measured_to, 700U + 7 * 450);
    EXPECT_EQ(r.cycles, r.measured_to);

    test_fabric f(fabric_setting{});
    reference count(r.measured_from, r.measured_to);
    f.net.stepper().set_observer(&count);
    const auto traffic = traffic_of("bernoulli load=0.3 length=3", 16);
    f.net.stepper().set_workload(traffic.get());
    f.run(0, r.measured_from);
    const std::uint64_t before = f.net.view().flits_consumed();
    f.run(r.measured_from, r.measured_to);
    const auto n = static_cast<double>(count.sum.packets);
    const latency_summary& s = r.packet_latency.from_generation;
    EXPECT_EQ(s.count, count.sum.packets);
    EXPECT_NEAR(s.mean, count.sum.latency / n, 1e-9);
    EXPECT_NEAR(s.stddev, std::sqrt(count.sum.squares / n - s.mean * s.mean), 1e-6);
    EXPECT_NEAR(r.packet_latency.from_injection.mean, count.sum.from_injection / n, 1e-9);
    EXPECT_NEAR(r.accepted, static_cast<double>(f.net.view().flits_consumed() - before) / (16.0 * 7 * 450),
                1e-12);
    EXPECT_EQ(r.flits.generated, traffic->generated(r.cycles - 1).flits);
}

/// What does not add up, of a run that is measured after the warm-up.
std::string sums(const std::string& traffic, std::uint64_t warmup, const std::string& kind = "") {
    experiment e = kind.empty() ? make("mesh dims=4,4", "dor", traffic) : make_of(kind, traffic);
    e.measurement.warmup = warmup;
    e.measurement.convergence_count = 0;
    e.measurement.batch = 777;
    e.measurement.batches = 3;
    e.measurement.matrix = true;
    const run_result r = run(e);
    counts nodes, pairs;
    double offered = 0;
    for (const auto& n : r.node_loads) {
        nodes.generated += n.generated;
        nodes.injected += n.injected;
        nodes.consumed += n.consumed;
        offered += static_cast<double>(n.generated_flits) /
                   static_cast<double>((r.measured_to - r.measured_from) * r.nodes);
    }
    for (const auto& p : r.matrix) pairs.injected += p.packets;
    std::ostringstream wrong;
    if (std::fabs(offered - r.offered) > 1e-9 || r.offered == 0)
        wrong << "offered " << offered << ", not " << r.offered << "; ";
    if (pairs.injected != nodes.injected || pairs.injected == 0)
        wrong << "pairs inject " << pairs.injected << ", nodes " << nodes.injected << "; ";
    const bool whole_run = r.measured_from == 0;
    if (whole_run && (nodes.generated != r.packets.generated || nodes.consumed != r.packets.consumed))
        wrong << nodes.generated << " are generated, not " << r.packets.generated;
    if (!whole_run && nodes.generated >= r.packets.generated)
        wrong << nodes.generated << " are generated in the window alone";
    return wrong.str();
}

/// Of every kind of source, backlogs that wait in the workload included: nodes.csv has the network's figures
/// by node, and the matrix those by pair, all of the measured window.
TEST(Measurement, AddsUpNodesAndPairsToTheNetwork) {
    for (const std::string traffic :
         {"bernoulli load=0.2 length=3", "bernoulli load=0.95 length=3", "bernoulli load=0.95 source_queue=4",
          "request_reply outstanding=8", "burst messages=40 length=7"})
        for (const std::uint64_t warmup : {0, 700})
            EXPECT_EQ(in_child([&] { return sums(traffic, warmup); }), "") << traffic << ", " << warmup;
}

/// So it is where packets wait in injection queues that routers own, too: those had fewer when the window
/// began, and a burst is in them as it ends.
TEST(Measurement, CountsPacketsInQueuesOfRoutersAsGenerated) {
    for (const std::string kind : {"bubble vcs=2 packet=4", "dally vcs=4 packet=4"})
        for (const std::string traffic : {"bernoulli load=0.9 length=12", "bernoulli load=0.3 length=4"})
            for (const std::uint64_t warmup : {0, 5, 700})
                EXPECT_EQ(in_child([&] { return sums(traffic, warmup, kind); }), "")
                    << kind << ", " << traffic << ", " << warmup;
}

TEST(Measurement, ComputesConfidenceIntervalsOverBatches) {
    experiment e = make("mesh dims=4,4", "dor", "bernoulli load=0.2");
    e.measurement.batch = 300;
    e.measurement.batches = 5;
    const run_result r = run(e);
    ASSERT_EQ(r.batches.size(), 5U);
    double mean = 0, squares = 0, accepted = 0;
    for (const auto& b : r.batches) {
        EXPECT_EQ(b.to - b.from, 300U);
        mean += b.latency_mean / 5;
        accepted += b.accepted / 5;
    }
    for (const auto& b : r.batches) squares += (b.latency_mean - mean) * (b.latency_mean - mean);
    constexpr double student = 2.776;  // four degrees of freedom, two sides, 95%
    EXPECT_NEAR(r.packet_latency.from_generation.ci95, student * std::sqrt(squares / 4 / 5), 1e-9);
    EXPECT_NEAR(r.accepted, accepted, 1e-12);
    EXPECT_NEAR(r.packet_latency.from_generation.mean, mean, 0.5);
}

/// The interval means what it says: in about 95 of 100 runs the true mean lies in it. The mean of all runs
/// stands for the true one.
TEST(Measurement, HoldsTheMeanInItsConfidenceInterval) {
    std::vector<std::pair<double, double>> runs;
    double all = 0;
    constexpr int count = 40;
    for (int n = 0; n < count; ++n) {
        const std::string text = in_child([n] {
            experiment e = make("mesh dims=4,4", "dor", "bernoulli load=0.3");
            e.seed = 100 + n;
            e.measurement.warmup = 500;
            e.measurement.convergence_count = 0;
            e.measurement.batch = 400;
            const run_result r = run(e);
            std::ostringstream out;
            out.precision(17);
            out << r.packet_latency.from_generation.mean << ' ' << r.packet_latency.from_generation.ci95;
            return out.str();
        });
        std::istringstream in(text);
        double mean = 0, half = 0;
        ASSERT_TRUE(in >> mean >> half) << text;
        runs.emplace_back(mean, half);
        all += mean / count;
    }
    int inside = 0;
    for (const auto& [mean, half] : runs) inside += std::fabs(mean - all) <= half;
    EXPECT_GE(inside, 33);
}

TEST(Measurement, WaitsUntilLatencySettles) {
    experiment e = make("mesh dims=4,4", "dor", "bernoulli load=0.3");
    e.measurement.warmup = 100;
    e.measurement.convergence_interval = 1500;
    e.measurement.convergence_count = 3;
    e.measurement.convergence_tolerance = 0.02;
    const run_result r = run(e);
    EXPECT_EQ(r.status, run_status::completed) << r.reason;
    ASSERT_GE(r.measured_from, 100U + 3 * 1500);
    EXPECT_EQ((r.measured_from - 100) % 1500, 0U);
    // The last three intervals before the window agree.
    std::vector<double> last;
    for (const auto& p : r.series)
        if (p.cycle <= r.measured_from && p.cycle + 3 * 1500 > r.measured_from)
            last.push_back(p.latency_mean);
    ASSERT_EQ(last.size(), 3U);
    const double mean = (last[0] + last[1] + last[2]) / 3;
    for (const double l : last) EXPECT_NEAR(l, mean, 0.02 * mean);
}

TEST(Measurement, SaysThatItIsSaturated) {
    experiment e = make("mesh dims=4,4", "dor", "bernoulli load=0.95");
    e.measurement.warmup = 1000;
    e.measurement.convergence_limit = 5;
    const run_result r = run(e);
    EXPECT_EQ(r.status, run_status::saturated);
    EXPECT_NE(r.reason.find(" of 16 sources cannot send what they are offered: node "), std::string::npos)
        << r.reason;
    EXPECT_NE(r.reason.find("had not settled after 5000 cycles"), std::string::npos) << r.reason;
    EXPECT_TRUE(std::isnan(r.packet_latency.from_generation.ci95));
    EXPECT_LT(r.accepted, 0.9 * r.offered);
    EXPECT_NEAR(r.offered, 0.95, 0.02);
    EXPECT_GT(r.accepted, 0.3);
}

/// Without convergence the climb of the latency is not seen: the loads tell.
TEST(Measurement, TellsSaturationByTheLoads) {
    experiment e = make("mesh dims=4,4", "dor", "bernoulli load=0.95");
    e.measurement.convergence_count = 0;
    const run_result r = run(e);
    EXPECT_EQ(r.status, run_status::saturated);
    EXPECT_NE(r.reason.find("offered"), std::string::npos) << r.reason;
}

// ---- deadlock --------------------------------------------------------------------------------------------

experiment deadlocking() {
    experiment e = make("torus dims=8,8", "dor dateline=none", "bernoulli load=1 length=16");
    e.router.set("vcs", config::value::scalar("1"));
    e.router.set("depth", config::value::scalar("2"));
    e.measurement.watchdog = 500;
    return e;
}

TEST(Deadlock, IsRefusedBeforeTheRun) {
    const std::string said = message([] { run(deadlocking()); });
    EXPECT_NE(said.find("can deadlock: r"), std::string::npos) << said;
    EXPECT_NE(said.find("checks.force"), std::string::npos) << said;
}

TEST(Deadlock, EndsByTheWatchdogWhenForced) {
    experiment e = deadlocking();
    e.checks.force = true;
    const run_result r = run(e);
    EXPECT_EQ(to_string(r.status), std::string("deadlock"));
    EXPECT_LT(r.cycles, 10000U);
    EXPECT_GT(r.flits.injected, r.flits.consumed);
    // "nothing moved from cycle 1000 to cycle 2000; each waits for the next: r0.p0.vc0 (...) -> ... ->
    // r0.p0.vc0 (...)", each the channel that the one before leads to, as the check for deadlock has it.
    EXPECT_EQ(r.reason.find("nothing moved from cycle "), 0U) << r.reason;
    EXPECT_NE(r.reason.find(" to cycle " + std::to_string(r.cycles) + ";"), std::string::npos) << r.reason;
    const std::string text = "each waits for the next: ";
    const auto begin = r.reason.find(text);
    ASSERT_NE(begin, std::string::npos) << r.reason;
    const std::string cycle = r.reason.substr(begin + text.size());
    const std::string first = cycle.substr(0, cycle.find(')') + 1);
    EXPECT_GT(cycle.rfind(first), 0U);
    EXPECT_EQ(cycle.rfind(first) + first.size(), cycle.size()) << "the cycle is not closed: " << cycle;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> channels;
    const std::regex channel("r([0-9]+)\\.p([0-9]+)\\.vc0 \\(packet from");
    for (std::sregex_iterator at(cycle.begin(), cycle.end(), channel), end; at != end; ++at)
        channels.emplace_back(std::stoul((*at)[1]), std::stoul((*at)[2]));
    ASSERT_GT(channels.size(), 3U) << cycle;
    const auto map = e.make_map();
    for (std::size_t n = 1; n < channels.size(); ++n)
        EXPECT_EQ(map->peer(router_id(channels[n - 1].first), port_id(channels[n - 1].second)).id,
                  channels[n].first)
            << cycle;
}

/// Slow is not dead: packets that need long between two moves of anything are left alone.
TEST(Deadlock, IsNotSuspectedInASlowNetwork) {
    experiment e = make("mesh dims=2,2 link_latency=300", "dor", "bernoulli load=0.001");
    e.measurement.watchdog = 400;
    e.measurement.convergence_count = 0;
    e.measurement.convergence_interval = e.measurement.batch = 100;
    e.measurement.batches = 200;
    const run_result r = run(e);
    EXPECT_EQ(r.status, run_status::completed) << r.reason;
    EXPECT_GT(r.packets.consumed, 0U);
}

/// Messages of one packet and of several: each counts once as a message, each packet once as a packet.
TEST(Latency, CountsMessagesAndPacketsOnceEach) {
    const std::string file = testing::TempDir() + "/sare-messages-" + std::to_string(getpid()) + ".trace";
    std::ofstream(file) << "sare-trace 1\ntasks 2\n0 send 1 16\n0 compute 1e-6\n0 send 1 100000\n"
                           "1 recv 0 16\n1 recv 0 100000\n";
    const run_result r = run(make("mesh dims=4,4", "dor", "trace file=" + file));
    std::remove(file.c_str());
    EXPECT_EQ(r.messages.consumed, 2U);
    EXPECT_GT(r.packets.consumed, 10U);
    EXPECT_EQ(r.packet_latency.from_generation.count, r.packets.consumed);
    EXPECT_EQ(r.message_latency.from_generation.count, 2U);
    EXPECT_EQ(r.message_latency.from_injection.count, 2U);
    EXPECT_GT(r.message_latency.from_generation.max, 1000);
    EXPECT_LT(r.message_latency.from_generation.p50, 100);
    EXPECT_LT(r.packet_latency.from_injection.max, 1000);
}

// ---- from empty to empty ---------------------------------------------------------------------------------

TEST(IdleTime, TakesFewStepsForABillionCycles) {
    const std::string file = testing::TempDir() + "/sare-idle-" + std::to_string(getpid()) + ".trace";
    std::ofstream(file)
        << "sare-trace 1\ntasks 2\n0 send 1 16\n0 compute 1.0\n0 send 1 16\n1 recv 0 16\n1 recv 0 16\n";
    experiment e = make("mesh dims=4,4", "dor", "trace file=" + file);
    const run_result r = run(e);
    EXPECT_EQ(r.status, run_status::completed) << r.reason;
    EXPECT_GT(r.cycles, 1'000'000'000U);
    EXPECT_LT(r.cycles, 1'000'001'000U);
    EXPECT_EQ(r.messages.consumed, 2U);
    EXPECT_LT(r.series.size(), 600U);

    // The same without SystemC, to count what the network did.
    test_fabric f(fabric_setting{});
    const auto traffic = traffic_of("trace file=" + file, 16);
    f.net.stepper().set_workload(traffic.get());
    f.run(0, workload::never);
    EXPECT_EQ(f.net.view().packets_consumed(), 2U);
    EXPECT_LT(f.steps, 300U);
    std::remove(file.c_str());
}

TEST(IdleTime, TakesFewStepsInAQuietNetwork) {
    test_fabric f(fabric_setting{});
    scripted_traffic traffic({{0, 15, 4, 0, 10, 0}, {15, 0, 4, 0, 5'000'000'000, 0}});
    f.net.stepper().set_workload(&traffic);
    f.run(0, workload::never);
    EXPECT_EQ(f.net.view().packets_consumed(), 2U);
    EXPECT_LT(f.steps, 200U);
}

/// The time left is told by it: the same for a cycle of the warm-up and of a batch, and within a batch.
TEST(measurement, ShowsProgressByCycles) {
    experiment e = make("torus dims=8,8", "dor", "bernoulli load=0.2");
    e.measurement.warmup = 20000;
    e.measurement.convergence_count = 0;
    e.measurement.batch = 50000;
    e.measurement.batches = 2;
    int shown = 0;
    run_control control;
    control.on_progress = [&](const progress& p) {
        EXPECT_NEAR(p.done, static_cast<double>(p.cycle) / 120000, 0.0001)
            << p.phase << ", cycle " << p.cycle;
        ++shown;
    };
    simulation(e).run(e, control);
    EXPECT_GE(shown, 1);  // five a second
}

TEST(measurement, HoldsProgressWhereARunDoesNotSettle) {
    experiment e = make("torus dims=8,8", "dor", "bernoulli load=0.9");
    e.measurement.warmup = 0;
    e.measurement.convergence_count = 2;
    e.measurement.convergence_interval = 10000;
    e.measurement.convergence_tolerance = 0;
    e.measurement.convergence_limit = 4;
    e.measurement.batch = 10000;
    e.measurement.batches = 2;
    run_control control;
    control.on_progress = [&](const progress& p) {
        const double of_4 = static_cast<double>(p.cycle) / 40000;
        if (p.cycle <= 20000) {
            EXPECT_NEAR(p.done, of_4, 0.0001);
        } else if (std::string(p.phase) == "converging") {
            EXPECT_NEAR(p.done, 0.5, 0.0001);
        } else {
            EXPECT_NEAR(p.done, of_4 - 0.5, 0.0001);
        }
    };
    simulation(e).run(e, control);
}

}  // namespace
}  // namespace sare::test::measurement_test
