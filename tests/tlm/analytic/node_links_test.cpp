// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/test_fabric.h"
#include "tests/tlm/topology/topology_support.h"
#include "tlm/analytic/node_link_network.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

/// The crossbar whose nodes' links carry one message at a time, and what the contention-free model says where
/// they would have to.
namespace sare::test::node_links_test {
namespace {

/// Arrivals of messages, in the order of their sending.
std::vector<cycle_t> arrivals(contention_free& net, const std::vector<sare::message>& script) {
    struct log final : observer {
        void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
        void packet_consumed(std::uint32_t, const packet&, cycle_t) override {}
        void message_consumed(const message_record& m, cycle_t now) override { at[m.what.tag] = now; }
        std::vector<cycle_t> at;
    } seen;
    seen.at.resize(script.size());
    scripted_traffic traffic(script);
    net.set_observer(&seen);
    net.set_workload(traffic, true);
    net.run_until(workload::never);
    EXPECT_TRUE(net.finished());
    EXPECT_EQ(net.flits_inside(), 0U);
    return seen.at;
}

std::vector<sare::message> several(std::initializer_list<std::array<std::uint32_t, 4>> all) {
    std::vector<sare::message> script;
    for (const auto& [from, to, flits, when] : all) {
        sare::message m;
        m.source = from;
        m.destination = to;
        m.flits = flits;
        m.generated = when;
        m.tag = script.size();
        script.push_back(m);
    }
    return script;
}

/// Both models without routers refuse numbers that they do not have.
TEST(NodeLinks, RefuseUnknownNodesAndClasses) {
    const auto map = network("crossbar n=6");
    contention_free plain(*map, {}, 1e-9, 2);
    node_link_network links(*map, {}, 1e-9, 2);
    scripted_traffic nothing({});
    for (contention_free* net : {&plain, static_cast<contention_free*>(&links)}) {
        net->set_workload(nothing, true);
        traffic_port& port = *net;
        const auto refusal = [&](std::array<std::uint32_t, 4> numbers) {
            sare::message m;
            m.source = numbers[0];
            m.destination = numbers[1];
            m.message_class = numbers[2];
            m.flits = numbers[3];
            try {
                port.send(m);
            } catch (const std::out_of_range& problem) {
                return std::string(problem.what());
            }
            return std::string();
        };
        EXPECT_EQ(refusal({6, 0, 0, 1}), "a message from node 6, and there are 6");
        EXPECT_EQ(refusal({0, ~0U, 0, 1}), "a message to node 4294967295, and there are 6");
        EXPECT_EQ(refusal({0, 1, 2, 1}), "a message of message class 2, and there are 2");
        EXPECT_EQ(refusal({0, 1, 0, 0}), "a message of no flits; it has one at least");
        EXPECT_EQ(refusal({5, 5, 1, 1}), "");
        EXPECT_THROW(port.call_when_queued(6, 0, 0), std::out_of_range);
        EXPECT_THROW(port.call_when_queued(0, 2, 0), std::out_of_range);
        EXPECT_THROW(port.router_of(6), std::out_of_range);
    }
    EXPECT_THROW(links.queued(6), std::out_of_range);
    EXPECT_THROW(links.queued_of(0, 2), std::out_of_range);
}

/// Links of 3 cycles, a flit a cycle: what leaves a node, and what comes to one, does so behind each other.
TEST(NodeLinks, CarryOneMessageAtATime) {
    const auto map = network("crossbar n=6 node_link_latency=3");
    const auto times = [&](std::initializer_list<std::array<std::uint32_t, 4>> script) {
        node_link_network net(*map, {}, 1e-9, 1);
        return arrivals(net, several(script));
    };
    using cycles = std::vector<cycle_t>;
    EXPECT_EQ(times({{0, 1, 10, 0}}), (cycles{16}));
    EXPECT_EQ(times({{0, 1, 10, 0}, {0, 2, 10, 0}, {0, 3, 4, 0}}), (cycles{16, 26, 30}));   // out of one
    EXPECT_EQ(times({{1, 0, 10, 0}, {2, 0, 10, 0}, {3, 0, 4, 1}}), (cycles{16, 26, 30}));   // into one
    EXPECT_EQ(times({{0, 1, 10, 0}, {2, 3, 10, 0}, {1, 0, 10, 0}}), (cycles{16, 16, 16}));  // none in common
    EXPECT_EQ(times({{0, 1, 10, 0}, {3, 2, 20, 0}, {0, 2, 5, 7}}), (cycles{16, 26, 31}));   // both
    EXPECT_EQ(times({{0, 0, 10, 0}, {0, 1, 10, 30}}), (cycles{16, 46}));                    // idle between
}

/// Alone each takes what the latency rule says, to the cycle, whatever the units and which link is slow.
TEST(NodeLinks, GiveALoneMessageTheLatencyRule) {
    for (const char* text : {"crossbar n=5 latency=1e-7 bandwidth=3e9", "star n=5 concentration=2",
                             "mesh dims=3,2 latency=7e-9 bandwidth=3"}) {
        const auto map = network(text);
        std::vector<sare::message> script;
        for (std::uint32_t a = 0; a < map->nodes(); ++a)
            for (std::uint32_t b = 0; b < map->nodes(); ++b)
                for (const sare::message& m : several({{a, b, 1 + a, 0}})) script.push_back(m);
        for (std::size_t k = 0; k < script.size(); ++k) {
            std::vector<sare::message> one{script[k]};
            one[0].tag = 0;
            node_link_network busy(*map, {}, 1e-9, 1);
            contention_free free(*map, {}, 1e-9, 1, true);
            EXPECT_EQ(arrivals(busy, one), arrivals(free, one)) << text << " " << k;
        }
    }
}

experiment parsed(const std::string& fidelity, const std::string& rest) {
    return experiment::read(config::parse_yaml("fidelity: " + fidelity + "\n" + rest, "test.yaml"),
                            SARE_SOURCE_DIR "/tb/experiments");
}

/// Geo/D/1: of messages of L flits that are made with probability p a cycle the mean wait for the link is
/// p L (L - 1) / 2 (1 - p L).
TEST(NodeLinks, MakeSourcesWaitAsTheQueueFormulaSays) {
    const experiment e =
        parsed("node_links",
               "network: {topology: crossbar, n: 64}\ntraffic: {workload: bernoulli, length: "
               "8, load: 0.5}\nmeasurement: {warmup: 1000, batch: 2000}\n");
    const run_result r = simulation(e).run(e);
    EXPECT_EQ(r.status, run_status::completed) << r.reason;
    const double wait = r.packet_latency.from_generation.mean - r.packet_latency.from_injection.mean;
    EXPECT_NEAR(wait, 0.5 * 7 / 2 / 0.5, 0.2);
    EXPECT_NEAR(r.accepted, 0.5, 0.01);
}

TEST(NodeLinks, TakeNoMoreThanTheyCanCarry) {
    const experiment e =
        parsed("node_links",
               "network: {topology: crossbar, n: 16}\ntraffic: {workload: bernoulli, length: "
               "4, load: 1.3}\n");
    const run_result r = simulation(e).run(e);
    EXPECT_EQ(r.status, run_status::saturated);
    EXPECT_LE(r.accepted, 1.0);
    EXPECT_GT(r.accepted, 0.95);
    EXPECT_NEAR(r.offered, 1.3, 0.02);
}

/// A node that is sent more than its link carries: its queue is inside the network, where no source sees it.
TEST(NodeLinks, SaturateAtALinkToANode) {
    const auto run_at = [](const char* load, const char* batch) {
        const experiment e = parsed(
            "node_links",
            std::string(
                "network: {topology: crossbar, n: 16}\ntraffic: {workload: bernoulli, length: 4, load: ") +
                load + ", pattern: {name: hotspot, nodes: [3], fraction: 1}}\nmeasurement: {batch: " + batch +
                "}\n");
        return simulation(e).run(e);
    };
    for (const char* batch : {"500", "5000"}) {
        const run_result over = run_at("0.08", batch),
                         below = run_at("0.05", batch);  // 1.2 and 0.75 to node 3
        EXPECT_EQ(over.status, run_status::saturated) << over.reason;
        EXPECT_EQ(over.reason.rfind("links to nodes are offered more than they carry: of 0.0", 0), 0U)
            << over.reason;
        EXPECT_EQ(below.status, run_status::completed) << below.reason;
    }
}

std::vector<std::string> warnings(const experiment& e, run_result* out = nullptr) {
    std::vector<std::string> all;
    run_control control;
    control.warn = [&](const std::string& text) { all.push_back(text); };
    const run_result r = simulation(e).run(e, control);
    if (out != nullptr) *out = r;
    return all;
}

const char* const crossbar = "network: {topology: crossbar, n: 8, latency: 1e-6, bandwidth: 1e9}\ntraffic: ";

/// Seven messages of 8 us come over the same link within 10 us: that is said, and not where each has it for
/// itself.
TEST(CrowdedLinks, AreWarnedOf) {
    const std::string incast = "{workload: incast, bytes: 1000}\n", ring = "{workload: ring, rounds: 2}\n";
    EXPECT_EQ(warnings(parsed("analytic", crossbar + incast)),
              std::vector<std::string>{
                  "the contention-free model is faster here than any network with such links: the link to "
                  "node 0 would take 5.6e-05 s for what it carried in 1e-05 s, several messages at once; "
                  "'fidelity: node_links' has them wait there"});
    run_result r;
    EXPECT_EQ(warnings(parsed("node_links", crossbar + incast), &r), std::vector<std::string>{});
    EXPECT_EQ(r.workload.find("makespan_cycles")->text(), "58000");  // 2 us and 56 us
    EXPECT_EQ(warnings(parsed("analytic", crossbar + ring)), std::vector<std::string>{});
}

/// Jobs of 100 tasks on 40 nodes, 130 kB a subtask and its result.
experiment jobs(const std::string& fidelity, const std::string& bandwidth) {
    return parsed(
        fidelity,
        "clock_period: 1ns\nnetwork: {topology: crossbar, n: 40, latency: 1.2e-7, bandwidth: " + bandwidth +
            "}\ntraffic: {workload: task_model, jobs: 20, beta: 2, t_i: 51e-6, t_a: 51e-6, s_s: "
            "43333, s_r: 86667, tree: {name: stochastic, n: 100, s: 1}}\n");
}

double speedup(const run_result& r) {
    return std::stod(r.workload.find("task_model")->find("speedup")->text());
}

/// Where the model sees a gain and links of nodes make a loss of it, it says so; where both see the gain it
/// does not.
TEST(CrowdedLinks, CauseAWarningOfADoubtfulSpeedUp) {
    run_result free, busy;
    const auto said = warnings(jobs("analytic", "1e9"), &free);
    EXPECT_EQ(warnings(jobs("node_links", "1e9"), &busy), std::vector<std::string>{});
    EXPECT_GT(speedup(free), 1);
    EXPECT_LT(speedup(busy), 1);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].find("the jobs' speed-up is "), 0U) << said[0];
    EXPECT_EQ(warnings(jobs("analytic", "4e10"), &free), std::vector<std::string>{});
    warnings(jobs("node_links", "4e10"), &busy);
    EXPECT_GT(speedup(free), speedup(busy));
    EXPECT_GT(speedup(busy), 1);
}

/// z = [4, 3], alone: what docs/studies/task-model.md computes for a switch flit by flit.
TEST(NodeLinks, TimeAJobAsASwitchDoes) {
    const experiment e = parsed("node_links",
                                "clock_period: 1ns\nnetwork: {topology: star, n: 10, concentration: 2, "
                                "node_latency: 120e-9, bandwidth: "
                                "40e9}\ntraffic: {workload: task_model, jobs: 1}\n");
    const run_result r = simulation(e).run(e);
    EXPECT_DOUBLE_EQ(std::stod(r.workload.find("task_model")->find("completion_s")->text()), 110.448e-6);
}

/// Without routers a hub may have any number of ports.
TEST(ContentionFree, RunsStarsOfAnySize) {
    const experiment e = parsed("analytic",
                                "network: {topology: star, n: 100000, latency: 1e-6, bandwidth: "
                                "1}\ntraffic: {workload: ping, pairs: [[0, 99999]]}\n");
    const run_result r = simulation(e).run(e);
    EXPECT_EQ(r.status, run_status::completed) << r.reason;
    EXPECT_EQ(r.packet_latency.from_generation.mean, 2000 + 128 * 1e9);
}

}  // namespace
}  // namespace sare::test::node_links_test
