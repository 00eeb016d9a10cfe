// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/result_text.h"
#include "tests/support/test_fabric.h"
#include "tests/traffic/source/flow.h"
#include "tlm/analytic/contention_free.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <set>

/// Workloads and measurements on the contention-free model.
namespace sare::test::contention_free_runs_test {
namespace {

experiment make(const std::string& network, const std::string& traffic) {
    config::value all = config::value::map({});
    all.set("network", section(network, "topology"));
    const std::size_t rest = traffic.find('{');  // what one line of settings cannot say
    config::value w = rest == std::string::npos ? section(traffic, "workload")
                                                : testing_support::flow(traffic.substr(rest));
    w.set("workload", config::value::scalar(traffic.substr(0, traffic.find(' '))));
    all.set("traffic", w);
    all.set("fidelity", config::value::scalar("analytic"));
    return experiment::read(all, SARE_SOURCE_DIR "/tb/experiments");
}

run_result run(const experiment& e) {
    return simulation(e).run(e);
}

const char* const workloads[] = {
    "bernoulli load=0.3 length=4",
    "poisson load=0.3 length=2",
    "renewal load=0.3 length=2",
    "on_off load=0.1 on_cycles=20 off_cycles=20",
    "constant_rate load=0.2",
    "constant_population messages=4",
    "flows {flows: [{from: 0, to: 5, rate: 0.2, length: 4, reply: 2}, {from: 9, to: 2, rate: 0.1, burst: "
    "8}]}",
    "reactive initial=4 probability=0.4",
    "ping to_self=true",
    "task_model jobs=40",
    "protocol preset=mesi_directory count=20 buffer=0",
    "burst messages=40 bursts=3",
    "burst messages=5 load=0.2",
    "request_reply outstanding=4 requests=30",
    "request_reply load=0.02",
    "ring rounds=2",
    "random outstanding=7",
    "trace file=cg.S.16/cg.S.16.index",
    "trace file=cg.S.16/cg.S.16.index eager_limit=64",
    "trace file=cg.S.16/cg.S.16.index mode=at_will",
    "barrier repetitions=3",
    "collective operation=allreduce",
    "incast repetitions=3",
    "random_exchange seed=4",
    "binary_tree repetitions=3",
    "butterfly compute=1e-7",
    "direction_exchange torus=true",
    "inverse_binary_tree repetitions=3",
    "mesh_exchange tasks_per_node=2",
    "waterfall bytes=1000",
    "wavefront return=true",
    "fft3d data=16,16,16",
    "halo cells=10",
    "lattice_qcd cells=4",
    "master_worker jobs=3 compute=1e-7",
    "n_body bytes=400",
    "npb_ep size=S flops_per_second=1e12",
    "npb_mg size=S flops_per_second=1e12",
    "sweep3d cells=10,10,10",
    "dpsnn columns=16,16 steps=3",
    "training {pipeline: 2, tensor: 2, layers: [{count: 4, parameters: 1e5, activations: 1e4, forward: "
    "1e-6}]}",
};

class any_workload : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, any_workload, testing::ValuesIn(workloads));

TEST_P(any_workload, EndsKeepsItsMessagesAndRepeatsItself) {
    const experiment e = make("torus dims=4,4", GetParam());
    std::string twice[2];
    for (std::string& text : twice) {
        const run_result r = run(e);
        EXPECT_EQ(r.status, run_status::completed) << r.reason;
        EXPECT_EQ(r.messages.generated, r.messages.injected);
        EXPECT_EQ(r.packets.injected, r.messages.injected);
        EXPECT_GE(r.messages.consumed, 32U);
        EXPECT_TRUE(r.link_loads.empty());
        EXPECT_TRUE(std::isnan(r.figure_of("links.mean_load")));
        EXPECT_EQ(r.links, 48U);  // 32 between routers, 16 of nodes
        EXPECT_EQ(r.channels, 64U);
        EXPECT_EQ(r.node_loads.size(), 16U);
        EXPECT_EQ(r.packet_latency.from_generation.mean, r.packet_latency.from_injection.mean);
        EXPECT_EQ(r.packet_latency.from_generation.max, r.packet_latency.from_injection.max);
        if (!std::isnan(r.packet_latency.from_generation.ci95)) {
            EXPECT_NEAR(r.accepted, r.offered, 0.1 * r.offered);
        } else {
            EXPECT_EQ(r.messages.consumed, r.messages.injected);
            EXPECT_EQ(r.flits.consumed, r.flits.generated);
        }
        text = result_text::of(r);
    }
    EXPECT_EQ(twice[0], twice[1]);
}

/// No workload is left out above.
TEST(ContentionFree, IsTriedWithEveryWorkload) {
    for (const auto& [name, v] : workload_registry::instance().variants()) {
        // Of these: tests/traffic/application_test.cpp, bridge_test.cpp, moves_test.cpp, rails_test.cpp;
        // python/. Without routers nothing copies packets, so that multicast is refused.
        const std::set<std::string> elsewhere{"applications", "bridge", "data_moves",
                                              "multicast",    "python", "rails"};
        if (elsewhere.count(name) != 0) continue;
        const bool tried =
            std::any_of(std::begin(workloads), std::end(workloads), [&name = name](const char* w) {
                return std::string(w).substr(0, name.size() + 1) == name + ' ';
            });
        EXPECT_TRUE(tried) << name;
    }
}

/// What flits of other nodes are about cannot be seen: the mean is that of the pattern.
TEST(ContentionFree, KeepsLatencyWhateverTheLoad) {
    const run_result low = run(make("mesh dims=8,8", "bernoulli load=0.01 pattern=transpose")),
                     high = run(make("mesh dims=8,8", "bernoulli load=0.9 pattern=transpose"));
    EXPECT_NEAR(low.packet_latency.from_generation.mean, high.packet_latency.from_generation.mean, 0.3);
    EXPECT_EQ(high.packet_latency.from_generation.max, 14.0 + 2 + 1);
}

TEST(ContentionFree, FinishesABurstInTheLongestLatency) {
    const run_result r = run(make("ring n=8 link_latency=10", "burst messages=1000 pattern=complement"));
    EXPECT_EQ(flow_style(r.workload), "{bursts: 1, mean_burst_cycles: 33, burst_cycles: [33]}");  // 3 links
}

/// Latencies beyond the watchdog and the batches are neither a deadlock nor saturation.
TEST(ContentionFree, TreatsLongLatenciesAsNoSaturation) {
    experiment e = make("star n=8 latency=1e-3", "bernoulli load=0.02");  // 2,000,000 cycles
    const run_result early = run(e);
    EXPECT_EQ(early.status, run_status::unsettled) << early.reason;
    EXPECT_EQ(early.reason,
              "messages take up to 2000001 cycles, and were measured from cycle 6000 on: of those that take "
              "long too few had arrived; raise measurement.warmup");
    e.measurement.warmup = 2'100'000;
    const run_result r = run(e);
    EXPECT_EQ(r.status, run_status::completed) << r.reason;
    EXPECT_EQ(r.reason, "");
    EXPECT_EQ(r.packet_latency.from_generation.mean, 2'000'001.0);
    EXPECT_NEAR(r.accepted, 0.02, 0.004);
}

/// Nothing moves for longer than the watchdog waits, again and again.
TEST(ContentionFree, AllowsMessagesLongerThanTheWatchdogWaits) {
    const run_result r = run(make("star n=8 latency=1e-3", "ring"));
    EXPECT_EQ(r.status, run_status::completed) << r.reason;
    EXPECT_EQ(r.workload.find("makespan_cycles")->text(), "16000008");
    experiment e = make("star n=8 latency=1e-3", "bernoulli load=0.05 stop_cycle=100");
    e.measurement.warmup = 50'000;  // in which nothing moves but at its beginning
    const run_result quiet = run(e);
    EXPECT_EQ(quiet.status, run_status::unsettled) << quiet.reason;
    EXPECT_EQ(quiet.cycles, 50'000U + 3 * 1000 + 10 * 1000);  // and none more to see whether they move
}

/// What counts of a message made of bytes is these, and no header or padding.
TEST(ContentionFree, SpendsNoTimeOnHeaders) {
    experiment e = make("torus dims=4,4", "trace file=cg.S.16/cg.S.16.index");
    const run_result plain = run(e);
    e.nic.header_bytes = 48;
    e.nic.max_packet_flits = 4;
    const run_result cut = run(e);
    EXPECT_GT(cut.flits.injected, plain.flits.injected);
    EXPECT_EQ(cut.workload.find("makespan_cycles")->text(), plain.workload.find("makespan_cycles")->text());
}

/// A request crosses and its reply comes back.
TEST(ContentionFree, TakesTwoLatenciesForARoundTrip) {
    const run_result r = run(make("crossbar n=4 latency=1e-6 bandwidth=1.28e8",
                                  "request_reply outstanding=1 requests=10 length=2 reply_length=3"));
    // 2 us and 256 bits at 128 Mb/s; 2 us and 384 bits.
    EXPECT_EQ(std::stod(r.workload.find("mean_round_trip_cycles")->text()), 9000.0);
    EXPECT_EQ(r.cycles, 10 * (2000 + 2000 + 2000 + 3000) + 1U);
}

/// Logs in which order things come.
class order final : public workload {
  public:
    void start(traffic_port& p) override { port = &p; }
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override {
        log += "tick " + std::to_string(now) + "; ";
        m_next = never;
        if (now != 0) return;
        m_next = 5;
        for (const std::uint32_t to : {2U, 1U, 2U}) {
            sare::message m;
            m.source = 0;
            m.destination = to;
            m.tag = sent++;
            port->send(m);
        }
        port->call_when_queued(3, 0, 0);
    }
    void delivered(const delivery& d) override {
        log += std::to_string(d.what.destination) + '#' + std::to_string(d.what.tag) + " at " +
               std::to_string(d.consumed) + "; ";
    }
    void queue_space(std::uint32_t node, std::uint32_t) override {
        log += "room " + std::to_string(node) + "; ";
        if (node != 0) port->call_when_queued(node - 1, 0, 0);
    }
    bool finished() const override { return m_next == never; }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

    std::string log;
    traffic_port* port = nullptr;
    std::uint64_t sent = 0;

  private:
    cycle_t m_next = 0;
};

TEST(ContentionFree, KeepsTheOrderOfACycle) {
    const auto map = network("crossbar n=4 node_link_latency=2");  // and a flit: 5 cycles
    contention_free net(*map, {}, 1e-9, 1);
    order w;
    net.set_workload(w, true);
    EXPECT_EQ(net.next_work(0), 0U);
    net.run_until(3);
    EXPECT_EQ(net.cycle(), 2U);
    EXPECT_EQ(net.next_work(2), 5U);
    EXPECT_EQ(net.packets_inside(), 3U);
    EXPECT_FALSE(net.finished());
    net.run_until(100);
    EXPECT_TRUE(net.finished());
    EXPECT_EQ(net.finished_at(), 5U);
    EXPECT_EQ(w.log, "tick 0; room 3; room 2; room 1; room 0; 1#1 at 5; 2#0 at 5; 2#2 at 5; tick 5; ");
}

TEST(ContentionFree, CountsByNode) {
    const auto map = network("mesh dims=4,1");
    contention_free net(*map, {}, 1e-9, 1);
    std::vector<sare::message> script(2);
    script[0].destination = 3;
    script[0].flits = 5;
    script[1].source = script[1].destination = 2;
    scripted_traffic traffic(script);
    net.set_workload(traffic, true);
    net.run_until(1000);
    EXPECT_EQ(net.counts_of(0).injected_flits, 5U);
    EXPECT_EQ(net.counts_of(3).consumed_flits, 5U);
    EXPECT_EQ(net.counts_of(3).consumed_packets, 1U);
    EXPECT_EQ(net.counts_of(2).injected_packets, 1U);
    EXPECT_EQ(net.counts_of(2).consumed_flits, 1U);
    EXPECT_EQ(net.flit_hops(), 5U * 4 + 1);
}

/// Whether a link sleeps depends on what it carries, and links have no state here: that is said.
TEST(ContentionFree, SaysWhatItLeavesOut) {
    const auto warnings = [](const std::string& network, bool pad = false) {
        experiment e = make(network, "ping");
        e.nic.pad = pad;
        std::vector<std::string> all;
        run_control control;
        control.warn = [&](const std::string& text) { all.push_back(text); };
        simulation(e).run(e, control);
        return all;
    };
    EXPECT_EQ(warnings("mesh dims=3,3"), std::vector<std::string>{});
    EXPECT_EQ(warnings("mesh dims=3,3 link_wake=20 link_idle=5"),
              std::vector<std::string>{
                  "what can sleep (link_wake, wake) is always awake in the contention-free model"});
    EXPECT_EQ(warnings("mesh dims=3,3 link_bit_error_rate=1e-4"),
              std::vector<std::string>{"links have bit errors, and the contention-free model loses nothing"});
    EXPECT_EQ(warnings("mesh dims=3,3", true),
              std::vector<std::string>{"'nic.pad' is true, and the contention-free model pads no packet"});
}

/// An experiment is switched by one word: nothing else need be taken out of it.
TEST(ContentionFree, LeavesOutRoutersAndRefusesRtl) {
    config::value all = config::value::map({});
    all.set("network", section("torus dims=4,4", "topology"));
    all.set("traffic", section("bernoulli load=0.1", "workload"));
    all.set("router", section("vc vcs=1", "kind"));  // too few for dor on rings
    all.set("links", config::value::list({config::value::map({{"between", list_or_scalar("0,1", ",", {})},
                                                              {"latency", config::value::scalar("9")}})}));
    EXPECT_NE(in_child([&] {
                  const experiment e = experiment::read(all, "");
                  return std::string(to_string(simulation(e).run(e).status));
              }).find("error: "),
              std::string::npos);
    all.set("fidelity", config::value::scalar("analytic"));
    const experiment e = experiment::read(all, "");
    const run_result r = run(e);
    EXPECT_EQ(r.status, run_status::completed);
    EXPECT_EQ(r.deadlock_check, "not needed: nothing waits in a contention-free network");
    EXPECT_THROW(simulation(e).plan(), std::logic_error);
}

}  // namespace
}  // namespace sare::test::contention_free_runs_test
