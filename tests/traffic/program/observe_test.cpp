// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/observed.h"
#include "tests/traffic/scripted.h"
#include "tlm/base/rng.h"

#include <gtest/gtest.h>

#include <map>

/// What is recorded of programs: the timeline, the critical path, the matrix, the time in phases.
namespace sare::testing_support::observe_test {
namespace {

using traffic::any_source;
using traffic::any_tag;
using traffic::executor_parameters;

constexpr double ns = 1e-9;  // a cycle
using script_of_tasks = std::vector<std::vector<operation>>;

struct observed_run {
    explicit observed_run(const script_of_tasks& script, const executor_parameters& p = {},
                          const section_parts& what = everything(), cycle_t stop = 10000000)
        : port(static_cast<std::uint32_t>(script.size())),
          w(std::make_unique<scripted>(script), p, config::location{"test.yaml", 1, 2}) {
        w.observe(observed(10, what));
        w.start(port);
        port.run(w, stop);
        EXPECT_TRUE(w.finished() || port.now() == stop) << w.stuck().text();
    }
    std::uint64_t makespan() const { return std::stoull(w.results().find("makespan_cycles")->text()); }
    csv_rows rows(const std::string& name) const { return rows_of(file_of(w, name)); }

    fake_port port;
    traffic::executor w;
};

const char* const parts[] = {"compute", "send_overhead", "receive_overhead", "injection",
                             "transit", "contention",    "handshake",        "local"};

/// The spans follow each other from the first cycle to the last, and their parts add up.
void check_path(const observed_run& r) {
    std::uint64_t sum = 0, at = 0;
    for (const char* part : parts) sum += path_figure(r.w, std::string(part) + "_cycles");
    EXPECT_EQ(sum, r.makespan());
    EXPECT_EQ(path_figure(r.w, "cycles"), r.makespan());
    for (const auto& row : r.rows("critical_path.csv")) {
        ASSERT_EQ(std::stoull(row[0]), at);
        ASSERT_GT(std::stoull(row[1]), at);
        at = std::stoull(row[1]);
    }
    EXPECT_EQ(at, r.makespan());
}

/// Of each task, the spans follow each other from the first cycle to the last.
void check_timeline(const observed_run& r, std::size_t tasks) {
    std::vector<std::uint64_t> at(tasks);
    std::vector<std::string> state(tasks);
    for (const auto& row : r.rows("timeline.csv")) {
        const std::size_t task = std::stoul(row[0]);
        ASSERT_EQ(std::stoull(row[1]), at[task]);
        ASSERT_GT(std::stoull(row[2]), at[task]);
        ASSERT_NE(row[3], state[task]);
        at[task] = std::stoull(row[2]);
        state[task] = row[3];
    }
    if (r.makespan() == 0) return;
    for (const std::uint64_t end : at) EXPECT_EQ(end, r.makespan());
}

TEST(Observe, ShowsALateReceiverOnThePath) {
    executor_parameters p;
    p.eager_limit = 79;
    const observed_run r({{message(op::send, 1, 80)}, {compute(500 * ns), message(op::recv, 0, 80)}}, p);
    EXPECT_EQ(r.rows("critical_path.csv"), (csv_rows{{"0", "500", "compute", "1", "1"},
                                                     {"500", "510", "handshake", "1", "0"},
                                                     {"510", "529", "transit", "0", "1"}}));
    EXPECT_EQ(r.rows("timeline.csv"), (csv_rows{{"1", "0", "500", "compute"},
                                                {"0", "0", "510", "blocked"},
                                                {"0", "510", "529", "idle"},
                                                {"1", "500", "529", "blocked"}}));
    EXPECT_EQ(r.rows("task_matrix.csv"), (csv_rows{{"0", "1", "1", "80"}}));
}

/// 10 flits behind 10 flits: the second message waits in the source.
TEST(Observe, ShowsWhatAMessageWaitsForInItsSource) {
    const observed_run r({{message(op::isend, 1, 80), message(op::isend, 1, 80)},
                          {message(op::recv, 0, 80), message(op::recv, 0, 80)}});
    EXPECT_EQ(r.rows("critical_path.csv"),
              (csv_rows{{"0", "10", "injection", "0", "1"}, {"10", "29", "transit", "0", "1"}}));
}

TEST(Observe, ShowsABusyCore) {
    executor_parameters p;
    p.overhead_send = 7 * ns;
    p.overhead_receive = 5 * ns;
    const observed_run r({{graph(compute(30 * ns), 1), graph(compute(20 * ns), 2), message(op::send, 1, 80)},
                          {message(op::recv, 0, 80)}},
                         p);
    EXPECT_EQ(path_figure(r.w, "compute_cycles"), 50U);
    EXPECT_EQ(path_figure(r.w, "send_overhead_cycles"), 7U);
    EXPECT_EQ(path_figure(r.w, "transit_cycles"), 19U);
    EXPECT_EQ(path_figure(r.w, "receive_overhead_cycles"), 5U);
    check_path(r);
}

TEST(Observe, ShowsTimesOfPhases) {
    const observed_run r({{mark(1), compute(30 * ns), mark(2), message(op::send, 1, 80)},
                          {mark(1), compute(10 * ns), mark(2), message(op::recv, 0, 80)}});
    EXPECT_EQ(r.makespan(), 49U);
    std::map<std::string, std::vector<std::string>> times;
    for (const auto& row : r.rows("phases.csv")) times[row[0] + " " + row[1]] = {row.begin() + 2, row.end()};
    EXPECT_EQ(times["phase 1 compute"], (std::vector<std::string>{"2", "10", "20", "30"}));
    EXPECT_EQ(times["phase 2 blocked"], (std::vector<std::string>{"2", "0", "19.5", "39"}));
    EXPECT_EQ(times["phase 2 compute"], (std::vector<std::string>{"2", "0", "0", "0"}));
    const config::value results = r.w.results();
    const config::value* phases = results.find("critical_path")->find("phases");
    EXPECT_EQ(phases->find("phase 1")->find("compute_cycles")->text(), "30");
    EXPECT_EQ(phases->find("phase 2")->find("transit_cycles")->text(), "19");
    EXPECT_EQ(r.rows("marks.csv")[2], (std::vector<std::string>{"1", "10", "phase 2"}));
}

/// In the middle of a computation, long after the last message.
TEST(Observe, ShowsARunThatIsStopped) {
    executor_parameters p;
    p.overhead_receive = 5 * ns;
    const observed_run r({{message(op::send, 1, 80)}, {message(op::recv, 0, 80), compute(1000 * ns)}}, p,
                         everything(), 100);
    EXPECT_EQ(r.rows("timeline.csv"), (csv_rows{{"1", "0", "19", "blocked"},
                                                {"1", "19", "24", "receive"},
                                                {"0", "0", "100", "idle"},
                                                {"1", "24", "100", "compute"}}));
    std::map<std::string, std::string> most;
    for (const auto& row : r.rows("phases.csv")) most[row[1]] = row[5];
    EXPECT_EQ(most["compute"], "76");
    EXPECT_EQ(most["receive"], "5");
}

TEST(Observe, ShowsSomeTasksForSomeTime) {
    section_parts what = everything();
    auto& tasks = what.of<traffic::task_observation>().tasks;
    tasks.all = false;
    tasks.ranges = {{1, 1}};
    auto& when = what.of<observation_params>();
    when.from = 5;
    when.to = 25;
    const observed_run r({{compute(30 * ns), message(op::send, 1, 80)}, {message(op::recv, 0, 80)}}, {},
                         what);
    EXPECT_EQ(r.rows("timeline.csv"), (csv_rows{{"1", "5", "25", "blocked"}}));
}

/// Messages in one order for all tasks, so that none waits for ever: in sequence and beside it, with
/// wildcards or without, between computations, marks and collectives.
script_of_tasks random_program(std::uint64_t seed) {
    rng draw(seed, stream::test, 1);
    const std::uint32_t tasks = 2 + draw.below(5);
    const bool wild = seed % 2 == 0;
    script_of_tasks all(tasks);
    std::vector<std::uint64_t> names(tasks, 0);
    for (int k = 0; k < 60; ++k) {
        const std::uint32_t from = draw.below(tasks), to = (from + 1 + draw.below(tasks - 1)) % tasks;
        const std::uint64_t bytes = draw.below(4) * 60;
        switch (draw.below(8)) {
            case 0:
                all[from].push_back(compute(draw.below(40) * ns));
                break;
            case 1:
                all[from].push_back(mark(draw.below(3)));
                break;
            case 2: {
                std::vector<traffic::requirement> needs;
                if (names[from] != 0)
                    needs.push_back(
                        {1 + draw.below(static_cast<std::uint32_t>(names[from])), draw.below(2) == 0});
                all[from].push_back(graph(compute(draw.below(50) * ns), ++names[from], needs));
                break;
            }
            case 3:
                if (draw.below(3) != 0) break;
                for (auto& task : all) task.push_back(collective(op::allreduce, 64));
                break;
            case 4:
                all[from].push_back(plain(op::waitall));
                break;
            default:
                all[from].push_back(message(op::isend, to, bytes, wild ? 0 : k));
                all[to].push_back(message(draw.below(2) == 0 ? op::recv : op::irecv, wild ? any_source : from,
                                          bytes, wild ? any_tag : k));
        }
    }
    return all;
}

TEST(Observe, ShowsWholePathsAndTimelinesOfRandomPrograms) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        const script_of_tasks script = random_program(seed);
        executor_parameters p;
        rng draw(seed, stream::test, 2);
        p.overhead_send = draw.below(2) * 3 * ns;
        p.overhead_receive = draw.below(2) * 2 * ns;
        // With wildcards a rendezvous may wait for a receive that waits for its sender.
        p.eager_limit = seed % 2 * draw.below(2) * 100;
        p.cores = draw.below(3);
        p.send_queue = 1 + draw.below(3);
        const observed_run r(script, p);
        check_path(r);
        check_timeline(r, script.size());
        std::uint64_t messages = 0, bytes = 0;
        for (const auto& row : r.rows("task_matrix.csv")) {
            messages += std::stoull(row[2]);
            bytes += std::stoull(row[3]);
        }
        EXPECT_EQ(std::to_string(messages), r.w.results().find("messages")->text());
        EXPECT_EQ(std::to_string(bytes), r.w.results().find("bytes")->text());
        // What is not looked at runs the same way.
        const scripted_run plain_run(script, p);
        EXPECT_EQ(file_of(r.w, "tasks.csv"), file_of(*plain_run.w, "tasks.csv"));
    }
}

}  // namespace
}  // namespace sare::testing_support::observe_test
