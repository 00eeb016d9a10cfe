// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/topology/topology_support.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

/// Kernels on whole networks: where messages do not get in each other's way, their time is that of the
/// messages of their longest path.
namespace sare::test::kernel_runs_test {
namespace {

experiment make(const std::string& fidelity, std::uint32_t nodes, const std::string& traffic) {
    config::value all = config::value::map({});
    all.set("fidelity", config::value::scalar(fidelity));
    all.set("network", section("crossbar n=" + std::to_string(nodes), "topology"));
    if (fidelity == "flit") all.set("routing", section("table", "function"));
    all.set("traffic", section(traffic, "workload"));
    return experiment::read(all, ".");
}

/// A result of the workload of a run.
std::uint64_t of(const std::string& fidelity, std::uint32_t nodes, const std::string& traffic,
                 const char* key = "makespan_cycles") {
    const std::string text = in_child([&] {
        const experiment e = make(fidelity, nodes, traffic);
        const run_result r = simulation(e).run(e);
        if (r.status != run_status::completed) return "error: " + r.reason;
        return r.workload.find(key)->text();
    });
    EXPECT_EQ(text.find("error"), std::string::npos) << text;
    return std::strtoull(text.c_str(), nullptr, 10);
}

class any_fidelity : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(kernels, any_fidelity, testing::Values("analytic", "flit"),
                         [](const auto& which) { return std::string(which.param); });

TEST_P(any_fidelity, TakesTheTimeOfTheMessagesOnAPath) {
    const std::string fidelity = GetParam();
    const auto run = [&](std::uint32_t nodes, const std::string& traffic) {
        return of(fidelity, nodes, traffic);
    };
    for (const std::uint32_t n : {4U, 8U, 16U, 64U}) {
        std::uint32_t stages = 0;
        while (1U << stages < n) ++stages;
        const std::uint64_t one = run(n, "ring bytes=400") / n, empty = run(n, "ring bytes=0") / n;
        EXPECT_EQ(run(n, "binary_tree bytes=400"), stages * one);
        EXPECT_EQ(run(n, "inverse_binary_tree bytes=400"), stages * one);
        EXPECT_EQ(run(n, "butterfly bytes=400"), stages * one);
        EXPECT_EQ(run(n, "barrier"), 2 * stages * empty);
        EXPECT_EQ(run(n, "direction_exchange bytes=400 torus=true dimensions=1"), 2 * one);
        const std::string line = "bytes=400 dims=" + std::to_string(n);
        EXPECT_EQ(run(n, "wavefront " + line), (n - 1) * one);
        EXPECT_EQ(run(n, "wavefront return=true " + line), 2 * (n - 1) * one);
        EXPECT_EQ(run(n, "n_body bytes=400"), n / 2 * one);
        EXPECT_EQ(run(n, "n_body bytes=400 ring=full"), (n - 1) * one);
    }
}

/// Returns the makespan of an experiment in YAML.
std::uint64_t cycles_of(const std::string& yaml) {
    const std::string text = in_child([&] {
        const experiment e = experiment::read(config::parse_document(yaml, "test.yaml"), ".");
        const run_result r = simulation(e).run(e);
        return r.status == run_status::completed ? r.workload.find("makespan_cycles")->text()
                                                 : "error: " + r.reason;
    });
    EXPECT_EQ(text.find("error"), std::string::npos) << text;
    return std::strtoull(text.c_str(), nullptr, 10);
}

/// Returns the makespan of a collective of 16-byte flits on a network where no message waits for another's.
std::uint64_t collective_cycles(const std::string& network, const std::string& operation, std::uint64_t flits,
                                const std::string& choice) {
    return cycles_of("network: {" + network + "}\nrouter: {vcs: 4, depth: 64}\nnic: {flit_bytes: 16}\n" +
                     "traffic: {workload: collective, operation: " + operation + ", bytes: " +
                     std::to_string(16 * flits) + ", collectives: {" + operation + ": " + choice + "}}\n");
}

/// Rings and trees on an idle network: each round takes the flits that the busiest link carries in it, and
/// the constant time c of a message's head.
TEST(Kernels, TakeTheRoundsOfRingsAndTrees) {
    const std::string ring = "topology: torus, dims: [8]", square = "topology: torus, dims: [4, 4]",
                      switch_of_8 = "topology: crossbar, n: 8";
    const std::uint64_t c = collective_cycles(ring, "allreduce", 8 * 10, "ring") / 14 - 10;
    const std::uint64_t at_switch = collective_cycles(switch_of_8, "allreduce", 8 * 10, "ring") / 14 - 10;
    for (const std::uint64_t part : {16U, 48U}) {  // flits
        EXPECT_EQ(collective_cycles(ring, "allreduce", 8 * part, "ring"), 14 * (part + c));
        EXPECT_EQ(collective_cycles(ring, "reduce_scatter", 8 * part, "ring"), 7 * (part + c));
        EXPECT_EQ(collective_cycles(ring, "allgather", part, "ring"), 7 * (part + c));
        // Halves both ways, which leave the node behind each other.
        const std::string both = "bidirectional_ring";
        EXPECT_EQ(collective_cycles(ring, "allreduce", 8 * part, both), 14 * (part + c));
        EXPECT_EQ(collective_cycles(ring, "reduce_scatter", 8 * part, both), 7 * (part + c));
        EXPECT_EQ(collective_cycles(ring, "allgather", part, both), 7 * (part + c));
        const std::string levels = "hierarchical, levels: [4], chunks: 1";
        const std::uint64_t inside = 3 * (4 * part + c), across = 3 * (part + c);
        EXPECT_EQ(collective_cycles(square, "allreduce", 16 * part, levels), 2 * (inside + across));
        EXPECT_EQ(collective_cycles(square, "reduce_scatter", 16 * part, levels), inside + across);
        EXPECT_EQ(collective_cycles(square, "allgather", part, levels), inside + across);
        // Two chunks: the first alone, both with what they send behind each other, the second alone.
        const std::string two = "hierarchical, levels: [4], chunks: 2";
        EXPECT_EQ(collective_cycles(square, "reduce_scatter", 16 * part, two),
                  3 * (2 * part + c) + 3 * (2 * part + part / 2 + c) + 3 * (part / 2 + c));
        // Trees of h levels: halves come to parents in pairs but to the root alone, which makes
        // (4 h - 2) part + 2 h c. With 8 tasks a message down one tree shares the link of its node with one
        // of the other tree, which begins c + 1 flits later, and takes half of it from then on.
        for (const auto& [tasks, cycles] :
             {std::pair<std::uint32_t, std::uint64_t>(2, 2 * part + 2 * at_switch),
              {4, 6 * part + 4 * at_switch},
              {8, 11 * part + 5 * at_switch - 1}})
            EXPECT_EQ(collective_cycles("topology: crossbar, n: " + std::to_string(tasks), "allreduce",
                                        2 * part, "double_tree, chunks: 1"),
                      cycles)
                << tasks;
    }
}

TEST(Kernels, WaitForNothingInTheContentionFreeModel) {
    for (const std::uint32_t side : {2U, 3U, 4U, 8U}) {
        const std::uint32_t n = side * side;
        const std::uint64_t one = of("analytic", n, "ring bytes=1000") / n;
        const std::uint64_t part = of("analytic", n, "ring bytes=25") / n;
        EXPECT_EQ(of("analytic", n, "wavefront bytes=1000 return=true"), 4 * (side - 1) * one);
        EXPECT_EQ(of("analytic", n, "waterfall bytes=1000 messages=40"), 2 * (side - 1) * part);
        EXPECT_EQ(of("analytic", n, "mesh_exchange bytes=1000"), one);
        EXPECT_EQ(of("analytic", n, "mesh_exchange bytes=1000 torus=true diagonals=true repetitions=5"),
                  5 * one);
        // A torus of two has one way along a dimension.
        EXPECT_EQ(of("analytic", n, "direction_exchange bytes=1000 torus=true"), (side == 2 ? 2 : 4) * one);
        EXPECT_EQ(of("analytic", n, "waterfall bytes=1000 messages=40", "messages"), 80 * side * (side - 1));
    }
}

/// Motifs: what follows each other adds up, what is sent at once does not.
TEST(Kernels, AddUpMotifsInTheContentionFreeModel) {
    for (const std::uint32_t side : {2U, 4U, 5U, 8U}) {
        const std::uint32_t n = side * side;
        const auto one = [&](std::uint64_t bytes) {
            return of("analytic", n, "ring bytes=" + std::to_string(bytes)) / n;
        };
        const std::string square = " dims=" + std::to_string(side) + "," + std::to_string(side);
        EXPECT_EQ(of("analytic", n, "halo reduce=false cells=50,25 dimensions=2"), one(200) + one(400));
        EXPECT_EQ(of("analytic", n, "halo reduce=false cells=50,25 diagonals=true dimensions=2"), one(400));
        const std::string line = " dims=" + std::to_string(n) + ",1";
        EXPECT_EQ(of("analytic", n, "sweep3d cells=9,5,8 kba=2" + line), 5 * (n - 1) * one(5 * 2 * 64));
        const std::uint64_t reduced = of("analytic", n, "collective operation=allreduce bytes=8");
        if (side != 5) {
            EXPECT_EQ(of("analytic", n, "lattice_qcd naik=false cells=4 dimensions=2" + square),
                      2 * one(4 / 2 * 48) + 2 * reduced);
        }
        const std::uint64_t barrier = of("analytic", n, "collective operation=barrier");
        const std::uint64_t block = std::uint64_t{4} * 4 * 2 * side * 16;
        EXPECT_EQ(of("analytic", n,
                     "fft3d real=false data=" + std::to_string(4 * side) + "," + std::to_string(4 * side) +
                         "," + std::to_string(2 * side * side)),
                  4 * (side - 1) * one(block) + 2 * barrier);
    }
}

}  // namespace
}  // namespace sare::test::kernel_runs_test
