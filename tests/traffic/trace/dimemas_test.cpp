// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

/// Dimemas traces as prv2dim and the simulator's own reader have them: no file of theirs was there.
namespace sare::testing_support::dimemas_test {
namespace {

const std::string header = "#DIMEMAS:\"a.out\":1,00000000000512:2(1,1),2               \n";
const std::string groups = "d:1:1:2:0:1\nd:1:7:2:1:0\n";
/// 0 computes, sends 80 bytes, posts a receive and waits; events, definitions and places are passed over.
const std::string pair =
    header + groups +
    "1:0:0:0.000003000\n20:0:0:50000001:1\n2:0:0:1:-1:80:5:1:1\n0:0:0\n"
    "3:0:0:1:-1:160:6:7:1\n1:0:0:0.000000500\n3:0:0:1:-1:160:6:7:2\n10:0:0:11:1:0:0:64:64:1\n"
    "1:0:1:0.5\n"
    "3:1:0:0:80:5:1:0\n2:1:0:0:160:6:7:2\n10:1:0:11:1:0:0:64:64:1\n"
    "s:0:100\ns:1:200\n";

std::string error_in(const std::string& lines) {
    return error_reading(header + groups + lines);
}

TEST(dimemas, ReadsBurstsMessagesAndCollectives) {
    const trace_files files;
    const std::string path = files.write("t", pair);
    const auto reader = open_trace(path);
    ASSERT_EQ(reader->tasks(), 2u);
    const auto first = events_of(*reader, 0);
    ASSERT_EQ(kinds_of(first),
              (std::vector<op>{op::compute, op::send, op::irecv, op::compute, op::wait, op::allreduce}));
    EXPECT_DOUBLE_EQ(first[0].seconds, 3e-6);
    EXPECT_EQ(first[0].line, 4);
    EXPECT_EQ(first[1].peer, 1u);
    EXPECT_EQ(first[1].bytes, 80u);
    EXPECT_EQ(first[1].tag, 5);
    // Task 1 has rank 0 in communicator 7.
    EXPECT_EQ(first[2].peer, 0u);
    EXPECT_EQ(reader->group(first[2].communicator).task(0), 1u);
    EXPECT_EQ(first[4].request, first[2].request);
    EXPECT_EQ(first[5].bytes, 64u);
    EXPECT_EQ(first[5].number, 6u);
    EXPECT_EQ(kinds_of(events_of(*reader, 1)), (std::vector<op>{op::recv, op::isend, op::allreduce}));
    EXPECT_EQ(reader->warnings(),
              std::vector<std::string>{"threads of a task besides its first are left out"});
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    // 3 us, 10 flits and 10 cycles there, 20 and 10 back, and the reduction after 0.5 us at the latest.
    EXPECT_GE(replay_cycles(path, 2), 3000u + 20 + 30);
}

/// Tasks need not be one behind the other, nor the file be unpacked.
TEST(dimemas, ReadsRecordsOfTasksInAnyOrderAndPacked) {
    const trace_files files;
    const std::string mixed = header + groups + "1:0:0:1\n1:1:0:2\n1:0:0:3\n1:1:0:4\n1:1:0:5\r\n1:0:0:6";
    files.write("plain", mixed);
    ASSERT_EQ(std::system(("gzip -c < " + files.path("plain") + " > " + files.path("packed")).c_str()), 0);
    for (const char* name : {"plain", "packed"}) {
        const auto reader = open_trace(files.path(name));
        std::vector<double> seconds;
        for (const event& e : events_of(*reader, 1)) seconds.push_back(e.seconds);
        EXPECT_EQ(seconds, (std::vector<double>{2, 4, 5})) << name;
        event e;
        for (const int line : {4, 6, 9}) {
            ASSERT_TRUE(reader->next(0, e));
            EXPECT_EQ(e.line, line) << name;
        }
    }
}

/// The root by the sizes, by its rank, or by the 1 that prv2dim writes at the root only.
TEST(dimemas, FindsTheRootOfACollective) {
    const auto roots = [](const std::string& first, const std::string& second) {
        const trace_files files;
        const auto reader = open_trace(
            files.write("t", header + groups + "10:0:0:1:1:" + first + "\n10:1:0:1:1:" + second + "\n"));
        std::vector<std::uint32_t> all;
        for (const std::uint32_t task : {0U, 1U}) all.push_back(events_of(*reader, task).at(0).root);
        return all;
    };
    using two = std::vector<std::uint32_t>;
    EXPECT_EQ(roots("0:0:0:16", "1:0:16:0"), (two{1, 1}));
    EXPECT_EQ(roots("1:0:16:0", "0:0:0:16"), (two{0, 0}));
    EXPECT_EQ(roots("1:0:16:16", "1:0:16:16"), (two{1, 1}));
    EXPECT_EQ(roots("0:0:0:0", "1:0:0:0"), (two{1, 1}));
    EXPECT_EQ(error_in("10:0:0:1:1:5:0:0:0\n10:1:0:1:1:5:0:0:0\n"),
              ":4:1: task 0, event 1: neither the sizes nor the fields of the tasks tell the root");
}

TEST(dimemas, TakesSizesOfCollectivesAsExtraeDoes) {
    const trace_files files;
    std::string text = header + groups;
    // gather, scatter, allgather, alltoall, reduce, scan, then those of several sizes; 8 bytes a process.
    for (const char* task : {"0", "1"}) {
        const bool root = *task == '0';
        const auto add = [&](int kind, int sent, int received) {
            text += "10:" + std::string(task) + ":0:" + std::to_string(kind) +
                    ":1:0:0:" + std::to_string(sent) + ":" + std::to_string(received) + "\n";
        };
        add(0, 0, 0), add(2, 8, root ? 16 : 0), add(4, root ? 16 : 0, 8), add(6, 8, 16), add(8, 8, 16);
        add(10, root ? 0 : 8, root ? 8 : 0), add(13, 8, 8), add(3, 8, root ? 16 : 0),
            add(5, root ? 16 : 0, 8);
        add(7, 8, 16), add(9, 16, 16), add(12, 16, 16);
    }
    const std::string path = files.write("t", text);
    const auto reader = open_trace(path);
    const auto all = events_of(*reader, 1);
    ASSERT_EQ(kinds_of(all), (std::vector<op>{op::barrier, op::gather, op::scatter, op::allgather,
                                              op::alltoall, op::reduce, op::scan, op::send, op::recv,
                                              op::allgatherv, op::alltoallv, op::reduce_scatter}));
    for (std::size_t k = 1; k < 8; ++k) EXPECT_EQ(all[k].bytes, 8u) << op_name(all[k].what);
    using sizes = std::vector<std::uint64_t>;
    for (std::size_t k = 9; k < 12; ++k) EXPECT_EQ(all[k].counts, (sizes{8, 8})) << op_name(all[k].what);
    EXPECT_EQ(all[11].number, 12u);
    EXPECT_EQ(reader->warnings().size(), 1u);
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    EXPECT_GT(replay_cycles(path, 2), 0u);
}

TEST(dimemas, WaitsForANonBlockingCollective) {
    const trace_files files;
    const auto calls = [](const char* task) {
        const std::string head = "10:" + std::string(task) + ":0:11:1:0:0:64:64:";
        return head + "0\n1:" + task + ":0:1e-6\n" + head + "2\n";
    };
    const std::string path = files.write("t", header + groups + calls("0") + calls("1"));
    const auto all = events_of(*open_trace(path), 0);
    ASSERT_EQ(kinds_of(all), (std::vector<op>{op::allreduce, op::compute, op::wait}));
    EXPECT_NE(all[0].request, 0u);
    EXPECT_EQ(all[2].request, all[0].request);
    EXPECT_EQ(replay_cycles(path, 2), 1000u);
}

TEST(dimemas, NamesTheLineOfAnError) {
    const std::string form =
        ":1:1: the header must be '#DIMEMAS:NAME:OFFSETS:TASKS(THREADS,...),COMMUNICATORS'";
    EXPECT_EQ(error_reading("#DIMEMAS:"), form);
    EXPECT_EQ(error_reading("#DIMEMAS:x:0:2"), form);
    EXPECT_EQ(error_reading("#DIMEMAS:x:0:2(1,1"), form);
    EXPECT_EQ(error_reading("#DIMEMAS:x:0:(),0"), form);
    EXPECT_EQ(error_reading("#DIMEMAS:x:0:z(1),0"), ":1:1: the number of tasks must be a number, not 'z'");
    EXPECT_EQ(error_reading("#DIMEMAS:x:0:2147483647(1),0"),
              ":1:1: the number of tasks must be from 1 to 16777216");
    EXPECT_EQ(error_reading("#DIMEMAS:x:0:0(1),0"), ":1:1: the number of tasks must be from 1 to 16777216");
    EXPECT_EQ(error_reading("#DIMEMAS:x:0:16777216(1,1),0"),
              ":1:1: the header claims 16777216 tasks, and has the threads of 2");
    EXPECT_EQ(
        error_reading("SDDFA;;\n"),
        ":1:1: the old form of Dimemas traces (SDDF) is not read; prv2dim writes the one that begins with "
        "#DIMEMAS");
    EXPECT_EQ(error_in("d:1:9:2147483647:0\n"), ":4:1: communicator 9 claims 2147483647 tasks, and has 1");
    EXPECT_EQ(error_in("d:1:9:1:2\n"), ":4:1: task 2 is out of range; tasks are 0 to 1");
    EXPECT_EQ(error_in("d:1:9:2:1:1\n"), ":4:1: task 1 is named twice");
    EXPECT_EQ(error_in("d:1:7:1:1\n"), ":4:1: communicator 7 is there already");
    EXPECT_EQ(error_in("d:1:9\n"), ":4:1: a communicator needs: d:1:number:size:task:...");
    EXPECT_EQ(error_in("1:0\n"), ":4:1: a record needs: kind:task:thread");
    EXPECT_EQ(error_in("1:2:0:1\n"), ":4:1: task 2 is out of range; tasks are 0 to 1");
    EXPECT_EQ(error_in("x:0:0:1\n"), ":4:1: the kind must be an integer, not 'x'");
    const std::string at = ":4:1: task 0, event 1: ";
    EXPECT_EQ(error_in("1:0:0\n"), at + "a burst needs: 1:task:thread:seconds");
    EXPECT_EQ(error_in("1:0:0:-1\n"), at + "the time is negative: -1");
    EXPECT_EQ(error_in("4:0:0:1\n"),
              at + "records of kind 4 are not known; there are 0, 1, 2, 3, 10, 11 and 20");
    EXPECT_EQ(error_in("2:0:0:1:80:5:1\n"),
              at + "a message needs: kind:task:thread:partner[:thread]:bytes:tag:communicator:synchronism");
    EXPECT_EQ(error_in("2:0:0:2:80:5:1:0\n"), at + "the partner 2 is out of range; tasks are 0 to 1");
    EXPECT_EQ(error_in("2:0:0:1:1e30:5:1:0\n"), at + "the size must be an integer, not '1e30'");
    EXPECT_EQ(error_in("2:0:0:1:80:5:3:0\n"),
              at + "communicator 3 is not defined; a line 'd:1:NUMBER:SIZE:TASK:...' makes one");
    EXPECT_EQ(error_in("2:0:0:1:80:5:1:4\n"), at + "synchronism 4 is out of range; 0 to 3");
    EXPECT_EQ(error_in("3:0:0:1:80:5:1:-1\n"), at + "type -1 is out of range; 0 to 3");
    EXPECT_EQ(error_in("10:0:0:11:1:0:0:64\n"),
              ":4:1: a collective needs: "
              "10:task:thread:kind:communicator:root:thread:sent:received[:synchronism]");
    EXPECT_EQ(error_in("10:0:0:14:1:0:0:64:64\n"),
              ":4:1: collective 14 is none, or another in another version of Dimemas; not read");
    EXPECT_EQ(error_in("10:0:0:13:1:0:0:64:64:1\n"),
              ":4:1: collective 13 is none, or another in another version of Dimemas; not read");
    EXPECT_EQ(error_in("10:0:0:11:1:0:0:64:64:3\n"), ":4:1: synchronism 3 is out of range; 0 to 2");
    EXPECT_EQ(error_reading("#DIMEMAS:x:0:2(1,1),1\nd:1:1:1:0\n2:1:0:0:8:0:1:0\n"),
              ":3:1: task 1, event 1: the task is not in communicator 1");
}

TEST(dimemas, FindsAWaitForNothingWithoutASimulation) {
    const trace_files files;
    const std::string path = files.write("t", header + groups + "3:0:0:1:80:5:1:2\n");
    EXPECT_EQ(check_trace(*open_trace(path)),
              std::vector<std::string>{path + ":4:1: task 0, event 1: wait for a request that is not open"});
}

TEST(dimemas, SurvivesBrokenFiles) {
    const trace_files files;
    const std::string path = files.write("t", pair);
    EXPECT_GT(errors_of_changes(files, "t", pair, path, "dimemas"), 60u);
}

}  // namespace
}  // namespace sare::testing_support::dimemas_test
