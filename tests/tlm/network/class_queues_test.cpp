// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

/// Each message class of a node has a source queue of its own, whatever makes the messages: an urgent one
/// waits for no bulk. Beside it the bulk of node 0 asks for as much as its link carries, or more.
namespace sare::test::class_queues_test {
namespace {

constexpr const char* network =
    "network: {topology: crossbar, n: 4}\n"
    "router: {vcs: 4, depth: 8, va_arbiter: priority, sa_arbiter: priority}\n"
    "classes: {vcs: [2, 2]}\n"
    "measurement: {batch: 3000}\n";
constexpr const char* nic = "nic: {arbiter: priority}\n";

experiment read(const std::string& yaml) {
    return experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
}

struct of_class {
    double mean = 0, p99 = 0, offered = 0;
};

/// Figures of a message class, at the end of a run.
of_class run(const std::string& yaml, std::uint32_t message_class) {
    std::istringstream said(in_child([&] {
        const experiment e = read(yaml);
        const run_result r = simulation(e).run(e);
        std::ostringstream out;
        for (const char* column : {"latency_mean", "latency_p99", "offered"})
            out << r.column_of(scope::message_class, column).number(message_class) << ' ';
        return out.str();
    }));
    of_class c;
    said >> c.mean >> c.p99 >> c.offered;
    return c;
}

constexpr const char* bulk = "{from: 0, to: 3, rate: 0.98, length: 4}";
constexpr const char* urgent = "{from: 0, to: 2, rate: 0.05, length: 4";

std::string flows(const std::string& some) {
    return "{workload: flows, flows: [" + some + "]}";
}

/// An application of all nodes.
std::string application(const std::string& keys, const std::string& traffic) {
    return "{" + keys + "shared: true, placement: consecutive, tasks: 4, traffic: " + traffic + "}";
}

std::string applications(const std::string& first, const std::string& second) {
    return "{workload: applications, applications: {a: " + first + ", b: " + second + "}}";
}

TEST(ClassQueues, KeepUrgentMessagesAheadInAnyWorkload) {
    const std::string both = flows(std::string(bulk) + ", " + urgent + ", class: 1}");
    const std::string alone = flows(bulk), its = flows(std::string(urgent) + "}");
    const std::pair<const char*, std::string> workloads[] = {
        {"bernoulli",
         "{workload: bernoulli, load: 1.03, length: 4, classes: {0: 0.98, 1: 0.05}, pattern: neighbour}"},
        {"flows", both},
        {"bursts", flows("{from: 0, to: 3, rate: 0.9, length: 4, burst: 256, peak: 1}, " +
                         std::string(urgent) + ", class: 1}")},
        {"answers", flows(std::string(bulk) + ", {from: 2, to: 0, rate: 0.05, reply: 4, reply_class: 1}")},
        {"applications", applications(application("class: 0, ", alone), application("class: 1, ", its))},
        {"application without class", applications(application("", alone), application("class: 1, ", its))},
        {"flows in an application",
         applications(application("", both), application("", flows("{from: 1, to: 2, rate: 0.01}")))},
        {"replies",
         applications(application("", alone),
                      application("class: 1, ",
                                  "{workload: constant_population, total: 1, length: 4, "
                                  "pattern: {name: hotspot, nodes: [2], fraction: 1}, to_self: false}"))},
    };
    for (const auto& [name, traffic] : workloads) {
        const of_class c = run(std::string(network) + nic + "traffic: " + traffic, 1);
        EXPECT_LT(c.mean, 10.6) << name;
        EXPECT_LE(c.p99, 15) << name;
    }
}

/// Packets that are sent again wait in queues of their own, which are by class too.
TEST(ClassQueues, KeepUrgentMessagesAheadOfRetransmissions) {
    const std::string both = flows(std::string(bulk) + ", " + urgent + ", class: 1}");
    const of_class c = run(
        std::string(network) + "nic: {arbiter: priority, retransmission: go_back_n}\ntraffic: " + both, 1);
    EXPECT_LT(c.mean, 40);
    EXPECT_LT(c.p99, 150);
}

/// A program ends as soon beside bulk of another class as alone, but for what the wires are shared.
TEST(ClassQueues, KeepProgramsAheadOfBulk) {
    const auto cycles = [](const std::string& traffic) {
        return std::stod(in_child([&] {
            const experiment e = read(std::string(network) + nic + "traffic: " + traffic);
            return std::to_string(simulation(e).run(e).cycles);
        }));
    };
    const std::string program = "{workload: butterfly, bytes: 4000}";
    const double alone = cycles(
        applications(application("class: 1, ", program), application("", "{workload: bernoulli, load: 0}")));
    const double beside = cycles(
        applications(application("class: 1, ", program), application("background: true, ", flows(bulk))));
    EXPECT_LT(beside, 1.2 * alone);
}

/// What waits in a source is offered in its own class.
TEST(ClassQueues, CountBacklogsInTheirClass) {
    const std::string yaml =
        "network: {topology: mesh, dims: [2]}\nrouter: {vcs: 2, depth: 4}\n"
        "traffic: {workload: flows, flows: [{from: 0, to: 1, rate: 1.2, length: 4, class: 1}, "
        "{from: 1, to: 0, rate: 0.1, length: 4, class: 0}]}\n";
    EXPECT_NEAR(run(yaml, 0).offered, 0.05, 0.005);
    EXPECT_NEAR(run(yaml, 1).offered, 0.6, 0.02);
    const std::string reason = in_child([&] {
        const experiment e = read(yaml);
        return simulation(e).run(e).reason;
    });
    EXPECT_NE(reason.find("; of class 1 1."), std::string::npos) << reason;
    EXPECT_EQ(reason.find("class 0"), std::string::npos) << reason;
}

/// Node 0 is asked for 9,200 MB/s, and its link carries 8,000: each of its flows gets 87% of its rate in the
/// end, which is not met, though little is missing.
TEST(Flows, OfASourceThatFallsBehindAreNotMet) {
    const std::string said = in_child([] {
        std::string some;
        int to = 0;
        for (const int rate : {2400, 1800, 1200, 1200, 1000, 1000, 600})
            some += "{from: 0, to: " + std::to_string(++to) + ", rate: " + std::to_string(rate) + "MB/s}, ";
        const experiment e = read(
            "network: {topology: crossbar, n: 8}\nrouter: {vcs: 4, depth: 8}\nnic: {flit_bytes: 8}\n"
            "clock_period: 1ns\nmeasurement: {batch: 3000}\n"
            "traffic: {workload: flows, length: 8, flows: [" +
            some + "{from: 1, to: 0, rate: 900MB/s}, {from: 2, to: 1, rate: 500MB/s}]}\n");
        const run_result r = simulation(e).run(e);
        std::ostringstream out;
        out << to_string(r.status) << ':';
        for (const config::value& f : r.workload.find("flows_listed")->items()) {
            const double share =
                std::stod(f.find("delivered")->text()) / std::stod(f.find("required")->text());
            const bool of_0 = f.find("flow")->text()[0] == '0';
            out << ' ' << f.find("met")->text() << (std::abs(share - (of_0 ? 0.87 : 1)) < 0.08 ? "" : "?");
        }
        return out.str();
    });
    EXPECT_EQ(said, "saturated: no no no no no no no yes yes");
}

/// A bounded number of messages under way is no backlog: what is steady is said to be, by Little's law.
TEST(ClosedLoops, AreNotSaturated) {
    for (const char* traffic :
         {"{workload: request_reply, outstanding: 64, reply_length: 5, pattern: uniform, service_cycles: 50}",
          "{workload: constant_population, messages: 32, length: 4}"}) {
        const std::string said = in_child([&] {
            const experiment e =
                read(std::string(
                         "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4, depth: 4}\ntraffic: ") +
                     traffic);
            const run_result r = simulation(e).run(e);
            return std::string(to_string(r.status)) + " " + r.reason;
        });
        EXPECT_EQ(said, "completed ") << traffic;
    }
}

std::string warnings_of(const std::string& yaml) {
    return in_child([&] {
        const experiment e = read(yaml);
        std::string all;
        run_control control;
        control.warn = [&all](const std::string& text) { all += text; };
        simulation(e).run(e, control);
        return all;
    });
}

TEST(Weights, CauseAWarningWhereVcsAreTooFew) {
    const auto weighed = [](int vcs, const char* more) {
        return "network: {topology: crossbar, n: 3}\nrouter: {vcs: " + std::to_string(vcs) + more +
               ", sa_arbiter: {name: weighted, by: class, weights: [3, 1]}}\ntraffic: {workload: flows, "
               "flows: "
               "[{from: 0, to: 2, rate: 0.9, class: 0}, {from: 1, to: 2, rate: 0.9, class: 1}]}\n";
    };
    EXPECT_NE(warnings_of(weighed(4, "")).find("class 0 has 2 VCs, of which each pauses 2 cycles"),
              std::string::npos);
    EXPECT_EQ(warnings_of(weighed(6, "")), "");
    EXPECT_EQ(warnings_of(weighed(4, ", lookahead: true")), "");
}

}  // namespace
}  // namespace sare::test::class_queues_test
