// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/result_text.h"
#include "tests/support/test_fabric.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/topology/properties.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <sstream>

/// What crosses links, and how much of what they could carry that is.
namespace sare::test::link_use_test {
namespace {

experiment parsed(const std::string& yaml) {
    return experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
}

figure_view of_links(const run_result& r, const char* name) {
    return r.column_of(scope::link, name);
}

/// What of `yaml` is beyond what links can carry, or adds up to something else; "" if nothing is.
std::string faults_of(const std::string& yaml) {
    return in_child([&] {
        const experiment e = parsed(yaml);
        simulation s(e);
        const run_result r = s.run(e);
        const topology& map = s.map();
        const auto window = static_cast<double>(r.measured_to - r.measured_from);
        std::ostringstream wrong;
        double most = 0, sum = 0;
        const figure_view loads = of_links(r, "load"), uses = of_links(r, "utilisation");
        for (std::size_t row = 0; row < r.link_loads.size(); ++row) {
            const link_result& l = r.link_loads[row];
            const double load = loads.number(row), use = uses.number(row);
            const bool of_node = l.kind != "router";
            if (load > 1 && !of_node) wrong << l.kind << ' ' << l.from << " has load " << load << "; ";
            if (!(use >= 0 && use <= 1)) wrong << l.kind << ' ' << l.from << " is used by " << use << "; ";
            most = std::max(most, use);
            if (of_node) continue;
            sum += use;
            const link_attributes a = map.link(router_id(l.from), port_id(l.from_port));
            const double clock =
                std::max({a.cycles_per_flit * a.clock.period(), map.clock(router_id(l.from)).period(),
                          map.clock(router_id(l.to)).period()});
            if (static_cast<double>(l.flits) > std::ceil(window / clock))
                wrong << l.from << " to " << l.to << " carries " << l.flits << " in " << window << "; ";
        }
        const double mean = r.figure_of("links.mean_utilisation");
        if (r.link_loads.empty() || !r.busiest_link()) return wrong.str() + "no link";
        if (uses.number(*r.busiest_link()) != most) wrong << "another is busier; ";
        if (r.channels != 0 && std::fabs(sum / static_cast<double>(r.channels) - mean) > 1e-9)
            wrong << "the mean is " << mean << "; ";
        return wrong.str();
    });
}

/// Every kind of router that is offered all it can take, over windows that are short beside its queues.
TEST(LinkUse, StaysWithinWhatALinkCanCarry) {
    const std::string torus = "network: {topology: torus, dims: [4, 4]";
    for (const std::string& network :
         {torus + "}\nrouter: {vcs: 4, depth: 16}\nrouting: {function: dor, dateline: trc}\n",
          torus +
              "}\nrouter: {vcs: 4, depth: 16, output_speedup: 3}\nrouting: {function: dor, dateline: trc}\n",
          torus +
              ", link_cycles_per_flit: 3}\nrouter: {vcs: 4, depth: 16, output_speedup: 2, input_speedup: 2}\n"
              "routing: {function: dor, dateline: trc}\n",
          torus + "}\nrouter: {kind: vc, vcs: 4, depth: 16, pipelined: false, st_delay: 3}\n"
                  "routing: {function: dor, dateline: trc}\n",
          torus + "}\nrouter: {kind: bubble}\n", torus + "}\nrouter: {kind: bubble, consumption: single}\n",
          torus + "}\nrouter: {kind: dally, injection: dor_shortest}\n",
          torus + "}\nrouter: {kind: deflection}\n", torus + "}\nrouter: {kind: deflection, ejection: 2}\n",
          torus + "}\nrouter: {kind: apenet}\n",
          std::string("network: {topology: kary_ntree, k: 2, n: 3}\nrouter: {kind: multistage}\n"),
          std::string("network: {topology: omega, k: 2, n: 3}\nrouter: {kind: spinet}\n"),
          std::string(
              "network: {topology: hierarchical, levels: [{topology: hypercube, n: 2, concentration: 1, "
              "clock: 4}, {topology: mesh, dims: [2, 3], link_cycles_per_flit: 2, gateway: 0}]}\n"
              "router: {vcs: 8, depth: 16, output_speedup: 3}\n"
              "routing: {function: hierarchical, levels: [{function: dor}, {function: west_first}]}\n")})
        EXPECT_EQ(faults_of(network + "traffic: {workload: bernoulli, load: 0.9, length: 8}\nmeasurement: " +
                            "{warmup: 50, convergence_count: 0, batch: 50, batches: 1}\n" +
                            "checks: {deadlock: false}"),
                  "")
            << network;
}

/// Looks at what each output has sent after each cycle of `s`, until its traffic is over: never more than a
/// flit a cycle, and in the end all.
void expect_one_a_cycle(const fabric_setting& s) {
    test_fabric f(s);
    const auto traffic = traffic_of(s.traffic, f.net.view().nodes());
    f.net.stepper().set_workload(traffic.get());
    const std::uint32_t vcs = f.net.view().vcs();
    std::vector<std::uint32_t> before(std::size_t{f.net.view().routers()} * 64);
    std::uint64_t all = 0, at_once = 0, sent = 0;
    for (cycle_t t = 0, begun = 0; t < 100'000;) {
        begun = t;
        t = f.run(t, t + 1);
        if (t == workload::never) break;
        f.net.stepper().pass(t - 1);
        for (std::uint32_t o = 0; o < before.size(); ++o) {
            if (o % 64 >= f.net.view().ports(o / 64)) continue;
            std::uint32_t now = 0;
            for (std::uint32_t v = 0; v < vcs; ++v) now += f.net.view().flits_sent(o / 64, o % 64, v);
            at_once += now - before[o] > t - begun ? 1 : 0;  // idle cycles are jumped over
            all += now - before[o];
            before[o] = now;
        }
    }
    for (std::uint32_t r = 0; r < f.net.view().routers(); ++r) sent += f.net.view().flits_sent(r);
    EXPECT_EQ(at_once, 0U) << s.network;
    EXPECT_EQ(all, sent) << s.network;
    EXPECT_GT(all, 1000U) << s.network;
}

TEST(LinkUse, CountsFlitsWhenTheyCross) {
    fabric_setting s;
    s.network = "mesh dims=4,4 link_cycles_per_flit=3";
    s.router.vcs = 4;
    s.router.depth = 16;
    s.router.output_speedup = 2;
    s.traffic = "burst messages=10 length=5";
    expect_one_a_cycle(s);
    s.network = "omega k=2 n=3";
    s.kind = "spinet";
    s.routing = "destination_tag";
    expect_one_a_cycle(s);
}

/// The chain 0-1-2-3, whose last link is of a quarter's width and full: others carry twice as much.
TEST(LinkUse, TakesTheFullestLinkAsTheBusiest) {
    const std::string base = testing::TempDir() + "/sare-narrow-" + std::to_string(getpid());
    std::ofstream(base + ".txt")
        << "sare-graph 1\nlink 0 1 1 1\nlink 1 2 1 1\nlink 2 3 1 4\nnode 0 0\nnode 1 "
           "1\nnode 2 2\nnode 3 3\n";
    std::ofstream(base + ".pop") << "0 2 1\n1 2 1\n2 3 1\n3 0 1\n";
    const experiment e =
        parsed("network: {topology: graph, file: " + base + ".txt}\nrouting: shortest_path\n" +
               "traffic: {workload: bernoulli, load: 0.24, length: 4, pattern: {name: population, "
               "file: " +
               base + ".pop}}");
    const run_result r = simulation(e).run(e);
    std::remove((base + ".txt").c_str());
    std::remove((base + ".pop").c_str());
    ASSERT_TRUE(r.busiest_link());
    const std::size_t row = *r.busiest_link();
    const link_result& busiest = r.link_loads[row];
    EXPECT_EQ(busiest.kind, "router");
    EXPECT_EQ(busiest.from + busiest.to, 2U + 3U);  // either way: both carry a node's 0.24 of 0.25
    EXPECT_LT(of_links(r, "load").number(row), 0.26);
    EXPECT_GT(of_links(r, "utilisation").number(row), 0.95);
    EXPECT_GT(r.figure_of("links.max_load"), 0.4);
    EXPECT_EQ(r.figure_of("links.max_utilisation"), of_links(r, "utilisation").number(row));
}

/// Figures of places are read when asked for, wherever the result is by then; or kept, as the network may go.
TEST(LinkUse, KeepsFiguresAsTheyAreReadLate) {
    EXPECT_EQ(in_child([] {
                  const experiment e = parsed(
                      "network: {topology: torus, dims: [4, 4]}\nrouting: dor\n"
                      "traffic: {workload: bernoulli, load: 0.2}\n"
                      "measurement: {warmup: 100, convergence_count: 0, batch: 100, statistics: [stalls]}");
                  auto s = std::make_unique<simulation>(e);
                  run_control control;
                  control.outlives_result = true;
                  run_result first = s->run(e, control);
                  const run_result late = std::move(first);
                  run_result kept = late;
                  kept.keep_figures();
                  const std::string text = result_text::of(late);
                  s.reset();
                  return std::string(text == result_text::of(kept) ? "the same" : "others");
              }),
              "the same");
}

/// One word, one number: as `sare topo` has them.
TEST(LinkUse, CountsLinksAndChannelsOfTheTopology) {
    for (const char* network : {"{topology: mesh, dims: [4, 4]}", "{topology: crossbar, n: 4}"}) {
        const std::string said = in_child([&] {
            const experiment e = parsed(std::string("network: ") + network +
                                        "\nrouting: table\ntraffic: {workload: bernoulli, load: 0.1}\n"
                                        "measurement: {convergence_count: 0, batches: 1}");
            simulation s(e);
            const run_result r = s.run(e);
            const topology_properties p = measure(s.map());
            return std::to_string(r.links == p.links && r.channels == p.channels && p.links != 0);
        });
        EXPECT_EQ(said, "1") << network;
    }
}

/// Of pairs that asked in the window, and got nothing, there is a row.
TEST(Matrix, HasPairsThatWait) {
    experiment e = parsed(
        "network: {topology: mesh, dims: [4, 4]}\nrouting: dor\nrouter: {vcs: 1, depth: 2}\n"
        "traffic: {workload: bernoulli, load: 0.9, length: 16, pattern: complement}\n"
        "measurement: {matrix: true, warmup: 2000, convergence_count: 0, batch: 3, batches: 1}");
    const run_result r = simulation(e).run(e);
    std::size_t waiting = 0, without = 0;
    for (const auto& p : r.matrix) {
        EXPECT_EQ(p.source + p.destination, 15U);
        waiting += p.waiting != 0;
        without += p.packets == 0 && p.waiting != 0;
        EXPECT_LE(p.waiting, 16U * 16);
    }
    EXPECT_EQ(waiting, 16U);  // all sources are far behind
    EXPECT_GT(without, 8U);
}

/// What a full source queue refuses is generated and offered: all that the law makes.
TEST(SourceQueue, CountsWhatItRefuses) {
    for (const char* load : {"0.05", "0.9"}) {
        experiment e = parsed(
            std::string(
                "network: {topology: mesh, dims: [4, 4]}\nrouting: dor\nmeasurement: "
                "{convergence_count: 0}\ntraffic: {workload: bernoulli, length: 4, source_queue: 2, load: ") +
            load + "}");
        const std::string said = in_child([&] {
            const run_result r = simulation(e).run(e);
            const std::uint64_t waiting = r.messages.generated - r.messages.injected - r.messages.refused;
            EXPECT_EQ(r.workload.find("refused_messages")->text(), std::to_string(r.messages.refused));
            EXPECT_EQ(r.flits.refused, 4 * r.messages.refused);
            EXPECT_LE(waiting, 16U * 2);
            EXPECT_EQ(r.status, run_status::completed) << r.reason;
            return std::to_string(r.messages.generated) + " " + std::to_string(r.messages.refused) + " " +
                   std::to_string(r.cycles) + " " + std::to_string(r.offered) + " " +
                   std::to_string(r.offered - r.refused - r.injected);
        });
        std::istringstream in(said);
        double made = 0, refused = 0, cycles = 0, offered = 0, between = 0;
        ASSERT_TRUE(in >> made >> refused >> cycles >> offered >> between) << said;
        const double expected = std::stod(load) / 4 * 16 * cycles;
        EXPECT_NEAR(made, expected, 4 * std::sqrt(expected)) << load;
        EXPECT_NEAR(offered, std::stod(load), 0.02);
        EXPECT_NEAR(between, 0, 0.01);  // what is offered is refused or injected
        if (load[2] == '9') {
            EXPECT_GT(refused, 0.2 * expected);
        } else {
            EXPECT_LT(refused, 0.01 * expected);
        }
    }
}

}  // namespace
}  // namespace sare::test::link_use_test
