// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

/// Paraver traces as Extrae's merger writes them: no file of its own was there.
namespace sare::testing_support::paraver_test {
namespace {

const std::string header =
    "#Paraver (23/11/2026 at 08:00):20000_ns:2(1,1):1:2(1:1,1:2),2\n"
    "c:1:1:2:1:2\nc:1:2:2:2:1\n";

/// `2:cpu:1:task:1:time:` and pairs.
std::string at(int task, int time, const std::string& pairs) {
    const std::string t = std::to_string(task);
    return "2:" + t + ":1:" + t + ":1:" + std::to_string(time) + ":" + pairs + "\n";
}
std::string ptp(int task, int begin, int end, int value) {
    return at(task, begin, "50000001:" + std::to_string(value)) + at(task, end, "50000001:0");
}
std::string message(int from, int called, int to, int posted, int received, int bytes, int tag) {
    const std::string f = std::to_string(from), t = std::to_string(to), c = std::to_string(called);
    return "3:" + f + ":1:" + f + ":1:" + c + ":" + c + ":" + t + ":1:" + t + ":1:" + std::to_string(posted) +
           ":" + std::to_string(received) + ":" + std::to_string(bytes) + ":" + std::to_string(tag) + "\n";
}
/// Sizes, the communicator and, at the root, that it is.
std::string call(int task, int begin, int end, int value, int sent, int received, int communicator = 1,
                 bool root = false) {
    return at(task, begin,
              "50000002:" + std::to_string(value) + ":50100001:" + std::to_string(sent) +
                  ":50100002:" + std::to_string(received) + ":50100004:" + std::to_string(communicator) +
                  (root ? ":50100003:1" : "")) +
           at(task, end, "50000002:0");
}

/// 1 sends while 2 has posted its receive already; both compute between their calls.
const std::string pair = header + ptp(2, 1000, 1010, 4) + message(1, 2000, 2, 1000, 5100, 80, 5) +
                         ptp(1, 2000, 2010, 1) + ptp(2, 5000, 5110, 5) + call(1, 6010, 7000, 10, 64, 64) +
                         call(2, 6110, 7000, 10, 64, 64);

std::string error_in(const std::string& records) {
    return error_reading(header + records);
}

TEST(paraver, AssignsMessagesToTheCallsAroundThem) {
    const trace_files files;
    const std::string path = files.write("t.prv", pair);
    const auto reader = open_trace(path);
    ASSERT_EQ(reader->tasks(), 2u);
    const auto first = events_of(*reader, 0), second = events_of(*reader, 1);
    ASSERT_EQ(kinds_of(first), (std::vector<op>{op::send, op::compute, op::allreduce}));
    EXPECT_EQ(first[0].peer, 1u);
    EXPECT_EQ(first[0].bytes, 80u);
    EXPECT_EQ(first[0].tag, 5);
    EXPECT_DOUBLE_EQ(first[1].seconds, 4e-6);
    EXPECT_EQ(first[2].bytes, 64u);
    EXPECT_EQ(reader->group(first[2].communicator).task(1), 1u);
    ASSERT_EQ(kinds_of(second),
              (std::vector<op>{op::irecv, op::compute, op::wait, op::compute, op::allreduce}));
    EXPECT_EQ(second[0].peer, 0u);
    EXPECT_DOUBLE_EQ(second[1].seconds, 3.99e-6);
    EXPECT_EQ(second[2].request, second[0].request);
    EXPECT_EQ(reader->warnings(), std::vector<std::string>{});
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    EXPECT_GE(replay_cycles(path, 2), 4990u);
}

TEST(paraver, TakesTheRunningStateAsComputation) {
    const trace_files files;
    const auto state = [](int begin, int end, int value) {
        return "1:1:1:1:1:" + std::to_string(begin) + ":" + std::to_string(end) + ":" +
               std::to_string(value) + "\n";
    };
    const std::string records = header + state(0, 300, 1) + state(300, 400, 12) + state(400, 500, 1) +
                                ptp(1, 500, 600, 5) + state(500, 600, 8) + state(600, 650, 7);
    const auto seconds = [&] {
        std::vector<double> all;
        for (const event& e : events_of(*open_trace(files.path("t.prv")), 0)) all.push_back(e.seconds * 1e9);
        return all;
    };
    files.write("t.prv", records);
    const auto by_extrae = seconds();
    ASSERT_EQ(by_extrae.size(), 2u);
    EXPECT_NEAR(by_extrae[0], 300, 1e-6);
    EXPECT_NEAR(by_extrae[1], 100, 1e-6);
    files.write("t.pcf", "STATES\n0    Idle\n7    Running\n\nSTATES_COLOR\n0    {1,2,3}\n");
    const auto by_pcf = seconds();
    ASSERT_EQ(by_pcf.size(), 1u);
    EXPECT_NEAR(by_pcf[0], 50, 1e-6);
}

/// Numbers of another tool, named as MPI's calls are.
TEST(paraver, TakesNamesOfTypesAndValuesFromThePcf) {
    const trace_files files;
    files.write(
        "t.pcf",
        "DEFAULT_OPTIONS\n\nLEVEL   THREAD\n\nEVENT_TYPE\n9    77    MPI Point-to-point\nVALUES\n901   "
        "MPI_Send\n902   MPI_Recv\n0   Outside MPI\n\nEVENT_TYPE\n0   88   User function\nVALUES\n903   "
        "MPI_Send\n");
    const std::string path = files.write(
        "t.prv", header + message(1, 10, 2, 10, 30, 8, 0) + at(1, 10, "77:901") + at(2, 10, "77:902") +
                     at(1, 20, "77:0") + at(2, 30, "77:0") + at(1, 40, "88:903"));
    const auto reader = open_trace(path);
    EXPECT_EQ(kinds_of(events_of(*reader, 0)), std::vector<op>{op::send});
    EXPECT_EQ(kinds_of(events_of(*reader, 1)), std::vector<op>{op::recv});
    files.write("t.pcf", "STATES\n0 Idle\nx\nSTATES\n99999999999999999999 y\n");
    EXPECT_EQ(read_error(files, path),
              "t.pcf:5:1: expected a number and a name, not '99999999999999999999 y'");
}

TEST(paraver, ReadsExchangesAndPersistentRequests) {
    const trace_files files;
    const std::string path = files.write(
        "t.prv", header + message(1, 5, 2, 100, 150, 8, 9) + message(1, 100, 2, 100, 190, 16, 1) +
                     message(2, 100, 1, 100, 200, 24, 2) + ptp(1, 100, 200, 41) + ptp(2, 100, 200, 41) +
                     message(1, 300, 2, 400, 520, 32, 3) + message(1, 301, 2, 400, 530, 40, 4) +
                     at(1, 300, "50000003:124") + at(1, 310, "50000003:0") + at(2, 400, "50000003:124") +
                     at(2, 410, "50000003:0") + ptp(2, 500, 525, 59) + ptp(2, 526, 540, 6));
    const auto reader = open_trace(path);
    const auto first = events_of(*reader, 0), second = events_of(*reader, 1);
    EXPECT_EQ(kinds_of(first),
              (std::vector<op>{op::isend, op::recv, op::wait, op::compute, op::isend, op::isend}));
    ASSERT_EQ(kinds_of(second), (std::vector<op>{op::isend, op::recv, op::wait, op::compute, op::irecv,
                                                 op::irecv, op::compute, op::wait, op::compute, op::wait}));
    EXPECT_EQ(second[7].request, second[4].request);
    EXPECT_EQ(second[9].request, second[5].request);
    EXPECT_EQ(reader->warnings(),
              std::vector<std::string>{"messages outside of the calls of MPI are left out"});
}

TEST(paraver, ReadsCollectivesWithCommunicatorsAndRoots) {
    const trace_files files;
    // 7 bcast, 9 reduce, 13 gather, 14 gatherv, 156 ibarrier, 5 wait.
    const std::string path =
        files.write("t.prv", header + call(1, 10, 20, 7, 0, 16, 2) + call(2, 10, 20, 7, 16, 0, 2, true) +
                                 call(1, 30, 40, 9, 0, 8, 1, true) + call(2, 30, 40, 9, 8, 0) +
                                 call(1, 50, 60, 13, 8, 16, 1, true) + call(2, 50, 60, 13, 8, 0) +
                                 call(1, 70, 80, 14, 8, 32, 1, true) + call(2, 70, 80, 14, 24, 0) +
                                 call(1, 90, 91, 156, 0, 0) + call(2, 90, 91, 156, 0, 0) +
                                 ptp(1, 100, 110, 5) + ptp(2, 100, 110, 5));
    const auto reader = open_trace(path);
    auto all = events_of(*reader, 1);
    all.erase(std::remove_if(all.begin(), all.end(), [](const event& e) { return e.what == op::compute; }),
              all.end());
    ASSERT_EQ(kinds_of(all),
              (std::vector<op>{op::bcast, op::reduce, op::gather, op::send, op::barrier, op::wait}));
    EXPECT_EQ(all[0].root, 0u);  // task 1, as it is called in communicator 2
    EXPECT_EQ(all[0].bytes, 16u);
    EXPECT_EQ(all[1].bytes, 8u);
    EXPECT_EQ(all[3].bytes, 24u);
    EXPECT_EQ(all[5].request, all[4].request);
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    EXPECT_GT(replay_cycles(path, 2), 0u);
    EXPECT_EQ(error_in(call(1, 10, 20, 7, 0, 16) + call(2, 10, 20, 7, 16, 0)),
              ":4:1: no task says that it is the root of this bcast");
    EXPECT_EQ(error_in(at(1, 10, "50000002:8") + at(1, 20, "50000002:0")),
              ":4:1: a collective does not say its communicator");
    EXPECT_EQ(error_in(call(1, 10, 20, 8, 0, 0, 3)), ":4:1: communicator 3 is not defined");
}

TEST(paraver, NamesTheLineOfAnError) {
    const std::string form =
        ":1:1: the header must be '#Paraver (DATE):TIME:NODES:1:TASKS(THREADS:NODE,...)'";
    EXPECT_EQ(error_reading("#Paraver "), form);
    EXPECT_EQ(error_reading("#Paraver (x):1"), form);
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1"), form);
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1:2"), form);
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1:2(1:1"), form);
    EXPECT_EQ(error_reading("#Paraver (x):1:0:2:2(1:1,1:1):2(1:1,1:1)"),
              ":1:1: a trace of 2 applications; one is read");
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1:2147483647(1:1)"),
              ":1:1: the number of tasks must be from 1 to 16777216, not '2147483647'");
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1:(1:1)"),
              ":1:1: the number of tasks must be from 1 to 16777216, not ''");
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1:16777216(1:1,1:1)"),
              ":1:1: the header claims 16777216 tasks, and lists 2");
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1:2(1:1,1:1)\nc:1:1:2147483647:1\n"),
              ":2:1: communicator 1 claims 2147483647 tasks, and has 1");
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1:2(1:1,1:1)\nc:1:1:1:3\n"),
              ":2:1: task 3 is out of range; tasks are 1 to 2");
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1:2(1:1,1:1)\nc:1:1:2:1:1\n"), ":2:1: task 1 is named twice");
    EXPECT_EQ(error_reading("#Paraver (x):1:0:1:2(1:1,1:1)\nc:1:1\n"),
              ":2:1: the record is too short; it needs: c:application:number:size:task:...");
    EXPECT_EQ(error_in("4:1:1:1:1:1\n"), ":4:1: records of kind 4 are not known; there are 1, 2 and 3");
    EXPECT_EQ(error_in("x\n"), ":4:1: the kind of a record must be an integer, not 'x'");
    EXPECT_EQ(error_in("1:1:1:1\n"),
              ":4:1: the record is too short; it needs: kind:cpu:application:task:thread");
    EXPECT_EQ(error_in("1:1:1:0:1:1:1:1\n"), ":4:1: task 0 is out of range; tasks are 1 to 2");
    EXPECT_EQ(error_in("1:1:1:1:1:5:4:1\n"), ":4:1: the state ends before it begins");
    EXPECT_EQ(error_in("1:1:1:1:1:-5:4:1\n"), ":4:1: a time is negative: -5");
    EXPECT_EQ(error_in("1:1:1:1:1:5:99999999999999999999:1\n"),
              ":4:1: a time must be an integer, not '99999999999999999999'");
    EXPECT_EQ(error_in("2:1:1:1:1:5:1\n"),
              ":4:1: the record is too short; it needs: 2:cpu:application:task:thread:time:type:value");
    EXPECT_EQ(error_in("2:1:1:1:1:5:1:2:3\n"), ":4:1: a type of event has no value");
    EXPECT_EQ(
        error_in("3:1:1:1:1:5:5:1:1:1:1:5:5:8\n"),
        ":4:1: the record is too short; it needs: "
        "3:cpu:application:task:thread:called:sent:cpu:application:task:thread:posted:received:bytes:tag");
    EXPECT_EQ(error_in("3:1:1:1:1:5:5:1:1:7:1:5:5:8:0\n"), ":4:1: task 7 is out of range; tasks are 1 to 2");
    EXPECT_EQ(error_in("3:1:1:1:1:5:5:1:1:2:1:5:5:-8:0\n"), ":4:1: the size is negative: -8");
    EXPECT_EQ(error_in("1:1:1:1:1:5:5:1\nc:1:3:1:1\n"), ":5:1: communicators must be before the records");
    EXPECT_EQ(error_in(at(1, 10, "50000001:1") + at(1, 9, "50000001:0")),
              ":5:1: a call of MPI ends before it begins");
    EXPECT_EQ(error_in(ptp(1, 10, 20, 5) + ptp(1, 5, 30, 5)), ":6:1: times of task 1 go back");
    EXPECT_EQ(error_in(at(1, 10, "50000002:8:50100001:-1")),
              ":4:1: the size of a collective is negative: -1");
}

TEST(paraver, SurvivesBrokenFiles) {
    const trace_files files;
    const std::string path = files.write("t.prv", pair);
    EXPECT_GT(errors_of_changes(files, "t.prv", pair, path, "paraver"), 60u);
    EXPECT_EQ(read_error(files, path), "");
    const std::string pcf =
        "STATES\n1 Running\nEVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n";
    errors_of_changes(files, "t.pcf", pcf, path, "paraver");
}

}  // namespace
}  // namespace sare::testing_support::paraver_test
