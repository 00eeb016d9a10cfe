// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/fake_port.h"
#include "tests/traffic/trace/trace_files.h"

#include <gtest/gtest.h>

namespace sare::testing_support::trace_test {
namespace {

const config::value& result(const workload& w, const char* key, config::value& keep) {
    keep = w.results();
    return *keep.find(key);
}

std::string field(const workload& w, const char* key) {
    config::value keep;
    return result(w, key, keep).text();
}

/// A cell of tasks.csv.
std::string cell(const workload& w, std::size_t task, std::size_t column) {
    std::istringstream csv(w.tables().at(0).second);
    std::string line, word;
    for (std::size_t i = 0; i <= task + 1; ++i) std::getline(csv, line);
    std::istringstream words(line);
    for (std::size_t i = 0; i <= column; ++i) std::getline(words, word, ',');
    return word;
}
constexpr std::size_t computed = 5, overhead = 6, blocked = 8, finish = 9;

/// The workload after its run; nodes inject a flit of 8 bytes a cycle, a message arrives 10 cycles after its
/// last.
struct replayed {
    replayed(const std::string& trace, std::vector<std::pair<std::string, std::string>> more = {},
             std::uint32_t nodes = 4, cycle_t latency = 10)
        : port(nodes, latency) {
        more.insert(more.begin(), {{"workload", "trace"}, {"file", files.write("t.trace", trace)}});
        w = make_workload(section(more), nodes);
        w->start(port);
        port.run(*w, 10000000);
    }
    trace_files files;
    fake_port port;
    std::unique_ptr<workload> w;
};

const char* ping_pong = R"(sare-trace 1   # version
tasks 2
0 compute 1e-6
0 send 1 80
0 recv 1 80   # back
1 recv 0 80
1 send 0 80
)";

TEST(replay, TimesAPingPong) {
    replayed r(ping_pong);
    EXPECT_TRUE(r.w->finished());
    EXPECT_EQ(field(*r.w, "makespan_cycles"), "1038");
    EXPECT_EQ(field(*r.w, "makespan_seconds"), "1.038e-06");
    EXPECT_EQ(field(*r.w, "messages"), "2");
    EXPECT_EQ(field(*r.w, "bytes"), "160");
    EXPECT_EQ(cell(*r.w, 0, computed), "1000");
    EXPECT_EQ(cell(*r.w, 0, blocked), "38");
    EXPECT_EQ(cell(*r.w, 1, blocked), "1019");
    EXPECT_EQ(cell(*r.w, 1, finish), "1019");
    EXPECT_EQ(cell(*r.w, 0, finish), "1038");
}

TEST(replay, ScalesByCpuFactorAndFlops) {
    EXPECT_EQ(field(*replayed(ping_pong, {{"cpu_factor", "0"}}).w, "makespan_cycles"), "38");
    EXPECT_EQ(field(*replayed(ping_pong, {{"cpu_factor", "2.5"}}).w, "makespan_cycles"), "2538");
    const char* flops = "sare-trace 1\ntasks 1\n0 flops 1500\n0 flops 1500\n0 flops 1e3\n";
    // 1.5 cycles each: what is left over counts.
    EXPECT_EQ(field(*replayed(flops, {{"flops_per_second", "1e12"}}).w, "makespan_cycles"), "4");
}

TEST(replay, AddsOverheads) {
    // o_s 5 before each send, o_r 7 after each receive.
    replayed r(ping_pong, {{"overhead_send", "5e-9"}, {"overhead_receive", "7e-9"}});
    EXPECT_EQ(cell(*r.w, 1, finish), "1036");           // 1000 + 5 + 19 + 7 + 5
    EXPECT_EQ(field(*r.w, "makespan_cycles"), "1062");  // + 19 + 7
    EXPECT_EQ(cell(*r.w, 0, overhead), "12");
}

TEST(replay, WaitsForItsReceiveByRendezvous) {
    // The receive is posted in cycle 500: the question arrives at 10, the grant leaves at 500, arrives at
    // 510; the data at 529. Eager, all would be there at 19.
    const char* late = "sare-trace 1\ntasks 2\n0 send 1 80\n1 compute 500e-9\n1 recv 0 80\n";
    replayed eager(late, {{"eager_limit", "80"}});
    EXPECT_EQ(field(*eager.w, "makespan_cycles"), "500");
    EXPECT_EQ(cell(*eager.w, 0, finish), "0");
    replayed large(late, {{"eager_limit", "79"}});
    EXPECT_EQ(cell(*large.w, 0, finish), "510");
    EXPECT_EQ(field(*large.w, "makespan_cycles"), "529");
    EXPECT_EQ(field(*large.w, "rendezvous_messages"), "2");
}

TEST(replay, MatchesRequestsInOrder) {
    // Both messages have the same tag: the first receive gets the first; the wait for the second overlaps.
    const char* trace = R"(sare-trace 1
tasks 2
0 irecv 1 80 5 1
0 irecv 1 800 5 2
0 irecv 1 8 6 3
0 wait 1
0 compute 1e-9
0 waitall
1 isend 0 80 5 7
1 isend 0 800 5 8
1 send 0 8 6
1 waitall
)";
    replayed r(trace);
    EXPECT_TRUE(r.w->finished());
    EXPECT_EQ(cell(*r.w, 0, finish), "120");   // 111 flits leave by cycle 110
    EXPECT_EQ(cell(*r.w, 0, blocked), "119");  // 19, then from 20
    EXPECT_EQ(cell(*r.w, 1, finish), "0");
}

TEST(replay, LetsAReceivePassOverOtherTags) {
    // Tag 5 is there when tag 6 is asked for, which leaves in cycle 500.
    replayed r(
        "sare-trace 1\ntasks 2\n0 compute 100e-9\n0 recv 1 8 6\n0 recv 1 8 5\n"
        "1 send 0 8 5\n1 compute 500e-9\n1 send 0 8 6\n");
    EXPECT_TRUE(r.w->finished());
    EXPECT_EQ(cell(*r.w, 0, blocked), "410");
}

TEST(replay, SendsAndReceivesAtOnceAndToItself) {
    const char* trace =
        "sare-trace 1\ntasks 2\n0 sendrecv 1 80 1 8\n1 sendrecv 0 8 0 80\n0 isend 0 800 1 1\n"
        "0 recv 0 800 1\n";
    replayed r(trace, {{"local_latency", "50e-9"}, {"local_bandwidth", "8e9"}});
    EXPECT_EQ(cell(*r.w, 1, finish), "19");
    EXPECT_EQ(cell(*r.w, 0, finish), "160");  // 10, then 50 + 100
    EXPECT_EQ(field(*r.w, "local_messages"), "1");
}

TEST(replay, RunsCollectivesByTheirAlgorithm) {
    const char* trace = "sare-trace 1\ntasks 4\n0 bcast 0 80\n1 bcast 0 80\n2 bcast 0 80\n3 bcast 0 80\n";
    replayed binomial(trace);
    // 0 to 2 and 0 to 1 in turn; 2 to 3 from 19 on: 38.
    EXPECT_EQ(field(*binomial.w, "makespan_cycles"), "38");
    config::value keep;
    EXPECT_EQ(config::flow_style(result(*binomial.w, "collectives", keep)),
              "{bcast: {count: 1, algorithm: binomial}}");
    trace_files files;
    auto v = section({{"workload", "trace"}, {"file", files.write("t.trace", trace)}});
    v.set("collectives", section({{"bcast", "linear"}}));
    fake_port port(4);
    auto w = make_workload(v, 4);
    w->start(port);
    port.run(*w, 1000);
    EXPECT_EQ(field(*w, "makespan_cycles"), "39");  // 30 flits from one node
}

TEST(replay, IgnoresReceivesAtWill) {
    std::string trace = "sare-trace 1\ntasks 2\n";
    for (int i = 0; i < 100; ++i) trace += "0 recv 1 8\n0 send 1 8\n1 recv 0 8\n1 send 0 8\n";
    replayed r(trace, {{"mode", "at_will"}});
    EXPECT_TRUE(r.w->finished());
    EXPECT_EQ(field(*r.w, "makespan_cycles"), "109");
    EXPECT_LE(r.port.longest_queue, 16u);
    EXPECT_EQ(r.port.sent.size(), 200u);
}

TEST(replay, KeepsABlockingSendWaitingForRoom) {
    std::string trace = "sare-trace 1\ntasks 2\n";
    for (int i = 0; i < 50; ++i) trace += "0 send 1 80\n1 recv 0 80\n";
    replayed r(trace, {{"send_queue", "3"}});
    EXPECT_EQ(r.port.longest_queue, 3u);
    EXPECT_EQ(field(*r.w, "makespan_cycles"), "509");
    EXPECT_EQ(cell(*r.w, 0, finish), "470");  // 47 have left
    EXPECT_EQ(cell(*r.w, 0, blocked), "470");
}

TEST(replay, PlacesItsTasks) {
    const char* trace = "sare-trace 1\ntasks 4\n0 send 1 80\n1 recv 0 80\n2 send 3 80\n3 recv 2 80\n";
    replayed pairs(trace, {{"tasks_per_node", "2"}}, 2);
    EXPECT_EQ(field(*pairs.w, "local_messages"), "2");
    replayed random(trace, {{"placement", "random"}}, 64);
    EXPECT_EQ(field(*random.w, "makespan_cycles"), "19");
    EXPECT_NE(cell(*random.w, 0, 1) + cell(*random.w, 1, 1) + cell(*random.w, 2, 1), "012");
}

TEST(replay, SaysWhereItIsStuck) {
    replayed r("sare-trace 1\ntasks 3\n0 send 1 8 4\n1 recv 0 8 4\n1 recv 0 16 5\n2 recv 1 8\n");
    EXPECT_FALSE(r.w->finished());
    EXPECT_EQ(r.w->stuck().text(),
              r.files.path("t.trace") +
                  ":5:1: task 1, event 2 (recv from 0, tag 5, 16 bytes) waits for a message from task 0, "
                  "tag 5, that never comes; 1 other task waits too");
    replayed s("sare-trace 1\ntasks 2\n0 send 1 80 4\n", {{"eager_limit", "8"}});
    EXPECT_EQ(s.w->stuck().text(),
              s.files.path("t.trace") +
                  ":3:1: task 0, event 1 (send to 1, tag 4, 80 bytes) waits for task 1 to receive its "
                  "message of tag 4, which never happens");
}

TEST(replay, ReportsMistakesInOneLine) {
    trace_files files;
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "trace"}}), 4);
              }),
              "test.yaml:1:2: workload 'trace' needs 'file: ' with the trace");
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "trace"}, {"file", "/none"}}), 4);
              }),
              "test.yaml:1:2: cannot read '/none': No such file or directory");
    const std::string path = files.write("t.trace", "sare-trace 1\ntasks 5\n");
    EXPECT_EQ(error_of([&] {
                  make_workload(section({{"workload", "trace"}, {"file", path}, {"format", "simgird"}}), 4);
              }),
              "test.yaml:1:2: unknown trace format 'simgird'; did you mean 'simgrid'?");
    fake_port port(4);
    auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 4);
    EXPECT_EQ(
        error_of([&] { w->start(port); }),
        "test.yaml:1:2: the trace '" + path +
            "' has 5 tasks, the network 4 nodes of 1 tasks; take a larger network or raise 'tasks_per_node'");
}

/// Found by fuzzing: a time that no number of cycles is.
TEST(replay, TakesTimesBeyondAllCyclesAsTheLongest) {
    trace_files files;
    const std::string path = files.write("t", "sare-trace 1\ntasks 1\n0 compute 1e60\n0 sleep 1e300\n");
    fake_port port(2);
    auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 2);
    w->start(port);
    port.run(*w, 100);
    EXPECT_GT(w->next_tick(), cycle_t{1} << 61);
    EXPECT_LE(w->next_tick(), (cycle_t{1} << 62) + 100);
}

}  // namespace
}  // namespace sare::testing_support::trace_test
