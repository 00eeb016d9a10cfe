// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/topology/topology_support.h"
#include "tests/traffic/program/observed.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <map>

/// Critical path and matrix of every kernel, on one switch where nothing contends.
namespace sare::test::kernel_paths_test {
namespace {

using testing_support::rows_of;

struct figures {
    std::map<std::string, std::uint64_t> path;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::uint64_t>> matrix;

    std::uint64_t cycles(const std::string& part) const { return path.at(part + "_cycles"); }
};

/// One run, in a process of its own.
figures look(const std::string& fidelity, std::uint32_t nodes, const std::string& traffic) {
    const std::string text = in_child([&] {
        config::value all = config::value::map({});
        all.set("fidelity", config::value::scalar(fidelity));
        all.set("network", section("crossbar n=" + std::to_string(nodes), "topology"));
        if (fidelity == "flit") all.set("routing", section("table", "function"));
        all.set("traffic", section(traffic, "workload"));
        all.set_path("observe.critical_path", config::value::scalar("true"));
        all.set_path("observe.matrix", config::value::scalar("true"));
        const experiment e = experiment::read(all, ".");
        const run_result r = simulation(e).run(e);
        if (r.status != run_status::completed) return "error: " + r.reason;
        std::string out = "-,-," + r.workload.find("makespan_cycles")->text() + ",makespan\n";
        for (const auto& [key, v] : r.workload.find("critical_path")->entries())
            if (v.type() == config::value::kind::scalar) out += "-,-," + v.text() + "," + key + "\n";
        for (const auto& [name, csv] : r.tables)
            if (name == "task_matrix.csv") out += csv.substr(csv.find('\n') + 1);
        return "\n" + out;
    });
    EXPECT_EQ(text.find("error"), std::string::npos) << traffic << ": " << text;
    figures f;
    for (const auto& row : rows_of(text))
        if (row[0] == "-")
            f.path[row[3]] = std::stoull(row[2]);
        else
            f.matrix[{std::stoul(row[0]), std::stoul(row[1])}] = {std::stoull(row[2]), std::stoull(row[3])};
    return f;
}

std::uint32_t stages(std::uint32_t n) {
    std::uint32_t s = 0;
    while (1U << s < n) ++s;
    return s;
}

/// `messages` of `bytes` one after the other, and nothing else; at flit level their routers' pipelines, too.
void expect_path(const std::string& fidelity, std::uint32_t nodes, const std::string& kernel,
                 std::uint64_t messages, std::uint64_t bytes) {
    SCOPED_TRACE(fidelity + " " + std::to_string(nodes) + " " + kernel);
    const std::string ring = "ring bytes=" + std::to_string(bytes);
    static std::map<std::string, std::uint64_t> known;
    const auto one = [&](const std::string& how) {
        auto& cycles = known[how + ring];
        if (cycles == 0) {
            config::value all = config::value::map({});
            const std::string text = in_child([&] {
                all.set("fidelity", config::value::scalar(how));
                all.set("network", section("crossbar n=4", "topology"));
                if (how == "flit") all.set("routing", section("table", "function"));
                all.set("traffic", section(ring, "workload"));
                const experiment e = experiment::read(all, ".");
                return simulation(e).run(e).workload.find("makespan_cycles")->text();
            });
            cycles = std::stoull(text) / 4;
        }
        return cycles;
    };
    const figures f = look(fidelity, nodes, kernel);
    EXPECT_EQ(f.cycles("transit"), messages * one("analytic"));
    EXPECT_EQ(f.cycles("contention"), messages * (one(fidelity) - one("analytic")));
    EXPECT_EQ(f.path.at("messages"), messages);
    EXPECT_EQ(f.path.at("cycles"), messages * one(fidelity));
    EXPECT_EQ(f.path.at("cycles"), f.path.at("makespan"));
}

class one_switch : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(kernels, one_switch, testing::Values("analytic", "flit"),
                         [](const auto& which) { return std::string(which.param); });

TEST_P(one_switch, HasTheLongestChainAsCriticalPath) {
    const std::string fidelity = GetParam();
    for (const std::uint32_t n : {4U, 8U, 16U, 64U}) {
        expect_path(fidelity, n, "binary_tree bytes=400", stages(n), 400);
        expect_path(fidelity, n, "inverse_binary_tree bytes=400", stages(n), 400);
        expect_path(fidelity, n, "butterfly bytes=400", stages(n), 400);
        expect_path(fidelity, n, "barrier", 2 * stages(n), 0);
        expect_path(fidelity, n, "direction_exchange bytes=400 torus=true dimensions=1", 2, 400);
        const std::string line = " bytes=400 dims=" + std::to_string(n);
        expect_path(fidelity, n, "wavefront" + line, n - 1, 400);
        expect_path(fidelity, n, "wavefront return=true" + line, 2 * (n - 1), 400);
        expect_path(fidelity, n, "collective operation=allreduce bytes=400", stages(n), 400);
    }
}

TEST(Kernels, HaveTheirPathsWithoutContention) {
    for (const std::uint32_t side : {2U, 3U, 4U, 8U}) {
        const std::uint32_t n = side * side;
        expect_path("analytic", n, "mesh_exchange bytes=400", 1, 400);
        expect_path("analytic", n, "incast bytes=400", 1, 400);
        expect_path("analytic", n, "random_exchange bytes=400 stages=1", 1, 400);
        expect_path("analytic", n, "waterfall bytes=400 messages=10", 2 * (side - 1), 40);
        expect_path("analytic", n, "wavefront bytes=400 return=true", 4 * (side - 1), 400);
    }
}

/// Each stage of a butterfly: overhead, message, overhead, computation.
TEST(Kernels, SplitTheTimeOfAPath) {
    for (const std::uint32_t n : {2U, 4U, 16U, 64U}) {
        const figures f = look(
            "analytic", n, "butterfly bytes=400 compute=100e-9 overhead_send=20e-9 overhead_receive=10e-9");
        EXPECT_EQ(f.cycles("compute"), 100U * stages(n));
        EXPECT_EQ(f.cycles("send_overhead"), 20U * stages(n));
        EXPECT_EQ(f.cycles("receive_overhead"), 10U * stages(n));
        EXPECT_EQ(f.path.at("messages"), stages(n));
        EXPECT_EQ(f.cycles("contention"), 0U);
        EXPECT_EQ(f.path.at("cycles"), f.path.at("makespan"));
    }
}

TEST(Kernels, HaveTheMatricesOfTheirDefinitions) {
    using matrix = decltype(figures::matrix);
    for (const std::uint32_t side : {2U, 3U, 4U, 8U}) {
        const std::uint32_t n = side * side;
        matrix right_and_up, both, to_one;
        for (std::uint32_t k = 0; k < n; ++k) {
            if (k % side + 1 < side) right_and_up[{k, k + 1}] = {1, 400};
            if (k + side < n) right_and_up[{k, k + side}] = {1, 400};
            if (k != 0) to_one[{k, 0}] = {1, 400};
        }
        for (const auto& [pair, count] : right_and_up) both[pair] = both[{pair.second, pair.first}] = count;
        EXPECT_EQ(look("analytic", n, "wavefront bytes=400").matrix, right_and_up);
        EXPECT_EQ(look("analytic", n, "wavefront bytes=400 return=true").matrix, both);
        EXPECT_EQ(look("analytic", n, "mesh_exchange bytes=400").matrix, both);
        EXPECT_EQ(look("analytic", n, "direction_exchange bytes=400").matrix, both);
        EXPECT_EQ(look("analytic", n, "incast bytes=400").matrix, to_one);
        for (auto& [pair, count] : right_and_up) count = {10, 400};
        EXPECT_EQ(look("analytic", n, "waterfall bytes=400 messages=10").matrix, right_and_up);
    }
    for (const std::uint32_t n : {2U, 4U, 16U, 64U}) {
        matrix butterfly, up, down, barrier;
        for (std::uint32_t bit = 1; bit < n; bit *= 2)
            for (std::uint32_t k = 0; k < n; ++k) butterfly[{k, k ^ bit}] = {1, 400};
        for (std::uint32_t k = 1; k < n; ++k) {  // the parent is without the lowest bit
            up[{k, k & (k - 1)}] = down[{k & (k - 1), k}] = {1, 400};
            barrier[{k, k & (k - 1)}] = barrier[{k & (k - 1), k}] = {1, 0};
        }
        EXPECT_EQ(look("analytic", n, "binary_tree bytes=400").matrix, up);
        EXPECT_EQ(look("analytic", n, "inverse_binary_tree bytes=400").matrix, down);
        EXPECT_EQ(look("analytic", n, "barrier").matrix, barrier);
        EXPECT_EQ(look("analytic", n, "butterfly bytes=400").matrix, butterfly);
    }
}

}  // namespace
}  // namespace sare::test::kernel_paths_test
