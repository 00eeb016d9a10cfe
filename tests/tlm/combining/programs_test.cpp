// SPDX-License-Identifier: Apache-2.0
#include "tests/support/closed_form.h"
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/router/vc/model.h"
#include "tlm/topology/topology.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

/// Programs whose collectives the network carries out.
namespace sare::test::in_network_programs_test {
namespace {

/// Result `key` of a run, with `threads` threads in every cycle; or the reason why it did not end, or its
/// error.
std::string result_of(const std::string& text, const std::string& key = "makespan_cycles",
                      std::uint32_t threads = 1) {
    return in_child([&] {
        experiment e = experiment::read(config::parse_yaml(text, "test.yaml"), "");
        e.threads = threads;
        e.all_threads = threads != 1;
        const run_result r = simulation(e).run(e);
        if (r.status != run_status::completed) return r.reason;
        const config::value* found = &r.workload;
        for (std::size_t from = 0, end; found != nullptr && from <= key.size(); from = end + 1) {
            end = std::min(key.find('.', from), key.size());
            found = found->find(key.substr(from, end - from));
        }
        return found == nullptr ? "none" : found->text();
    });
}

std::string kernel(const std::string& network, const std::string& what, const std::string& how,
                   const std::string& more = "") {
    return "{network: " + network + ", combining: {entries: 8, ports: 6}, traffic: {workload: collective, " +
           "operation: " + what + ", bytes: 16, collectives: {" + what + ": " + how + "}" + more + "}}";
}

std::uint64_t alone(std::uint32_t routers, std::uint32_t flits) {
    packet_path path;
    path.routers = routers;
    path.flits = flits;
    return zero_load_latency(router_params{}, nic_params{}, path);
}

TEST(InNetworkPrograms, TakeTheClosedFormOnAnIdleMesh) {
    const char* const mesh = "{topology: mesh, dims: [5, 5]}";
    for (const char* what : {"allreduce", "barrier"})
        EXPECT_EQ(result_of(kernel(mesh, what, "in_network")),
                  std::to_string(2 * alone(1, 1) + 8 * alone(2, 1) + 9))
            << what;
    // Root 0 is at a corner: its data goes up 4 links to the root of the tree, and down 4 to the far corner.
    EXPECT_EQ(result_of(kernel(mesh, "bcast", "in_network")),
              std::to_string(2 * alone(1, 1) + 8 * alone(2, 1) + 9));
    EXPECT_EQ(result_of(kernel(mesh, "reduce", "in_network")),
              std::to_string(2 * alone(1, 1) + 8 * alone(2, 1) + 9));
}

TEST(InNetworkPrograms, BroadcastByForkingRoutersInTheTimeOfOnePacket) {
    const std::string forks =
                          "{network: {topology: mesh, dims: [4, 4]}, router: {forking: asynchronous, "
                          "depth: 64}, routing: {function: multicast_tree, set: ",
                      bcast =
                          "}, traffic: {workload: collective, operation: bcast, bytes: 64, collectives: "
                          "{bcast: multicast}}}";
    router_params router;
    router.depth = 64;
    packet_path path;
    path.routers = 7;
    path.flits = 4;
    EXPECT_EQ(result_of(forks + "all" + bcast),
              std::to_string(zero_load_latency(router, nic_params{}, path)));
    EXPECT_EQ(result_of(forks + "all" + bcast, "in_network.links.crossed"), "15");
    EXPECT_EQ(result_of(forks + "all" + bcast, "in_network.links.by_unicast"), "48");
    EXPECT_EQ(result_of(forks + "row" + bcast),
              "error: test.yaml: 'collectives.bcast' is multicast, and the packets of node 0 go to the 3 "
              "nodes of its set in "
              "'routing'; the 15 other nodes of this collective are not those");
}

/// Messages and collectives of two communicators that share routers, several tasks on each node, by tables
/// of one entry.
TEST(InNetworkPrograms, RunTracesWithCommunicators) {
    const auto file = std::filesystem::temp_directory_path() / "in_network_programs.trace";
    std::ofstream out(file);
    out << "sare-trace 3\ntasks 12\ncommunicator 1 0 2 4 6 8 10\ncommunicator 2 9 7 5 3 1\n";
    for (int n = 0; n < 12; ++n) {
        const std::string task = std::to_string(n), group = n % 2 == 0 ? " on=1\n" : " on=2\n";
        out << task << " barrier\n" << task << " isend " << (n + 1) % 12 << " 100 0 1\n";
        if (n != 11) out << task << " allreduce 500" << group << task << " bcast 1 300" << group;
        if (n != 11) out << task << " reduce 2 900" << group;
        out << task << " recv " << (n + 11) % 12 << " 100 0\n" << task << " wait 1\n";
        out << task << " allreduce 2000\n";
    }
    out.close();
    const auto text = [&](const std::string& combining, int each) {
        return "{network: {topology: torus, dims: [4, 3]}, router: {vcs: 4}, combining: {" + combining +
               "}, traffic: {workload: trace, tasks_per_node: " + std::to_string(each) +
               ", file: " + file.string() +
               ", collectives: {allreduce: in_network, bcast: in_network, reduce: in_network, barrier: "
               "in_network}}}";
    };
    const std::string block = "when_full: block, entries: 3, groups: ";
    for (const int each : {1, 3}) {
        EXPECT_EQ(result_of(text("entries: 1", each), "in_network.most_entries"), "1");
        EXPECT_EQ(result_of(text(block + "3", each), "in_network.groups"), "3");
    }
    const std::string full = text("entries: 1", 3);
    EXPECT_EQ(result_of(full, "makespan_cycles", 2), result_of(full));
    EXPECT_NE(result_of(text(block + "1", 1)).find("'combining.groups' is 1, and more groups of tasks meet"),
              std::string::npos);
    EXPECT_NE(result_of(text(block + "4", 1)).find("each group needs an entry at least"), std::string::npos);
    std::filesystem::remove(file);
}

/// Each application has groups of its own.
TEST(InNetworkPrograms, RunAsApplications) {
    const auto app = [](const std::string& what) {
        return ": {traffic: {workload: collective, tasks: 5, bytes: 100, operation: " + what +
               ", repetitions: 3, collectives: {" + what + ": in_network}}}";
    };
    const std::string text =
        "{network: {topology: mesh, dims: [4, 3]}, combining: {entries: 1}, traffic: {workload: "
        "applications, applications: {a" +
        app("allreduce") + ", b" + app("barrier") + "}}}";
    EXPECT_EQ(result_of(text, "in_network.groups"), "2");
    EXPECT_EQ(result_of(text, "in_network.packets_sent"), "30");
}

/// Combiners that nobody calls change no packet's latency.
TEST(InNetworkPrograms, LeaveOtherTrafficAlone) {
    const auto latency = [](const std::string& more) {
        return in_child([&] {
            const experiment e = experiment::read(
                config::parse_yaml("{network: {topology: torus, dims: [4, 4]}, router: {vcs: 4}, traffic: "
                                   "{workload: bernoulli, load: 0.3, length: 3, stop_cycle: 2000}" +
                                       more + "}",
                                   "test.yaml"),
                "");
            const run_result r = simulation(e).run(e);
            return std::to_string(r.packet_latency.from_generation.count) + " packets, " +
                   std::to_string(r.packet_latency.from_generation.mean);
        });
    };
    EXPECT_EQ(latency(", combining: {entries: 4, ports: 2}"), latency(""));
}

TEST(InNetworkPrograms, RunWithoutFlits) {
    for (const char* fidelity : {"analytic", "node_links"}) {
        const std::string text =
            "{fidelity: " + std::string(fidelity) + ", " +
            kernel("{topology: kary_ntree, k: 4, n: 2}", "allreduce", "in_network").substr(1);
        EXPECT_EQ(result_of(text, "in_network.packets_combined"), "15") << fidelity;
    }
}

TEST(InNetworkPrograms, AreRefusedInALineWhereTheNetworkCannot) {
    const std::string mesh = "{topology: mesh, dims: [3, 3]}";
    const std::string needs =
        "which needs a network with combiners ('combining: {entries: 16}') right below this "
        "workload";
    const auto error_of = [&](const std::string& text) { return result_of(text); };
    const auto ends_with = [](const std::string& text, const std::string& end) {
        return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
    };
    EXPECT_TRUE(
        ends_with(error_of("{network: " + mesh +
                           ", traffic: {workload: collective, operation: barrier, collectives: {barrier: "
                           "in_network}}}"),
                  "'collectives.barrier' is in_network, " + needs));
    EXPECT_TRUE(
        ends_with(error_of("{network: " + mesh +
                           ", combining: {entries: 1}, traffic: {workload: rails, ports: 1, of: {workload: "
                           "collective, operation: barrier, collectives: {barrier: in_network}}}}"),
                  needs));
    EXPECT_TRUE(ends_with(error_of(kernel(mesh, "bcast", "multicast")),
                          "with 'routing: {function: multicast_tree, set: all}') right below this workload"));
    EXPECT_TRUE(ends_with(error_of(kernel(mesh, "allreduce", "in_network", ", mode: at_will")),
                          "with 'mode: at_will' nobody waits for what it gives"));
    EXPECT_TRUE(ends_with(error_of(kernel("{topology: butterfly}", "allreduce", "in_network")),
                          "sums go up a tree of links, and come down the same"));
    const auto with = [&](const std::string& section) {
        return error_of("{" + section + ", " + kernel(mesh, "allreduce", "in_network").substr(1));
    };
    EXPECT_TRUE(ends_with(with("router: {kind: deflection}"),
                          "routers of kind deflection, which route by themselves; take kind vc"));
    EXPECT_TRUE(ends_with(with("nic: {retransmission: go_back_n}"), "'nic.retransmission'; leave it out"));
    EXPECT_TRUE(ends_with(with("links: [{between: [0, 1], bit_error_rate: 1e-9}]"), "sums would be lost"));
}

}  // namespace
}  // namespace sare::test::in_network_programs_test
