// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

namespace sare::testing_support::goal_test {
namespace {

/// Of a schedule whose only rank has these lines, from line 3 on.
std::string rank_error(const std::string& lines) {
    return error_reading("num_ranks 2\nrank 0 {\n" + lines + "\n}\n");
}

TEST(goal, ReadsOperationsAndWhatTheyRequire) {
    trace_files files;
    const auto reader = open_trace(files.write("t", R"(/* a schedule
of two */ num_ranks 3
rank 0 {   // the first
l1: calc 1500
a_2 : send 1024b to 1 tag 7 cpu 1 nic 0
  recv 8 b from -1 tag -1
l3: calc 20 cpu 3
l1 requires l3
a_2 requires l1
a_2 irequires l3
}
rank 2 {
}
rank 1 { recv 1024b from 0 tag 7
send 8b to 0 nic 1 }
)"));
    EXPECT_EQ(reader->tasks(), 3u);
    const auto first = events_of(*reader, 0);
    ASSERT_EQ(first.size(), 4u);
    // In an order in which what is required comes first.
    EXPECT_EQ(first[0].what, op::recv);
    EXPECT_EQ(first[0].peer, traffic::any_source);
    EXPECT_EQ(first[0].tag, traffic::any_tag);
    EXPECT_EQ(first[0].bytes, 8u);
    EXPECT_EQ(first[0].request, 0u);
    EXPECT_FALSE(first[0].in_sequence);
    EXPECT_EQ(first[1].what, op::compute);
    EXPECT_DOUBLE_EQ(first[1].seconds, 20e-9);
    EXPECT_EQ(first[1].request, 4u);
    EXPECT_EQ(first[1].line, 7);
    EXPECT_DOUBLE_EQ(first[2].seconds, 1.5e-6);
    ASSERT_EQ(first[2].needs.size(), 1u);
    EXPECT_EQ(first[2].needs[0].request, 4u);
    EXPECT_EQ(first[3].what, op::send);
    EXPECT_EQ(first[3].peer, 1u);
    EXPECT_EQ(first[3].tag, 7);
    EXPECT_EQ(first[3].bytes, 1024u);
    ASSERT_EQ(first[3].needs.size(), 2u);
    EXPECT_EQ(first[3].needs[0].request, 1u);
    EXPECT_FALSE(first[3].needs[0].begun);
    EXPECT_EQ(first[3].needs[1].request, 4u);
    EXPECT_TRUE(first[3].needs[1].begun);
    EXPECT_EQ(events_of(*reader, 1).size(), 2u);
    EXPECT_EQ(events_of(*reader, 2).size(), 0u);
    ASSERT_EQ(reader->warnings().size(), 2u);
    EXPECT_NE(reader->warnings()[0].find("4 cpus"), std::string::npos);
    EXPECT_NE(reader->warnings()[1].find("nic"), std::string::npos);
}

/// What LogGOPSim's generator writes for a broadcast along a binomial tree.
std::string binomial(unsigned ranks) {
    std::string text = "num_ranks " + std::to_string(ranks) + "\n";
    for (unsigned r = 0; r < ranks; ++r) {
        text += "\nrank " + std::to_string(r) + " {\n";
        unsigned label = 1, top = 1;
        while (top <= r) top *= 2;
        if (r != 0) text += "l1: recv 1024b from " + std::to_string(r - top / 2) + " tag 0\n", label = 2;
        for (unsigned step = top; r + step < ranks; step *= 2, ++label) {
            text += "l" + std::to_string(label) + ": send 1024b to " + std::to_string(r + step) + " tag 0\n";
            if (r != 0) text += "l" + std::to_string(label) + " requires l1\n";
        }
        text += "}\n";
    }
    return text;
}

TEST(goal, ChecksAndReplaysABroadcast) {
    trace_files files;
    const std::string path = files.write("t", binomial(128));
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    const auto info = describe_trace(*open_trace(path));
    EXPECT_EQ(info.messages, 127u);
    EXPECT_EQ(info.bytes, 127u * 1024);
    fake_port port(128, 10);
    auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 128);
    w->start(port);
    port.run(*w, 1000000);
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(w->stuck().text(), "");
    EXPECT_EQ(port.sent.size(), 127u);
}

/// Nothing is sent before what it requires has ended: 128 flits of 8 bytes to rank 1, and as many back.
TEST(goal, LetsASendWaitForTheReceiveItRequires) {
    const auto cycles = [](const char* requirement) {
        trace_files files;
        fake_port port(2, 10);
        const std::string path =
            files.write("t",
                        "num_ranks 2\nrank 0 {\nsend 1024b to 1\nrecv 1024b from 1\n}\nrank 1 {\n"
                        "a: recv 1024b from 0\nb: send 1024b to 0\n" +
                            std::string(requirement) + "}\n");
        auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 2);
        w->start(port);
        port.run(*w, 100000);
        EXPECT_TRUE(w->finished());
        return w->results().find("makespan_cycles")->text();
    };
    EXPECT_EQ(cycles(""), "137");
    EXPECT_EQ(cycles("b irequires a\n"), "137");
    EXPECT_EQ(cycles("b requires a\n"), "274");
}

TEST(goal, NamesTheLineOfAnError) {
    EXPECT_EQ(error_reading("num_ranks x"), ":1:1: the number of ranks must be an integer, not 'x'");
    EXPECT_EQ(error_reading("num_ranks 0"), ":1:1: a schedule has at least one rank");
    EXPECT_EQ(error_reading("num_ranks 99999999"),
              ":1:1: the number of ranks 99999999 is out of range; at most 16777216");
    EXPECT_EQ(error_reading("num_ranks 2\nsend 1b to 0"), ":2:1: expected 'rank', not 'send'");
    EXPECT_EQ(error_reading("num_ranks 2\nrank 2 {\n}\n"), ":2:1: the rank 2 is out of range; at most 1");
    EXPECT_EQ(error_reading("num_ranks 2\nrank 1 {\n}\nrank 1 {\n}\n"), ":4:1: rank 1 is there already");
    EXPECT_EQ(error_reading("num_ranks 2\nrank 1\n{\n}\n"), ":2:1: expected '{', not the end of the line");
    EXPECT_EQ(error_reading("num_ranks 2\nrank 1 {\n"),
              ":2:1: the schedule ends early: the '}' of rank 1 is missing");
    EXPECT_EQ(rank_error("l1: sent 8b to 1"),
              ":3:1: expected send, recv, calc, 'LABEL requires LABEL' or '}', not 'sent'");
    EXPECT_EQ(rank_error("send 8 to 1"), ":3:1: expected 'b', not 'to'");
    EXPECT_EQ(rank_error("send 8b from 1"), ":3:1: expected 'to', not 'from'");
    EXPECT_EQ(rank_error("send 8b to -1"), ":3:1: the peer must be an integer, not '-1'");
    EXPECT_EQ(rank_error("send 8b to 2"), ":3:1: the peer 2 is out of range; at most 1");
    EXPECT_EQ(rank_error("send 99999999999999999999b to 1"),
              ":3:1: the size must be an integer, not '99999999999999999999'");
    EXPECT_EQ(rank_error("send 8b to 1 tag 4294967295"),
              ":3:1: the tag 4294967295 is out of range; at most 4294967294");
    EXPECT_EQ(rank_error("calc 5 cpu 256"), ":3:1: the cpu 256 is out of range; at most 255");
    EXPECT_EQ(rank_error("calc 5 5"), ":3:1: expected the end of the line, not '5'");
    EXPECT_EQ(rank_error("l1: calc 5\nl1: calc 5"), ":4:1: label 'l1' is there already");
    EXPECT_EQ(rank_error("l1: calc 5\nl1 requires l2"),
              ":4:1: rank 0 has no operation with label 'l2' before this line");
    EXPECT_EQ(rank_error("a: calc 5\nb: calc 5\nc: calc 1\na requires b\nb irequires a\nc requires a"),
              ":6:1: operations of rank 0 require each other, this one among them: none can begin");
    EXPECT_EQ(rank_error("a: calc 5\na requires a"),
              ":4:1: operations of rank 0 require each other, this one among them: none can begin");
}

TEST(goal, FindsAnUnmatchedReceiveWithoutASimulation) {
    trace_files files;
    const std::string path = files.write("t", "num_ranks 2\nrank 0 {\nrecv 8b from 1 tag 3\n}\n");
    EXPECT_EQ(check_trace(*open_trace(path)),
              std::vector<std::string>{path + ":3:1: task 0, event 1: recv from 1, tag 3, has no message"});
}

/// An operation as txt2bin writes it; the operations that depend on its end, and on its begin, are in a list.
std::string record(unsigned type, std::uint32_t peer, std::uint64_t size, std::uint32_t tag,
                   unsigned ended = 0, unsigned from = 0, unsigned begun = 0, unsigned begun_from = 0) {
    return little(0, 4) + little(type, 1) + little(peer, 4) + little(size, 8) + little(tag, 4) +
           little(1, 1) + little(0, 1) + little(ended, 4) + little(from, 4) + little(begun, 4) +
           little(begun_from, 4);
}
std::string rank(unsigned operations, const std::string& records, const std::vector<unsigned>& list) {
    std::string text = little(operations, 4) + little(1, 4) + little(0, 4) + records;
    for (const auto n : list) text += little(n, 4);
    return text;
}
std::string binary(const std::vector<std::string>& ranks) {
    std::string text = little(ranks.size(), 4) + little(1, 1) + little(0, 1);
    std::uint64_t at = text.size() + 16 * ranks.size();
    for (const auto& r : ranks) {
        text += little(at, 8) + little(at + r.size(), 8);
        at += r.size();
    }
    text = little(4223, 8) + text;
    for (const auto& r : ranks) text += r;
    return text;
}
const std::string first_rank =
    rank(3, record(3, 0, 1500, 0, 1, 0) + record(1, 1, 1024, 7) + record(2, ~0u, 8, ~0u, 0, 0, 1, 1), {1, 1});
const std::string second_rank = rank(2, record(2, 0, 1024, 7) + record(1, 0, 8, 0), {});

TEST(goal, ReadsBinarySchedulesLikeText) {
    trace_files files;
    const std::string text =
        "num_ranks 2\nrank 0 {\na: calc 1500 cpu 1\nb: send 1024b to 1 tag 7 cpu 1\nc: recv 8b from -1 tag "
        "-1 cpu 1\n"
        "b requires a\nb irequires c\n}\nrank 1 {\nrecv 1024b from 0 tag 7 cpu 1\nsend 8b to 0 cpu 1\n}\n";
    const auto written = open_trace(files.write("text", text));
    const auto packed = open_trace(files.write("binary", binary({first_rank, second_rank})));
    ASSERT_EQ(packed->tasks(), 2u);
    EXPECT_EQ(packed->warnings(), written->warnings());
    for (std::uint32_t task = 0; task < 2; ++task) {
        const auto a = events_of(*written, task), b = events_of(*packed, task);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t k = 0; k < a.size(); ++k) {
            EXPECT_EQ(operation_text(a[k]), operation_text(b[k]));
            EXPECT_EQ(a[k].request, b[k].request);
            EXPECT_EQ(a[k].seconds, b[k].seconds);
            ASSERT_EQ(a[k].needs.size(), b[k].needs.size());
            for (std::size_t n = 0; n < a[k].needs.size(); ++n) {
                EXPECT_EQ(a[k].needs[n].request, b[k].needs[n].request);
                EXPECT_EQ(a[k].needs[n].begun, b[k].needs[n].begun);
            }
        }
    }
    EXPECT_EQ(check_trace(*open_trace(files.path("binary"))), std::vector<std::string>{});
}

TEST(goal, ReportsErrorsOfBinarySchedules) {
    EXPECT_EQ(error_reading(little(4223, 8) + little(0, 4)),
              ": the schedule claims 0 ranks; 1 to 16777216 are possible");
    EXPECT_EQ(error_reading(little(4223, 8) + little(0x7fffffff, 4)),
              ": the schedule claims 2147483647 ranks; 1 to 16777216 are possible");
    EXPECT_EQ(error_reading(little(4223, 8) + little(2, 4)), ": the schedule is cut short");
    std::string moved = binary({first_rank, second_rank});
    moved[14] = 99;
    EXPECT_EQ(error_reading(moved),
              ": rank 0: its place in the table is 99; behind the rank before it is 38");
    EXPECT_EQ(error_reading(binary({rank(1, record(4, 0, 1, 0), {})})),
              ": rank 0: there is no operation of type 4; 1, 2 and 3 are send, receive and calculate");
    EXPECT_EQ(error_reading(binary({rank(1, record(1, 1, 1, 0), {})})),
              ": rank 0: the peer 1 is out of range; at most 0");
    EXPECT_EQ(error_reading(binary({rank(1, record(3, 0, 1, 0, 1, 5), {0})})),
              ": rank 0: the list of what depends on operation 0 is not in the file");
    EXPECT_EQ(error_reading(binary({rank(1, record(3, 0, 1, 0, 1, 0), {7})})),
              ": rank 0: operation 7 depends on one, but is not there");
    EXPECT_EQ(error_reading(binary({rank(1, record(3, 0, 1, 0, 1, 0), {0})})),
              ": operations of rank 0 require each other, this one among them: none can begin");
    const std::string good = binary({first_rank, second_rank});
    for (std::size_t k = 8; k < good.size(); ++k)
        EXPECT_EQ(error_reading(good.substr(0, k)), ": the schedule is cut short");
}

/// Found by fuzzing: a file too short for the first bytes of one format.
TEST(trace_format, RefusesAnEmptyFile) {
    EXPECT_EQ(error_reading(""),
              ":1:1: the index names no file; it needs that of each rank, a line each, or one of all");
}

TEST(trace_format, RefusesWhatIsNoTrace) {
    trace_files files;
    const std::string path = files.write("t", std::string("\x7f"
                                                          "ELF\0\1",
                                                          6));
    EXPECT_EQ(error_of([&] {
                  open_trace(path, "auto", {"test.yaml", 1, 2});
              }),
              "test.yaml:1:2: '" + path + "' begins as no trace format that is known here does");
}

}  // namespace
}  // namespace sare::testing_support::goal_test
