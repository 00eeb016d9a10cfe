// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/congestion/congestion_control.h"

#include "tests/support/in_child.h"
#include "tests/tlm/routing/idle_view.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/routing/marking.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <sstream>

/// Marks of routers, and rates of flows by what their destinations say of marks.
namespace sare::test::congestion_control_test {
namespace {

std::unique_ptr<flow_rate> rate_of(const std::string& control) {
    return congestion_control_registry::instance().make(config::parse_yaml(control, "test"))->make();
}

/// Two flows that share a link of capacity 1 and are cut together: each cut multiplies what they differ by,
/// and they end in a sawtooth with a period of (1 - f) / 2a intervals.
TEST(Aimd, ConvergesToAFairSawtooth) {
    constexpr cycle_t interval = 100;
    for (const double left : {0.5, 0.75}) {
        const std::string control =
            "{name: aimd, interval: 100, increase: 0.001, decrease: " + config::number_text(left) + "}";
        const auto a = rate_of(control), b = rate_of(control);
        b->notified(0);
        b->notified(10);  // no second cut in an interval
        EXPECT_DOUBLE_EQ(b->in(10), left);
        double difference = 1 - left;
        std::vector<cycle_t> cuts;
        for (cycle_t t = interval; t < 4000 * interval; t += interval) {
            if (a->in(t) + b->in(t) < 1) continue;
            if (a->in(t) < 1) {
                EXPECT_NEAR(a->in(t)-b->in(t), difference, 0.002);
            }
            difference = (a->in(t)-b->in(t)) * left;
            a->notified(t);
            b->notified(t);
            cuts.push_back(t);
        }
        EXPECT_LT(difference, 0.002);
        const double periods = static_cast<double>(cuts.size() - 5);
        EXPECT_NEAR(static_cast<double>(cuts.back() - cuts[4]) / periods / interval, (1 - left) / 0.002, 1)
            << left;
    }
}

/// The reaction point of the paper, step by step.
TEST(Dcqcn, FollowsThePaper) {
    const auto r = rate_of(
        "{name: dcqcn, g: 0.25, alpha_timer: 1000, rate_timer: 300, byte_counter: 400, additive: 0.02, "
        "hyper: 0.05, fast_recoveries: 2}");
    EXPECT_EQ(r->in(10), 1);
    r->sent(5000, 20);  // at the line rate nothing grows
    r->notified(100);   // alpha is 1: to half the rate
    EXPECT_DOUBLE_EQ(r->in(100), 0.5);
    EXPECT_DOUBLE_EQ(r->in(399), 0.5);
    EXPECT_DOUBLE_EQ(r->in(400), 0.75);  // fast recovery
    r->notified(500);                    // alpha stays 1
    EXPECT_DOUBLE_EQ(r->in(500), 0.375);
    EXPECT_DOUBLE_EQ(r->in(800), 0.5625);                // half the way to 0.75
    EXPECT_DOUBLE_EQ(r->in(1100), (0.77 + 0.5625) / 2);  // the second step adds 0.02
    EXPECT_DOUBLE_EQ(r->in(1400), (0.79 + (0.77 + 0.5625) / 2) / 2);
    const double before = r->in(1499);
    r->sent(1200, 1499);  // three steps of the byte counter beside three of the timer: the third is hyper
    const double first = (0.81 + before) / 2, second = (0.83 + first) / 2, third = (0.88 + second) / 2;
    EXPECT_DOUBLE_EQ(r->in(1499), third);
    r->notified(1600);  // alpha has decayed once, at 1500, to 0.75
    EXPECT_DOUBLE_EQ(r->in(1600), third * (1 - 0.75 / 2));
}

/// A router with a queue of a length.
class queue_of final : public idle_view {
  public:
    std::uint32_t length = 0;
    cycle_t time = 0;
    cycle_t now() const override { return time; }
    std::uint32_t held(std::uint32_t, std::uint32_t) const override { return 3; }
    std::uint32_t queue(std::uint32_t) const override { return length - 3; }
};

TEST(Marking, MarksTheShareOfRed) {
    const auto map =
        topology_registry::instance().make(config::parse_yaml("{topology: mesh, dims: [4, 4]}", "test"));
    const auto dor = routing_registry::instance().make(config::parse_yaml("dor", "test"), {map.get(), 1});
    const marking_routing marks(*dor, {10, 50, 0.2});
    queue_of here;
    for (const auto& [length, share] : {std::pair{9U, 0.0}, {20U, 0.05}, {49U, 0.195}, {50U, 1.0}}) {
        here.length = length;
        constexpr int packets = 20'000;
        int marked = 0;
        for (int n = 0; n < packets; ++n) {
            ++here.time;
            route_header h;
            h.source = 0;
            h.destination = 15;
            route_set out;
            marks.route_seeing(5, 1, 0, h, here, out);
            ASSERT_EQ(out.size, 1U);
            marked += h.marked ? 1 : 0;
            h.marked = true;  // a mark stays
            here.length = 3;
            out = {};
            marks.route_seeing(5, 1, 0, h, here, out);
            EXPECT_TRUE(h.marked);
            here.length = length;
        }
        EXPECT_NEAR(marked, packets * share, 4 * std::sqrt(packets * share * (1 - share))) << length;
    }
}

/// Results of a run with congestion control.
struct outcome {
    std::map<std::string, double> delivered;  ///< flits a cycle of each flow, by its name
    double queue = 0, notices = 0;            ///< mean flits in a buffer; notifications
};

std::string run(const std::string& yaml, const std::function<std::string(const outcome&)>& check) {
    return in_child([&] {
        const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
        const run_result r = simulation(e).run(e);
        outcome o;
        for (const config::value& f : r.workload.find("flows_listed")->items())
            o.delivered[f.find("flow")->text()] = std::stod(f.find("delivered")->text());
        double samples = 0;
        for (const auto& [flits, count] : r.queue_occupancy) {
            o.queue += static_cast<double>(flits) * static_cast<double>(count);
            samples += static_cast<double>(count);
        }
        o.queue /= samples;
        if (const config::value* n = r.reliable.find("notices")) o.notices = std::stod(n->text());
        return check(o);
    });
}

std::string network(const std::string& topology, const std::string& control, std::uint32_t kmax) {
    return "network: {topology: mesh, " + topology + "}\nrouter: {vcs: 1, depth: 512}\n" +
           (kmax == 0
                ? ""
                : "marking: {kmin: " + std::to_string(kmax) + ", kmax: " + std::to_string(kmax) + "}\n") +
           "nic: {max_packet_flits: 8, ejection_depth: 16, retransmission: go_back_n, window: 10000, "
           "time_out: 10000000, congestion_control: " +
           control + "}\n";
}
std::string flow(int from, int to) {
    return "{from: " + std::to_string(from) + ", to: " + std::to_string(to) + ", rate: 0.95, length: 8}, ";
}

/// Two flows over one link, each with slope a and cut to f. One VC carries C = 8/9 flits a cycle, as heads of
/// 8 flits wait a cycle. The queue reaches K when the sum of rates is P = C + sqrt(4 K a), so P (1 + f) / 2
/// is carried, and each flow is cut every (1 - f) P / 2a cycles.
TEST(CongestionControl, TwoAimdFlowsHaveTheirClosedForm) {
    constexpr double slope = 2e-5, queue = 60, cycles = 300'000;
    for (const double left : {0.5, 0.8}) {
        const std::string yaml =
            network(
                "dims: [1], concentration: 3",
                "{name: aimd, increase: 0.01, interval: 500, decrease: " + config::number_text(left) + "}",
                60) +
            "traffic: {workload: flows, flows: [" + flow(1, 0) + flow(2, 0) +
            "]}\nmeasurement: {warmup: 50000, convergence_count: 0, batch: 50000, batches: 5}\n";
        const auto check = [&](const outcome& o) {
            std::ostringstream wrong;
            const double peak = 8.0 / 9 + std::sqrt(4 * queue * slope);
            const double carried = peak * (1 + left) / 2;
            const double cuts = 2 * cycles / ((1 - left) * peak / (2 * slope));
            const double one = o.delivered.at("1 to 0"), other = o.delivered.at("2 to 0");
            if (std::fabs((one + other) / carried - 1) > 0.02) wrong << one + other << " of " << carried;
            if (std::fabs(one / other - 1) > 0.03) wrong << "; unfair: " << one << " and " << other;
            if (std::fabs(o.notices / cuts - 1) > 0.15) wrong << "; " << o.notices << " cuts, not " << cuts;
            return wrong.str();
        };
        EXPECT_EQ(run(yaml, check), "") << left;
    }
}

/// The orderings of the paper's figures: four flows into one node, two of them over a link that a fifth flow
/// shares. With DCQCN they share their node more evenly, queues are short, and the victim gets more; without,
/// it gets what each of those gets that hold its link up: half of an input's third of the node.
TEST(CongestionControl, DcqcnOrdersAsItsPaper) {
    const auto text = [](const std::string& control, std::uint32_t kmax) {
        return run(network("dims: [2], concentration: 6", control, kmax) +
                       "traffic: {workload: flows, flows: [" + flow(0, 6) + flow(1, 6) + flow(7, 6) +
                       flow(8, 6) + flow(2, 9) +
                       "]}\nmeasurement: {warmup: 40000, convergence_count: 0, batch: 20000, batches: 3}\n",
                   [](const outcome& o) {
                       const double victim = o.delivered.at("2 to 9");
                       double sum = -victim, squares = -victim * victim;
                       for (const auto& [name, d] : o.delivered) sum += d, squares += d * d;
                       std::ostringstream out;
                       out << victim << " " << sum * sum / (4 * squares) << " " << sum << " " << o.queue;
                       return out.str();
                   });
    };
    struct measured {
        double victim = 0, jain = 0, incast = 0, queue = 0;
        explicit measured(const std::string& said) {
            std::istringstream in(said);
            EXPECT_TRUE(in >> victim >> jain >> incast >> queue) << said;
        }
    };
    const measured with(
        text("{name: dcqcn, cnp_interval: 500, alpha_timer: 550, rate_timer: 550, "
             "byte_counter: 6554, additive: 0.004, hyper: 0.04}",
             60)),
        without(text("unlimited", 0));
    EXPECT_NEAR(without.victim, 8.0 / 9 / 3 / 2, 0.003);
    EXPECT_NEAR(without.incast, 8.0 / 9, 0.003);
    EXPECT_GT(with.victim, 1.3 * without.victim);
    EXPECT_GT(with.jain, without.jain + 0.05);
    EXPECT_GT(with.incast, 0.85 * without.incast);
    EXPECT_LT(with.queue, 0.1 * without.queue);
}

/// With errors and lost acknowledgements: what the workload made and took counts once wherever it is counted,
/// and what NICs sent is that, its copies and acknowledgements.
TEST(Retransmission, CountsAgree) {
    EXPECT_EQ(
        in_child([] {
            const experiment e = experiment::read(
                config::parse_yaml("network: {topology: mesh, dims: [4, 4], link_bit_error_rate: 1e-4}\n"
                                   "router: {vcs: 2}\n"
                                   "nic: {retransmission: go_back_n, max_packet_flits: 4, time_out: 300}\n"
                                   "traffic: {workload: request_reply, requests: 10, length: 10}\n"
                                   "measurement: {matrix: true}\n",
                                   "test"),
                testing::TempDir());
            const run_result r = simulation(e).run(e);
            const auto counted = [&r](const char* key) {
                return config::to_integer(*r.reliable.find(key), key, 0, 1'000'000'000);
            };
            std::uint64_t made = 0, took = 0, of_pairs = 0;
            for (const node_result& n : r.node_loads) made += n.generated, took += n.consumed;
            for (const auto& pair : r.matrix) of_pairs += pair.consumed;
            const auto packets = static_cast<std::uint64_t>(counted("packets"));
            std::ostringstream wrong;
            for (const std::uint64_t n : {made, took, of_pairs, r.packets.generated, r.packets.consumed})
                if (n != packets) wrong << n << " of " << packets << " packets; ";
            if (r.flits.generated != r.flits.consumed) wrong << r.flits.consumed << " flits; ";
            const auto more = static_cast<std::uint64_t>(counted("sent_again") + counted("acknowledgements"));
            if (r.packets.injected != packets + more || counted("sent_again") == 0)
                wrong << r.packets.injected << " injected, " << more << " beside the workload's";
            return wrong.str();
        }),
        "");
}

TEST(CongestionControl, RefusesWhatCannotBeControlled) {
    const auto error = [](const std::string& yaml) {
        return in_child([&] {
            const experiment e = experiment::read(
                config::parse_yaml("network: {topology: mesh, dims: [2, 2]}\n" + yaml, "test"),
                testing::TempDir());
            simulation net(e);
            return std::string("no error");
        });
    };
    EXPECT_NE(error("nic: {congestion_control: aimd}\ntraffic: {workload: ping}\n")
                  .find("'nic.retransmission: go_back_n'"),
              std::string::npos);
    EXPECT_NE(error("nic: {congestion_control: aimd, retransmission: go_back_n}\ntraffic: {workload: ping}\n")
                  .find("routers that mark packets"),
              std::string::npos);
    EXPECT_NE(error("marking: {kmin: 5, kmax: 4}\ntraffic: {workload: ping}\n").find("'kmax' is 4"),
              std::string::npos);
    EXPECT_NE(
        error("marking: {kmax: 4}\nfidelity: analytic\ntraffic: {workload: ping}\n").find("leave it out"),
        std::string::npos);
    EXPECT_NE(error("marking: {kmax: 4}\nrouter: {kind: bubble, vcs: 1}\nnetwork: {topology: torus, dims: "
                    "[2, 2]}\ntraffic: {workload: ping}\n")
                  .find("error"),
              std::string::npos);
}

}  // namespace
}  // namespace sare::test::congestion_control_test
