// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/network/results/saturation_tree.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

/// Where congestion begins, in networks in which it is known.
namespace sare::test::congestion_test {
namespace {

class text_file {
  public:
    text_file(const std::string& name, const std::string& text)
        : m_file(testing::TempDir() + "/sare-congestion-" + std::to_string(getpid()) + name) {
        std::ofstream(m_file) << text;
    }
    ~text_file() { std::remove(m_file.c_str()); }
    const std::string& name() const { return m_file; }

  private:
    std::string m_file;
};

/// Of each root: reason, link, flits that it carries of those offered, links and sources in its tree; then
/// the chain of the first one, and the reason of the run.
std::string congestion_of(const std::string& yaml) {
    return in_child([&] {
        const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
        const run_result r = simulation(e).run(e);
        std::ostringstream out;
        out.precision(2);
        for (const congestion_root& root : r.congestion) {
            out << to_string(root.why) << ": " << r.link_loads[root.link].kind << ' '
                << r.text_of(r.link_loads[root.link]) << ", "
                << r.column_of(scope::link, "load").number(root.link) << " of " << root.offered << " and "
                << root.capacity << ", links " << root.links << ", sources";
            for (const std::uint32_t n : root.sources) out << ' ' << n;
            out << '\n';
        }
        if (!r.congestion.empty())
            for (const std::size_t row : r.congestion.front().chain)
                out << r.text_of(r.link_loads[row]) << '\n';
        out << r.reason;
        return out.str();
    });
}

bool begins_with(const std::string& text, const std::string& part) {
    return text.compare(0, part.size(), part) == 0;
}
bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Nodes 0 and 1 offer node 2 1.4 flits a cycle between them.
TEST(Congestion, IsFoundAtAnOverloadedNode) {
    const text_file pairs(".txt", "0 2 1\n1 2 1\n2 3 1\n3 4 1\n4 5 1\n5 0 1\n");
    const std::string said = congestion_of(
        "network: {topology: crossbar, n: 6}\nrouting: table\nrouter: {vcs: 4, depth: 16}\n"
        "traffic: {workload: bernoulli, load: 0.7, length: 8, pattern: {name: population, file: " +
        pairs.name() + "}}");
    EXPECT_TRUE(
        begins_with(said, "busy: ejection router 0 to node 2, 1 of 1.4 and 1, links 2, sources 0 1\n"))
        << said;
    EXPECT_TRUE(says(said, "; the ejection of node 2 takes 1 of the 1.")) << said;
    EXPECT_TRUE(says(said, " flits/cycle offered to it; 2 links are in its tree")) << said;
}

/// A chain whose last link is four times as narrow as the others: what it holds up is the way from node 0.
TEST(Congestion, IsFoundAtANarrowLink) {
    const text_file graph(".graph",
                          "sare-graph 1\nlink 0 1 1 1\nlink 1 2 1 1\nlink 2 3 1 4\n"
                          "node 0 0\nnode 1 1\nnode 2 2\nnode 3 3\n");
    const text_file pairs(".pairs", "0 3 1\n");
    const std::string said = congestion_of(
        "network: {topology: graph, file: " + graph.name() +
        "}\nrouting: shortest_path\n"
        "traffic: {workload: bernoulli, load: 0.4, length: 4, pattern: {name: population, file: " +
        pairs.name() + "}}");
    EXPECT_TRUE(
        begins_with(said,
                    "busy: router router 2 to router 3, 0.25 of 0.41 and 0.25, links 3, sources 0\n"
                    "node 0 to router 0\nrouter 0 to router 1\nrouter 1 to router 2\nrouter 2 to router 3\n"))
        << said;
    EXPECT_TRUE(says(said, "; the link from router 2 to router 3 takes 0.25 of the 0.")) << said;
}

/// A link to the node that is slow: its own flits fill it.
TEST(Congestion, IsFoundByEveryKindOfRouter) {
    const text_file pairs(".all", "0 5 1\n1 5 1\n2 5 1\n3 5 1\n4 5 1\n6 5 1\n7 5 1\n8 5 1\n");
    for (const std::string router : {"{kind: vc, vcs: 4}", "{kind: dally, vcs: 4, packet: 4}",
                                     "{kind: bubble, vcs: 2, packet: 4, consumption: single}"}) {
        const std::string said = congestion_of(
            "network: {topology: torus, dims: [3, 3]}\nrouter: " + router +
            "\ntraffic: {workload: bernoulli, load: 0.6, length: 4, pattern: {name: population, file: " +
            pairs.name() + "}}");
        EXPECT_TRUE(says(said, "; the ejection of node 5 ") || says(said, " to router 5 is ") ||
                    says(said, " to router 5 takes "))
            << router << ": " << said;
    }
}

/// One place a VC beyond a long link: it is idle for most of the time.
TEST(Congestion, IsFoundInShortBuffers) {
    const text_file pairs(".short", "0 1 1\n");
    const std::string said = congestion_of(
        "network: {topology: mesh, dims: [2], link_latency: 10}\nrouting: dor\nrouter: {vcs: 1, depth: 2}\n"
        "traffic: {workload: bernoulli, load: 0.6, length: 8, pattern: {name: population, file: " +
        pairs.name() + "}}");
    EXPECT_TRUE(begins_with(said, "credits: router router 0 to router 1, ")) << said;
    EXPECT_TRUE(
        says(said, "; no link of the tree is full: at its root the link from router 0 to router 1 is "))
        << said;
    EXPECT_TRUE(says(said,
                     "its buffers are short for the round trip of a credit; deeper buffers "
                     "(router.depth) may help"))
        << said;
}

/// Two flits of each of four VCs cross in the round trip of 205 cycles. Deeper buffers change nothing.
TEST(Congestion, IsFoundInVcsThatAreReusedLate) {
    const std::string router = "router: {vcs: 4, depth: 64, reallocation: atomic}\n",
                      rest = "measurement: {warmup: 5000, batch: 5000}\n";
    const std::string at_a_node =
        congestion_of("network: {topology: crossbar, n: 3, node_link_latency: 100}\n" + router + rest +
                      "traffic: {workload: flows, flows: [{from: 1, to: 0, rate: 0.2, length: 2}, {from: 2, "
                      "to: 0, rate: 0.2, "
                      "length: 2}]}");
    EXPECT_TRUE(begins_with(at_a_node, "atomic: ejection router 0 to node 0, 0.039 of ")) << at_a_node;
    EXPECT_TRUE(says(at_a_node, "router.reallocation")) << at_a_node;
    const std::string between =
        congestion_of("network: {topology: mesh, dims: [2], link_latency: 100}\nrouting: dor\n" + router +
                      rest + "traffic: {workload: flows, flows: [{from: 0, to: 1, rate: 0.4, length: 2}]}");
    EXPECT_TRUE(begins_with(between, "atomic: router router 0 to router 1, 0.039 of ")) << between;
}

/// The switch takes a flit of an input VC every fourth cycle, and there is one VC.
TEST(Congestion, IsFoundInASlowSwitch) {
    const std::string said = congestion_of(
        "network: {topology: crossbar, n: 2}\nrouter: {vcs: 1, sa_delay: 4}\n"
        "traffic: {workload: flows, flows: [{from: 0, to: 1, rate: 0.6, length: 16}]}");
    EXPECT_TRUE(begins_with(said, "pace: ejection router 0 to node 1, 0.2")) << said;
    EXPECT_TRUE(says(said, "a faster switch (router.sa_delay) may help")) << said;
}

/// A matching lasts four cycles, and no output gets more than one flit of it: a better matching gains little.
TEST(Congestion, IsFoundInASwitchWithoutAPipeline) {
    const std::string said = congestion_of(
        "network: {topology: mesh, dims: [4, 4]}\nrouting: dor\n"
        "router: {vcs: 4, depth: 16, sa_delay: 4, pipelined: false}\n"
        "traffic: {workload: bernoulli, load: 0.3, length: 4}");
    EXPECT_TRUE(begins_with(said, "pace: ")) << said;
}

/// The first packet of a VC holds up those behind it, which go elsewhere.
TEST(Congestion, IsFoundInTooFewVcs) {
    const std::string said = congestion_of(
        "network: {topology: mesh, dims: [4, 4]}\nrouting: dor\nrouter: {vcs: 1, depth: 16}\n"
        "traffic: {workload: bernoulli, load: 0.6, length: 12}");
    EXPECT_TRUE(begins_with(said, "vcs: ")) << said;
    EXPECT_TRUE(says(said, "more VCs (router.vcs) may help")) << said;
}

/// Flits are ready, and links idle: first another allocator would help, then a switch with an input a VC.
TEST(Congestion, IsFoundInAllocatorOrSwitchInputs) {
    const std::string network =
        "network: {topology: crossbar, n: 12}\n"
        "traffic: {workload: bernoulli, load: 0.95, length: 1}\n";
    const std::string first = congestion_of(network + "router: {vcs: 8, depth: 16}");
    EXPECT_TRUE(begins_with(first, "allocator: ejection ")) << first;
    const std::string best = congestion_of(network + "router: {vcs: 8, depth: 16, sa_allocator: wavefront}");
    EXPECT_TRUE(begins_with(best, "input: ejection ")) << best;
}

/// Eight tasks send to one from cycle 5,000 on; before, little is on the way.
TEST(Congestion, IsFoundFromItsOnset) {
    const std::string said = congestion_of(
        "network: {topology: mesh, dims: [4, 4]}\nrouting: dor\nmeasurement: {warmup: 1000, "
        "convergence_count: 0, batch: 1000, batches: 14}\n"
        "traffic: {workload: applications, applications: {"
        "hot: {tasks: 8, background: false, traffic: {workload: bernoulli, load: 0.3, length: 4, "
        "start_cycle: 5000, pattern: {name: hotspot, nodes: [0], fraction: 1}}}, "
        "rest: {tasks: 8, background: true, traffic: {workload: bernoulli, load: 0.1, length: 4}}}}");
    EXPECT_TRUE(begins_with(said, "busy: ejection router 0 to node 0, ")) << said;
    EXPECT_TRUE(says(said, "% used from cycle 6000 on")) << said;
}

/// A link at 87% of a run in which no backlog grows is the story, whatever waits elsewhere for a moment.
TEST(Congestion, IsFoundAtTheFullestLinkOfASustainedRun) {
    const std::string said = congestion_of(
        "network: {topology: mesh, dims: [4]}\nlinks: [{between: [1, 2], cycles_per_flit: 4}]\nrouting: dor\n"
        "router: {vcs: 8, depth: 32}\nmeasurement: {warmup: 5000, batch: 5000}\n"
        "traffic: {workload: bernoulli, load: 0.163, length: 2}");
    EXPECT_TRUE(begins_with(said, "busy: router router 1 to router 2, ") ||
                begins_with(said, "busy: router router 2 to router 1, "))
        << said;
    EXPECT_FALSE(says(said, "cannot send")) << said;
}

/// Router 2 is slow for good from cycle 10 on, or from cycle 6,000 on: from then on it carries a quarter.
TEST(Congestion, IsFoundInASlowClock) {
    const auto of = [](const std::string& step) {
        return congestion_of(
            "network: {topology: mesh, dims: [4]}\nrouting: dor\nrouter: {vcs: 4, depth: 32}\n"
            "measurement: {warmup: 1000, convergence_count: 0, batch: 1000, batches: 14}\n"
            "traffic: {workload: flows, flows: [{from: 0, to: 3, rate: 0.5, length: 4}]}\n"
            "domains: {slow: {routers: 2, switching: 20, schedule: [" +
            step + "]}}\n");
    };
    for (const auto& said : {of("{at: 10, clock: 4}"), of("{at: 6000, clock: 4}")}) {
        EXPECT_TRUE(begins_with(said, "clock: router router ")) << said;
        EXPECT_TRUE(says(said, "used at the clock of domain 'slow'")) << said;
        EXPECT_TRUE(says(said, "a faster clock (domains.slow) may help")) << said;
    }
    EXPECT_TRUE(says(of("{at: 10, clock: 4}"), " and 0.25, links ")) << of("{at: 10, clock: 4}");
}

TEST(Congestion, IsNotFoundWhereNothingWaits) {
    EXPECT_EQ(congestion_of("network: {topology: mesh, dims: [4, 4]}\nrouting: dor\n"
                            "traffic: {workload: bernoulli, load: 0.05}"),
              "");
}

}  // namespace
}  // namespace sare::test::congestion_test
