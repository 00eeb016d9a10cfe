// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/kernel_run.h"
#include "tests/traffic/source/flow.h"
#include "tests/traffic/trace/trace_files.h"
#include "traffic/cortex/connectivity.h"
#include "traffic/cortex/spikes.h"
#include "traffic/program/executor/executor.h"
#include "traffic/trace/write/write.h"

#include <cmath>

/// DPSNN: its stencil, what it draws, and its messages and times where nothing contends.
namespace sare::testing_support::cortex_test {
namespace {

using traffic::connectivity;
using traffic::cortex_parameters;

struct cortex_run : kernel_run {
    cortex_run(std::uint32_t tasks, const std::string& yaml) : kernel_run(section_of(yaml), tasks) {}
    static config::value section_of(const std::string& yaml) {
        return flow("{workload: dpsnn, " + yaml + "}");
    }
    double number_of(const char* key) const {
        return std::stod(w->results().find("dpsnn")->find(key)->text());
    }
};

TEST(Cortex, HasAStencilOf21By21) {
    EXPECT_EQ(connectivity(cortex_parameters(), 4, 4).stencil(), 21U);  // 290 ln(0.03 / 0.001) = 986 um
    for (const auto& [lambda, cut, side] : std::vector<std::tuple<double, double, std::uint32_t>>{
             {290, 0.01, 7}, {290, 0.02, 3}, {100, 0.001, 7}, {29, 0.0299, 1}, {290, 0.5, 1}}) {
        cortex_parameters p;
        p.lambda = lambda;
        p.cut = cut;
        EXPECT_EQ(connectivity(p, 1, 1).stencil(), side) << lambda << " " << cut;
    }
}

/// Synapses that end in other columns of a large sheet, summed up here; four times as many in its own.
TEST(Cortex, HasTheGivenShareOfLocalSynapses) {
    double remote = 0;
    for (int x = -10; x <= 10; ++x)
        for (int y = -10; y <= 10; ++y)
            if (x != 0 || y != 0) remote += 1240 * 0.03 * std::exp(-100 * std::hypot(x, y) / 290);
    for (const double local : {0.8, 0.5, 0.0, 0.9}) {
        cortex_parameters p;
        p.local = local;
        const connectivity c(p, 4, 4);
        EXPECT_NEAR(c.remote_synapses(), remote, 1e-9 * remote);
        EXPECT_NEAR(c.local_synapses() / (c.local_synapses() + c.remote_synapses()), local, 1e-12);
    }
    EXPECT_NEAR(remote, 1752.2, 0.1);
}

/// Of all processes together: every column of a stencil once, whatever their rectangles.
TEST(Cortex, KeepsTheSynapsesOfColumnsInRectangles) {
    for (const auto& [w, h] :
         std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 1}, {2, 3}, {4, 4}, {12, 5}, {2, 300}}) {
        const connectivity c(cortex_parameters(), w, h);
        double synapses = 0;
        for (int y = -static_cast<int>(c.reach_y()); y <= static_cast<int>(c.reach_y()); ++y)
            for (int x = -static_cast<int>(c.reach_x()); x <= static_cast<int>(c.reach_x()); ++x) {
                synapses += c.to(x, y).synapses;
                EXPECT_NEAR(c.to(x, y).reached, c.to(-x, -y).reached, 1e-12);
            }
        EXPECT_NEAR(synapses, c.remote_synapses() + c.local_synapses(), 1e-6);
        EXPECT_EQ(c.to(0, 0).reached, 1);
    }
    // Of single columns: one synapse at least with 1,240 neurons.
    const connectivity c(cortex_parameters(), 1, 1);
    EXPECT_NEAR(c.to(3, -4).reached, 1 - std::pow(1 - 0.03 * std::exp(-500 / 290.0), 1240), 1e-12);
    EXPECT_EQ(c.reach_x(), 10U);
    // In a small sheet: no further than to its other end.
    cortex_parameters small;
    small.columns = {12, 4};
    EXPECT_EQ(connectivity(small, 2, 2).reach_x(), 5U);
    EXPECT_EQ(connectivity(small, 2, 2).reach_y(), 1U);
}

TEST(Cortex, DrawsByPoissonAndBinomial) {
    rng random(1, stream::test, 0);
    double sum = 0, squares = 0, hits = 0;
    const traffic::geometric gaps(0.3);
    for (int i = 0; i < 20000; ++i) {
        const double n = traffic::draw_poisson(random, 6.2);
        sum += n;
        squares += n * n;
        hits += traffic::draw_binomial(random, 50, gaps);
    }
    EXPECT_NEAR(sum / 20000, 6.2, 5 * std::sqrt(6.2 / 20000));
    EXPECT_NEAR(squares / 20000 - sum * sum / 4e8, 6.2, 0.4);
    EXPECT_NEAR(hits / 20000, 15, 5 * std::sqrt(10.5 / 20000));
    EXPECT_EQ(traffic::draw_poisson(random, 0), 0U);
    EXPECT_EQ(traffic::draw_binomial(random, 7, traffic::geometric(1)), 7U);
}

/// As many spikes as neurons emit, and as go to each target, within five standard deviations.
TEST(Dpsnn, SendsTheExpectedSpikesPerTarget) {
    for (const auto& [tasks, columns, w, h] :
         std::vector<std::tuple<std::uint32_t, const char*, std::uint32_t, std::uint32_t>>{
             {4, "[8, 8]", 4, 4}, {16, "[16, 16]", 4, 4}, {9, "[3, 3]", 1, 1}, {36, "[12, 24]", 2, 4}}) {
        const cortex_run r(tasks,
                           "columns: " + std::string(columns) +
                               ", rate: 40, steps: 10, spike_time: 0, collectives: {alltoallv: sparse}");
        const connectivity c(cortex_parameters(), w, h);
        const int side = static_cast<int>(std::sqrt(tasks));
        double targets = 0, most = 0;  // processes that a spike reaches, in the mean; of one in the middle
        for (int from = 0; from < side * side; ++from) {
            double own = 0;
            for (int to = 0; to < side * side; ++to) {
                const int x = to % side - from % side, y = to / side - from / side;
                if (to == from || std::abs(x) > static_cast<int>(c.reach_x()) ||
                    std::abs(y) > static_cast<int>(c.reach_y()))
                    continue;
                own += c.to(x, y).reached;
            }
            targets += own / tasks;
            most = std::max(most, own);
        }
        const double emitted = tasks * w * h * 1240.0 * 40 * 1e-3 * 10;
        EXPECT_NEAR(r.number_of("emitted_spikes"), emitted, 5 * std::sqrt(emitted));
        EXPECT_NEAR(r.number_of("sent_spikes"), emitted * targets, 5 * std::sqrt(emitted) * (most + 1));
        EXPECT_EQ(r.bytes(),
                  r.number_of("sent_spikes") * 12 + 4 * 10 * tasks * r.number_of("mean_neighbours"));
    }
}

/// A barrier, a count to each that is reached, a message of spikes to each.
TEST(Dpsnn, SendsTheMessagesOfAStep) {
    for (const std::uint32_t side : {2U, 3U, 4U, 6U}) {
        const std::uint64_t n = side * side;
        const std::string model = "columns: [" + std::to_string(8 * side) + ", " + std::to_string(8 * side) +
                                  "], rate: 100, steps: 3, spike_time: 0, collectives: ";
        // The nearest column of a second neighbour is 9 to 16 columns away: 10 are reached.
        std::uint64_t near = 0;
        for (std::uint32_t i = 0; i < side; ++i)
            for (std::uint32_t j = 0; j < side; ++j) near += i + 2 >= j && j + 2 >= i ? 1 : 0;
        const std::uint64_t pairs = near * near - n;
        const cortex_run sparse(n, model + "{barrier: root, alltoallv: sparse}");
        EXPECT_EQ(sparse.number_of("mean_neighbours") * n, pairs);
        EXPECT_EQ(sparse.messages(), 3 * (2 * (n - 1) + 2 * pairs)) << side;
        const cortex_run all(n, model + "{barrier: two_level}");
        EXPECT_EQ(all.messages(), 3 * (2 * (n - 1) + 2 * n * (n - 1))) << side;
    }
}

/// Without spikes a step is the computation for neurons, the barrier and the counts.
TEST(Dpsnn, TakesTheTimeOfAStep) {
    for (const std::uint32_t n : {1U, 2U, 4U, 16U}) {
        const cortex_run r(n,
                           "columns: [16, 16], neurons: 2, rate: 0, steps: 7, neuron_time: 1e-9, "
                           "collectives: {alltoallv: sparse}");
        const std::uint64_t counts = n == 1 ? 0 : hop(1, n - 2);
        EXPECT_EQ(r.cycles(), 7 * (512 / n + stages(n) * hop(1) + counts)) << n;
    }
    // The spikes of a step are computed in the next one.
    const cortex_run alone(1, "columns: [4, 4], rate: 50, steps: 1, spike_time: 1e-9"),
        twice(1, "columns: [4, 4], rate: 50, steps: 2, spike_time: 1e-9");
    EXPECT_EQ(alone.cycles(), 0U);
    EXPECT_EQ(twice.cycles(), alone.number_of("emitted_spikes"));
}

/// What a process is in, all together, is the time until it is through; a trace of it takes the same time.
TEST(Dpsnn, AccountsForItsTimeInStatesAndTraces) {
    const std::string model =
        "columns: [24, 24], rate: 10, steps: 5, spike_time: 2e-9, synapse_time: 1e-12, collectives: "
        "{barrier: "
        "root, alltoallv: sparse}";
    const cortex_run r(16, model);
    std::istringstream states(r.w->tables().at(1).second), rows(r.w->tables().at(0).second);
    std::string line;
    std::getline(states, line);
    EXPECT_EQ(line, "task,compute_cycles,barrier_cycles,counts_cycles,spikes_cycles");
    std::getline(rows, line);
    for (int task = 0; task < 16; ++task) {
        std::uint64_t sum = 0;
        std::getline(states, line);
        std::istringstream words(line.substr(line.find(',') + 1));
        for (std::string word; std::getline(words, word, ',');) sum += std::stoull(word);
        std::getline(rows, line);
        EXPECT_EQ(sum, std::stoull(line.substr(line.rfind(',') + 1))) << task;
    }
    const auto again = make_workload(cortex_run::section_of(model), 16);
    std::ostringstream out;
    traffic::write_trace(dynamic_cast<traffic::executor&>(*again).what(), out);
    const trace_files files;
    const kernel_run replay(flow("{workload: trace, file: " + files.write("t", out.str()) +
                                 ", collectives: {barrier: root, alltoallv: sparse}}"),
                            16);
    EXPECT_EQ(replay.cycles(), r.cycles());
    EXPECT_EQ(replay.w->tables().at(0), r.w->tables().at(0));
}

/// The spikes that a run writes make the same run again, and others another one.
TEST(Dpsnn, RepeatsTheSpikeCountsOfAFile) {
    const std::string model =
        "columns: [24, 24], steps: 4, spike_time: 2e-9, collectives: {barrier: root, alltoallv: sparse}, ";
    const cortex_run written(16, model + "rate: 10, write_spike_counts: true");
    const auto [name, text] = written.w->tables().at(2);
    EXPECT_EQ(name, "spikes.csv");
    EXPECT_EQ(text.substr(0, 21), "step,task,spikes\n0,0,");
    const trace_files files;
    const std::string file = files.write("spikes", text);
    const cortex_run read(16, model + "rate: 0, write_spike_counts: true, spike_counts: " + file);
    EXPECT_EQ(read.cycles(), written.cycles());
    for (const std::size_t i : {0, 1, 2}) EXPECT_EQ(read.w->tables().at(i), written.w->tables().at(i));
    EXPECT_EQ(read.number_of("emitted_spikes"), written.number_of("emitted_spikes"));
    EXPECT_GT(read.number_of("sent_spikes"), 0);

    // Task 0 computes for its spikes of step 0 in step 1; nobody else has any.
    const std::string few = files.write("few", "0,0,25\r\n1,1,0\n");
    const cortex_run two(2,
                         "columns: [2, 1], neurons: 1, amplitude: 0, steps: 2, spike_time: 1e-6, "
                         "collectives: {alltoallv: sparse}, spike_counts: " +
                             few);
    EXPECT_EQ(two.number_of("emitted_spikes"), 25);
    EXPECT_EQ(two.cycles(), 25000 + 2 * hop(1));
}

TEST(Dpsnn, RefusesImpossibleSpikeCounts) {
    const trace_files files;
    const auto error = [&](const std::string& text, const std::string& more = "steps: 2") {
        const std::string file = files.write("counts", text);
        const std::string all = error_of([&] {
            make_workload(cortex_run::section_of(more + ", columns: [4, 4]" + ", spike_counts: " + file), 4);
        });
        return all.substr(all.find("counts") == std::string::npos ? 0 : all.find("counts"));
    };
    EXPECT_EQ(error("step,task,spikes\n0,1\n"),
              "counts:2:1: a line must be 'step,task,spikes', all whole numbers");
    EXPECT_EQ(error("0,1,2,3\n").substr(0, 27), "counts:1:1: a line must be ");
    EXPECT_EQ(error("0,1,-2\n").substr(0, 27), "counts:1:1: a line must be ");
    EXPECT_EQ(error("0,4,2\n"), "counts:1:1: task 4 does not exist; there are 4");
    EXPECT_EQ(error("0,0,10000001\n"), "counts:1:1: 10000001 spikes of a task in a step; at most 10000000");
    EXPECT_EQ(error("0,1,2\n0,1,2\n"), "counts:2:1: task 1 in step 0 once more");
    EXPECT_NE(error("0,1,2\n").find("are of 1 steps; 'steps' is 2"), std::string::npos);
    EXPECT_NE(error("0,1,2\n", "steps: 1000000, tasks: 256, tasks_per_node: 64, columns: [16, 16]")
                  .find("at most 100 million counts"),
              std::string::npos);
}

TEST(Dpsnn, RefusesImpossibleParameters) {
    const auto error = [](const std::string& yaml) {
        return error_of([&] { make_workload(cortex_run::section_of(yaml), 12); });
    };
    EXPECT_EQ(error("columns: [10, 9]"),
              "test.yaml:1:1: the 10 'columns' in x cannot be dealt out to 4 tasks; take a multiple");
    EXPECT_EQ(error("columns: 12"), "test.yaml:1:1: 'columns' must have 2 numbers, those in x and y; not 1");
    EXPECT_EQ(error("lambda: 29000"),
              "test.yaml:1:1: a stencil reaches 986 columns far, 250 at most; raise 'cut' or 'spacing', or "
              "lower 'lambda'");
    EXPECT_EQ(
        error("columns: [400000, 300000]"),
        "test.yaml:1:1: a task has 10000000000 columns, 16384 at most; take more tasks or fewer 'columns'");
    EXPECT_EQ(
        error("rate: 1e6, step: 10"),
        "test.yaml:1:1: a task of 'dpsnn' emits 2.3808e+12 spikes in a step ('rate' of its neurons times "
        "'step'); at most 10 million");
    EXPECT_EQ(error("tasks: 20000, tasks_per_node: 2000, columns: [160, 125]").substr(0, 70),
              "test.yaml:1:1: workload 'dpsnn' has 20000 tasks; at most 16384, for wh");
    EXPECT_EQ(error("dims: [2, 2, 3]"), "test.yaml:1:1: workload 'dpsnn' takes 2 dimensions of tasks, not 3");
}

}  // namespace
}  // namespace sare::testing_support::cortex_test
