// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/topology/topology_support.h"
#include "tests/traffic/fake_port.h"
#include "tests/traffic/source/task_trees.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

/// The task model: footprints, the times of single jobs, and what holds for all.
namespace sare::task_model_test {
namespace {

using testing_support::error_of;
using testing_support::fake_port;
using testing_support::law_of;
using testing_support::make_workload;
using testing_support::random_tree;
using testing_support::regular;
using testing_support::wide_law;
using settings = testing_support::settings_of_tasks;

config::value section_of(const config::value& tree, const settings& others) {
    settings all{{"workload", "task_model"}};
    all.insert(all.end(), others.begin(), others.end());
    config::value v = testing_support::section(all);
    v.set("tree", tree);
    return v;
}
/// Small numbers of cycles: messages of 10, 20 and 1 flits on a fake port, tasks of 100 + 50, and a job each
/// 100 unless `more` has another rate.
settings small(const settings& more = {}) {
    std::map<std::string, std::string> all{{"s_s", "80"},     {"s_r", "160"},   {"eps", "8"},
                                           {"t_i", "100e-9"}, {"t_a", "50e-9"}, {"beta", "1e7"}};
    for (const auto& [key, v] : more) all[key] = v;
    return {all.begin(), all.end()};
}

struct model_run {
    model_run(std::uint32_t nodes, const config::value& tree, const settings& others, std::uint64_t seed = 1)
        : model_run(nodes, section_of(tree, others), seed) {}
    explicit model_run(std::uint32_t nodes, const config::value& section, std::uint64_t seed = 1)
        : port(nodes), w(make_workload(section, nodes)) {
        port.the_seed = seed;
        w->start(port);
        port.run(*w, 100000000);
        std::istringstream csv(w->tables().at(0).second);
        std::string line, cell;
        std::getline(csv, line);
        while (std::getline(csv, line)) {
            std::istringstream cells(line);
            jobs.emplace_back();
            while (std::getline(cells, cell, ',')) jobs.back().push_back(std::stod(cell));
        }
    }
    double number(const std::string& key) const {
        const config::value* v = model().find(key);
        return v == nullptr ? NAN : std::stod(v->text());
    }
    double lost(const std::string& key) const { return std::stod(model().find("lost")->find(key)->text()); }
    const config::value& model() const {
        results = w->results();
        return *results.find("task_model");
    }
    /// Cycles from its arrival to its report.
    double completion(std::size_t job = 0) const { return jobs.at(job).at(7) - jobs.at(job).at(5); }

    fake_port port;
    std::unique_ptr<workload> w;
    std::vector<std::vector<double>> jobs;  ///< the rows of jobs.csv
    mutable config::value results;
};

/// [4,3]: 8 (11 * 60,040 + 40 * 12) bits and 17 * 20 us.
TEST(TaskModel, HasTheFootprintsOfTheFormulas) {
    struct {
        std::vector<std::uint32_t> z;
        double vertices, F_x, bits;
    } const all[] = {{{}, 1, 20e-6, 640},
                     {{2}, 3, 60e-6, 481600},
                     {{4, 3}, 17, 340e-6, 5287360},
                     {{3, 1, 2}, 13, 260e-6, 2404800},
                     {{2, 2, 2}, 15, 300e-6, 3367360}};
    for (const auto& a : all) {
        const model_run r(21, regular(a.z), {{"beta", "1e5"}, {"bandwidth", "40e9"}, {"jobs", "3"}});
        EXPECT_EQ(r.number("mean_vertices"), a.vertices);
        EXPECT_DOUBLE_EQ(r.number("F_x_s"), a.F_x);
        EXPECT_EQ(r.number("F_c_bits"), a.bits);
        EXPECT_DOUBLE_EQ(r.number("F_bits_per_s"), a.bits / a.F_x);
        EXPECT_DOUBLE_EQ(r.number("rho_x"), a.F_x * 1e5 / 20);
        EXPECT_DOUBLE_EQ(r.number("rho_c"), 1e5 * a.bits / (40e9 * 21));
        EXPECT_DOUBLE_EQ(r.number("zeta"), r.number("rho_x") / r.number("rho_c"));
    }
}

TEST(TaskModel, TakesTheBandwidthOfFlitsUnlessGiven) {
    const model_run r(5, regular({2}), small({{"jobs", "1"}}));  // 8 bytes a cycle of 1 ns
    EXPECT_DOUBLE_EQ(r.number("rho_c"), 1e7 * (248 + 4 * 8) * 8 / (64e9 * 5));
}

/// With a worker for each leaf every subtask but one of each task is delegated, and what is sent is F_c.
TEST(TaskModel, SendsTheFootprintOfAJobWithEnoughWorkers) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const model_run r(40, random_tree(39, 1), small({{"jobs", "1"}}), seed);
        EXPECT_EQ(r.number("sent_bits"), r.number("F_c_bits")) << seed;
    }
    EXPECT_EQ(model_run(13, regular({4, 3}), {{"jobs", "1"}, {"beta", "1e5"}}).number("sent_bits"), 5287360);
}

/// A message of f flits takes f + 9 cycles: 19 for a subtask, 29 for a result, 10 for all others; a node
/// sends them one after the other. A task is 100 + 50.
TEST(TaskModel, TakesTheTimeOfTheLongestPath) {
    const auto cycles = [](const std::vector<std::uint32_t>& z, std::uint32_t nodes) {
        return model_run(nodes, regular(z), small({{"jobs", "1"}})).completion();
    };
    EXPECT_EQ(cycles({}, 2), 10 + 150 + 10);
    EXPECT_EQ(cycles({1, 1}, 2), 10 + 3 * 150 + 10);
    EXPECT_EQ(cycles({1, 1}, 9), 10 + 3 * 150 + 10);  // nothing to delegate
    // Alone: it asks in vain for each task with subtasks.
    EXPECT_EQ(cycles({2}, 2), 10 + 20 + 3 * 150 + 10);
    EXPECT_EQ(cycles({4, 3}, 2), 10 + 5 * 20 + 17 * 150 + 10);
    // With as many as it asks for: the last subtask leaves 10 or 20 cycles after the first.
    EXPECT_EQ(cycles({2}, 9), 10 + (100 + 20 + 19 + 150 + 29 + 50) + 10);
    EXPECT_EQ(cycles({3}, 9), 10 + (100 + 20 + 10 + 19 + 150 + 29 + 50) + 10);
    const int inner = 100 + 20 + 10 + 19 + 150 + 29 + 50;
    EXPECT_EQ(cycles({4, 3}, 13), 10 + (100 + 20 + 20 + 19 + inner + 29 + 50) + 10);
    EXPECT_EQ(cycles({4, 3}, 100), 10 + (100 + 20 + 20 + 19 + inner + 29 + 50) + 10);
}

/// Two workers. The helper's first result is there 198 cycles after the request's answer; the root has run a
/// subtask of its own then (150) and is at the next one (to 300).
TEST(TaskModel, GivesAHelperItsNextSubtaskWithAnAnswer) {
    const auto run = [](std::uint32_t subtasks) {
        return model_run(3, regular({subtasks}), small({{"jobs", "1"}}));
    };
    EXPECT_EQ(run(3).completion(), 10 + 100 + 20 + 300 + 50 + 10);      // none left for it: released
    EXPECT_EQ(run(4).completion(), 10 + 100 + 20 + 2 * 198 + 50 + 10);  // the root waits for it
    EXPECT_DOUBLE_EQ(run(4).lost("waiting_s"), 96e-9);
    EXPECT_DOUBLE_EQ(run(4).lost("asking_s"), 20e-9);
    // The root for 10 + 10; the helper: 10 and 19 until it has a task, 29 + 19 between its two, 29 + 10
    // after.
    EXPECT_DOUBLE_EQ(run(4).lost("reserved_s"), (20 + 29 + 48 + 39) * 1e-9);
}

TEST(TaskModel, KeepsJobsWaitingForAFreeNode) {
    // All at once, one worker: jobs of 170 and nothing in between but the next one's way.
    const model_run r(2, regular({}), small({{"jobs", "5"}, {"beta", "1e15"}}));
    ASSERT_EQ(r.jobs.size(), 5U);
    for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(r.completion(k), 170.0 * static_cast<double>(k + 1));
    EXPECT_DOUBLE_EQ(r.number("queued_s"), 340e-9);
    EXPECT_DOUBLE_EQ(r.number("completion_s"), 510e-9);
    EXPECT_DOUBLE_EQ(r.number("max_completion_s"), 850e-9);
    EXPECT_DOUBLE_EQ(r.number("node_utilisation"), 150.0 / 170);
}

TEST(TaskModel, RunsEveryTaskOnceWithinTheSpeedUpBound) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const auto nodes = static_cast<std::uint32_t>(2 + seed * 7 % 31);
        const auto n = static_cast<std::uint32_t>(1 + seed * 11 % 37);
        const double s = static_cast<double>(seed % 5) - 1;
        const char* const beta = seed % 3 == 0 ? "1e5" : seed % 3 == 1 ? "1e6" : "1e9";
        const model_run r(nodes, random_tree(n, s), small({{"jobs", "40"}, {"beta", beta}}), seed);
        EXPECT_TRUE(r.w->finished()) << seed;  // all jobs complete, all workers idle
        EXPECT_EQ(r.w->stuck().text(), "");
        EXPECT_EQ(r.port.delivered, r.port.sent.size());
        EXPECT_EQ(r.number("tasks"), 40.0 * n) << seed;
        ASSERT_EQ(r.jobs.size(), 40U);
        for (const auto& job : r.jobs) EXPECT_LE(job.at(8), job.at(9)) << seed;
        EXPECT_LE(r.number("speedup"), r.number("speedup_bound"));
        // Computed is what the tasks take.
        const double elapsed = std::stod(r.results.find("makespan_cycles")->text());
        EXPECT_NEAR(r.number("node_utilisation") * (nodes - 1) * elapsed, 150 * 40.0 * n, 1e-3) << seed;
        EXPECT_LE(r.number("node_utilisation") + r.lost("share"), 1 + 1e-12) << seed;
    }
}

/// What is sent and computed has the means of the laws: F_c and F_x. A job alone, with workers for all of its
/// tasks, delegates as in the formula; times are rounded up, by half a cycle in the mean.
TEST(TaskModel, HasTheMeanBytesAndTimesOfItsLaws) {
    constexpr double jobs = 100, tasks = 17 * jobs, delegated = 11 * jobs;
    config::value section = section_of(
        regular({4, 3}), small({{"jobs", "100"}, {"beta", "5e5"}, {"s_s", "800"}, {"s_r", "1600"}}));
    section.set("s_s_law", law_of(wide_law));
    section.set("s_r_law", law_of({{"name", "exponential"}}));
    section.set("t_i_law", law_of({{"name", "weibull"}, {"shape", "0.8"}}));
    section.set("t_a_law", law_of({{"name", "exponential"}}));
    const model_run r(100, section);
    EXPECT_DOUBLE_EQ(r.number("F_x_s"), 17 * 150e-9);
    EXPECT_EQ(r.number("F_c_bits"), 8 * (11 * (800 + 1600 + 8) + 8 * 12));
    // Deviations: 800 / sqrt(3) and 1600 of bytes; 100 * 1.26 and 50 of time.
    const double bytes = std::sqrt((800.0 * 800 / 3 + 1600.0 * 1600) / delegated) * 11;
    EXPECT_NEAR(r.number("sent_bits") / 8, r.number("F_c_bits") / 8, 4 * bytes);
    const double elapsed = std::stod(r.results.find("makespan_cycles")->text());
    const double computed = r.number("node_utilisation") * 99 * elapsed / tasks;
    EXPECT_NEAR(computed, 151, 4 * std::sqrt((126.0 * 126 + 50 * 50) / tasks));
    double unlike = 0;
    for (const auto& job : r.jobs) {
        EXPECT_LE(job.at(8), job.at(9));  // the speed-up and its bound, by the longest path
        EXPECT_GT(job.at(9), 1);
        if (job.at(9) < 17.0 / 3) ++unlike;
    }
    EXPECT_GT(unlike, 0.9 * jobs);  // a path of all ways is longer than that of mean tasks
}

/// Jobs take the same on any network: their needs are drawn in the order of arrivals.
TEST(TaskModel, DrawsNeedsInTheOrderOfJobs) {
    const auto bounds = [](std::uint32_t nodes) {
        config::value section = section_of(regular({3}), small({{"jobs", "20"}}));
        section.set("t_i_law", law_of({{"name", "exponential"}}));
        const model_run r(nodes, section);
        std::vector<double> all;
        for (const auto& job : r.jobs) all.push_back(job.at(9));
        return all;
    };
    EXPECT_EQ(bounds(3), bounds(30));
}

TEST(TaskModel, RoundsTimesUpToACycle) {
    const auto cycles = [](const char* t_i) {
        return model_run(2, regular({1}), small({{"jobs", "1"}, {"t_i", t_i}})).completion();
    };
    EXPECT_EQ(cycles("100e-9"), 320);
    EXPECT_EQ(cycles("100.01e-9"), 322);
    EXPECT_EQ(cycles("0.1e-9"), 122);
}

TEST(TaskModel, AllowsTimesOfZero) {
    const model_run r(6, regular({4, 3}),
                      {{"t_i", "0"}, {"t_a", "0"}, {"eps", "0"}, {"beta", "1e6"}, {"jobs", "20"}});
    EXPECT_TRUE(r.w->finished());
    EXPECT_EQ(r.number("tasks"), 340);
    EXPECT_EQ(r.number("speedup"), 0);
    // A long chain on one worker is no deep recursion.
    const model_run chain(2, regular(std::vector<std::uint32_t>(200000, 1)),
                          {{"t_i", "0"}, {"t_a", "0"}, {"beta", "1e6"}, {"jobs", "1"}});
    EXPECT_EQ(chain.number("tasks"), 200001);
}

TEST(TaskModel, KeepsTheRateOfArrivals) {
    const model_run r(30, regular({}), small({{"jobs", "20000"}, {"beta", "1e7"}}));
    double longer = 0;  // gaps longer than the mean: 1/e of them
    for (std::size_t k = 1; k < r.jobs.size(); ++k)
        if (r.jobs[k].at(5) - r.jobs[k - 1].at(5) > 100) ++longer;
    EXPECT_NEAR(r.jobs.back().at(5) / 20000, 100, 3);
    EXPECT_NEAR(longer / 20000, std::exp(-1), 0.015);
}

TEST(TaskModel, IsTheSameForTheSameSeed) {
    const auto table = [](std::uint64_t seed) {
        const model_run r(9, random_tree(20, 1), small({{"jobs", "30"}, {"beta", "1e6"}}), seed);
        return r.w->tables().at(0).second + r.w->results().find("makespan_cycles")->text();
    };
    EXPECT_EQ(table(3), table(3));
    EXPECT_NE(table(3), table(4));
}

TEST(TaskModel, SendsJobsToRandomWorkers) {
    const model_run r(9, regular({}), small({{"jobs", "400"}, {"beta", "1e6"}}));
    std::map<std::uint32_t, int> jobs;
    for (const auto& m : r.port.sent)
        if (m.source == 0) ++jobs[m.destination];
    EXPECT_EQ(jobs.size(), 8U);
    for (const auto& [node, count] : jobs) EXPECT_NEAR(count, 50, 30) << node;
}

TEST(TaskModel, RefusesImpossibleParameters) {
    const auto error = [](const config::value& tree, const settings& all, std::uint32_t nodes = 4) {
        return error_of([&] { make_workload(section_of(tree, all), nodes); });
    };
    EXPECT_EQ(error(regular({2}), {}, 1),
              "test.yaml:1:2: 'task_model' needs a scheduler and a worker: a network of 2 nodes or more");
    EXPECT_EQ(error(regular({1000, 1000, 2}), {}),
              "test.yaml:3:4: a job of 'z' has 1001001 tasks or more; at most 1000000 are possible");
    EXPECT_NE(error(regular({0}), {}).find("test.yaml:1:2: 'z' is 0"), std::string::npos);
    EXPECT_NE(error(random_tree(0, 1), {}).find("'n' is 0; it must be from 1 to 1000000"), std::string::npos);
    EXPECT_NE(error(random_tree(3, 17), {}).find("'s' is 17"), std::string::npos);
    EXPECT_NE(error(regular({2}), {{"beta", "0"}}).find("'beta' is 0"), std::string::npos);
    EXPECT_NE(error(regular({2}), {{"jobs", "0"}}).find("'jobs' is 0"), std::string::npos);
    EXPECT_NE(error(regular({2}), {{"t_i", "-1"}}).find("'t_i' is -1"), std::string::npos);
    EXPECT_NE(error(config::value::scalar("fractal", {"test.yaml", 2, 3}), {}).find("test.yaml:2:3: "),
              std::string::npos);
}

TEST(TaskModel, SaysWhatItWaitsFor) {
    fake_port port(4);
    port.blocked = true;
    const auto w = make_workload(section_of(regular({2}), small({{"jobs", "1"}, {"beta", "1e15"}})), 4);
    w->start(port);
    port.run(*w, 1000);
    EXPECT_FALSE(w->finished());
    EXPECT_EQ(w->stuck().text(), "1 of 1 jobs are not complete, and 1 of their messages never arrived");
}

/// An experiment on a crossbar without its traffic.
config::value crossbar(const std::string& fidelity, std::uint32_t nodes, const std::string& parameters) {
    config::value all = config::value::map({});
    all.set("fidelity", config::value::scalar(fidelity));
    all.set("clock_period", config::value::scalar("1ns"));
    all.set("network", test::section("crossbar n=" + std::to_string(nodes) + parameters, "topology"));
    if (fidelity == "flit") all.set("routing", test::section("table", "function"));
    return all;
}

/// A result of the task model; of a ring, one of all its messages.
double result_of(config::value all, const config::value& traffic, const std::string& key) {
    all.set("traffic", traffic);
    const std::string text = test::in_child([&] {
        const experiment e = experiment::read(all, ".");
        const run_result r = simulation(e).run(e);
        if (r.status != run_status::completed) return "error: " + r.reason;
        const config::value* model = r.workload.find("task_model");
        return (model != nullptr ? *model : r.workload).find(key)->text();
    });
    EXPECT_EQ(text.find("error"), std::string::npos) << text;
    return std::strtod(text.c_str(), nullptr);
}

/// The time of a job in ns.
std::uint64_t time_of(const config::value& all, const config::value& traffic) {
    return static_cast<std::uint64_t>(std::llround(1e9 * result_of(all, traffic, "completion_s")));
}

/// Where messages overtake each other, too: adaptive routing on several VCs.
TEST(TaskModel, RunsEveryTaskOnceOnAnyNetwork) {
    for (const char* const network : {"mesh dims=4,4", "star n=5 concentration=3", "kary_ntree k=3 n=2"})
        for (const char* const fidelity : {"flit", "analytic"})
            for (const char* const seed : {"1", "2", "3"}) {
                config::value all = config::value::map({});
                all.set("fidelity", config::value::scalar(fidelity));
                all.set("network", test::section(network, "topology"));
                const bool mesh = std::string(network).find("mesh") == 0;
                all.set("routing", test::section(mesh ? "odd_even" : "up_down", "function"));
                all.set("seed", config::value::scalar(seed));
                const auto traffic =
                    section_of(random_tree(23, 1), small({{"jobs", "30"}, {"beta", "1e5"}, {"s_s", "3000"}}));
                EXPECT_EQ(result_of(all, traffic, "tasks"), 30 * 23) << network << fidelity;
                EXPECT_LE(result_of(all, traffic, "speedup"), result_of(all, traffic, "speedup_bound"));
            }
}

/// 240 ns between any two nodes and 40 Gb/s: 248 ns for 40 bytes, 4,240 for 20 kB, 8,240 for 40 kB.
TEST(TaskModel, TimesAJobOnASwitchWithoutContention) {
    const auto ns = [](const std::vector<std::uint32_t>& z, std::uint32_t nodes) {
        return time_of(crossbar("analytic", nodes, " node_latency=120e-9 bandwidth=40e9"),
                       section_of(regular(z), {{"jobs", "1"}}));
    };
    EXPECT_EQ(ns({2}, 2), 248 + 496 + 3 * 20000 + 248);
    EXPECT_EQ(ns({4, 3}, 2), 248 + 5 * 496 + 17 * 20000 + 248);
    EXPECT_EQ(ns({2}, 64), 248 + (10000 + 496 + 4240 + 20000 + 8240 + 10000) + 248);
    const std::uint64_t inner = 10000 + 496 + 4240 + 20000 + 8240 + 10000;
    for (const std::uint32_t nodes : {13U, 18U, 64U})
        EXPECT_EQ(ns({4, 3}, nodes), 248 + (10000 + 496 + 4240 + inner + 8240 + 10000) + 248);
}

/// Flit by flit the times of messages are measured by a ring of two. The second subtask leaves behind the
/// first, and the second result comes in behind the first.
TEST(TaskModel, TimesAJobOnARouter) {
    const auto one = [](const char* bytes) {
        const settings ring{{"workload", "ring"}, {"bytes", bytes}};
        return static_cast<std::uint64_t>(std::llround(
            1e9 * result_of(crossbar("flit", 2, ""), testing_support::section(ring), "makespan_seconds") /
            2));
    };
    const auto ns = [](const std::vector<std::uint32_t>& z, std::uint32_t nodes) {
        return time_of(crossbar("flit", nodes, ""),
                       section_of(regular(z), {{"s_s", "160"}, {"s_r", "320"}, {"jobs", "1"}}));
    };
    const std::uint64_t eps = one("40"), subtask = one("160"), result = one("320");
    EXPECT_EQ(ns({2}, 2), eps + 2 * eps + 3 * 20000 + eps);
    EXPECT_EQ(ns({4, 3}, 2), eps + 5 * 2 * eps + 17 * 20000 + eps);
    EXPECT_EQ(ns({2}, 16), eps + (10000 + 2 * eps + subtask + 20000 + result + 10000) + eps);
    EXPECT_EQ(ns({3}, 16), eps + (10000 + 2 * eps + subtask + 20000 + result + 20 + 10000) + eps);
}

/// The same switch flit by flit: 20 bytes in 4 ns are 40 Gb/s, and 240 ns are 60 cycles. Subtasks leave a
/// node and results come to it one behind the other, 4 us and 8 us each.
TEST(TaskModel, WaitsForTheLinksOfNodesOnARouter) {
    config::value all = crossbar("flit", 18, " node_link_latency=28");
    all.set("clock_period", config::value::scalar("4ns"));
    all.set("router", testing_support::section({{"depth", "256"}}));
    all.set("nic", testing_support::section({{"flit_bytes", "20"}, {"max_packet_flits", "100"}}));
    // The second result is ready 4 us after the first, and there 8 us after it; of three the last 16 us.
    const std::uint64_t inner = 10000 + 496 + (4240 + 20000 + 8240 + 8000) + 10000;
    EXPECT_EQ(time_of(all, section_of(regular({4, 3}), {{"jobs", "1"}})),
              248 + 10000 + 496 + (4240 + inner + 8240 + 16000) + 10000 + 248);
}

}  // namespace
}  // namespace sare::task_model_test
