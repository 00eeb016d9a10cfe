// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace sare::testing_support::reader_test {
namespace {

const std::string cg = std::string(SARE_SOURCE_DIR) + "/tb/experiments/cg.S.16/cg.S.16.index";

std::string sare_error(const std::string& content) {
    trace_files files;
    return read_error(files, files.write("t", content));
}
std::string simgrid_error(const std::string& rank0, const std::string& rank1 = "1 init\n1 finalize\n") {
    trace_files files;
    files.write("r0", rank0);
    files.write("r1", rank1);
    return read_error(files, files.write("index", "r0\nr1\n"));
}

/// Some kilobytes of compressed data may hold a line of gigabytes.
TEST(text_stream, RefusesLinesWithoutAnEnd) {
    trace_files files;
    const std::string path = files.write("t", "sare-trace 1\ntasks 1\n");
    std::filesystem::resize_file(path, 200 << 20);
    EXPECT_EQ(read_error(files, path), "t:3:1: a line of more than 64 MiB; is this a trace?");
}

/// The table of parameters in docs/traces.md names every format that there is, and no other.
TEST(trace_formats, AreThoseOfTheManual) {
    std::ifstream page(std::string(SARE_SOURCE_DIR) + "/docs/traces.md");
    std::string line;
    while (std::getline(page, line) && line.find("| `file`, `format` |") != 0) continue;
    std::set<std::string> told, known;
    std::string::size_type from = line.find("the trace;");
    ASSERT_NE(from, std::string::npos);
    while ((from = line.find('`', from)) != std::string::npos) {
        const auto to = line.find('`', from + 1);
        told.insert(line.substr(from + 1, to - from - 1));
        from = to + 1;
    }
    for (const auto& [name, variant] : traffic::trace_registry::instance().variants()) known.insert(name);
    EXPECT_EQ(told, known);
}

TEST(sare_format, SpendsLittleOnTasksThatDoNothing) {
    trace_files files;
    const std::string path = files.write("t", "sare-trace 1\ntasks 2000000\n0 sleep 1\n");
    EXPECT_EQ(test::in_child([&] {
                  const auto kilobytes = [] {
                      rusage usage{};
                      getrusage(RUSAGE_SELF, &usage);
                      return usage.ru_maxrss;
                  };
                  const auto before = kilobytes();
                  const auto reader = open_trace(path);
                  const auto grown = (kilobytes() - before) / 1024;
                  return grown < 500 ? std::string() : std::to_string(grown) + " MiB";
              }),
              "");
}

TEST(simgrid, CountsTheEventsOfCgClassS) {
    auto reader = open_trace(cg);
    const auto info = describe_trace(*reader);
    // Counted with awk from the recording.
    EXPECT_EQ(info.tasks, 16u);
    EXPECT_EQ(info.messages, 47104u);
    EXPECT_EQ(count_of(info, op::compute), 23483u);
    EXPECT_EQ(count_of(info, op::irecv), 47104u);
    EXPECT_EQ(count_of(info, op::wait), 47104u);
    EXPECT_EQ(count_of(info, op::barrier), 16u);
    EXPECT_EQ(count_of(info, op::bcast), 16u);
    EXPECT_EQ(count_of(info, op::reduce), 16u);
    EXPECT_EQ(info.bytes, 56131584u);
    EXPECT_EQ(info.matrix.at({0, 2}).messages, 1264u);
    EXPECT_EQ(reader->warnings(), std::vector<std::string>{});
    EXPECT_EQ(check_trace(*open_trace(cg)), std::vector<std::string>{});
}

TEST(simgrid, ReplaysCgToItsEnd) {
    fake_port port(16);
    auto w = make_workload(section({{"workload", "trace"}, {"file", cg}, {"cpu_factor", "0"}}), 16);
    w->start(port);
    port.run(*w, 100000000);
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(w->stuck().text(), "");
    // Of the point-to-point messages those to the task itself stay inside the node.
    EXPECT_GT(port.sent.size(), 40000u);
}

TEST(simgrid, ReadsEveryAction) {
    trace_files files;
    files.write("r0", R"(0 init
0 compute 1.5e3
0 sleep 0.25
0 send 1 7 10 1
0 isend 1 8 2
0 recv 1 9 1 2
0 irecv 1 10 1 3
0 test 1 0 10
0 wait 0 1 8
0 wait 1 0 10
0 waitall
0 sendRecv 3 1 4 1 1 2
0 bcast 5 1 4
0 reduce 5 100 1 1
0 allreduce 5 100
0 barrier
0 alltoall 2 2 1 1
0 alltoallv 9 1 2 9 3 4 1 2
0 gather 1 2 1 1 1
0 gatherv 1 2 3 1 1 1
0 allgather 4 4 5 5
0 allgatherv 1 2 3 1 1
0 scatter 1 2 1 1 1
0 scatterv 0 0 3 1 1 1
0 reducescatter 1 2 50 1
0 scan 5 100 4
0 exscan 5 100 4
0 finalize
)");
    files.write("r1", "1 init\n1 finalize\n");
    auto reader = open_trace(files.write("index", "r0\nr1"));
    std::vector<event> all;
    for (event e; reader->next(0, e);) all.push_back(e);
    ASSERT_EQ(all.size(), 26u);
    EXPECT_EQ(all[0].flops, 1500);
    EXPECT_EQ(all[0].number, 2u);
    EXPECT_EQ(all[1].seconds, 0.25);
    EXPECT_EQ(all[2].bytes, 40u);
    EXPECT_EQ(all[2].tag, 7);
    EXPECT_EQ(all[3].bytes, 16u);
    EXPECT_EQ(all[7].request, all[3].request);
    EXPECT_EQ(all[8].request, all[5].request);
    EXPECT_EQ(all[10].bytes, 12u);
    EXPECT_EQ(all[10].from_bytes, 4u);
    EXPECT_EQ(all[11].bytes, 40u);
    EXPECT_EQ(all[11].root, 1u);
    EXPECT_EQ(all[12].flops, 100);
    EXPECT_EQ(all[13].bytes, 40u);
    using sizes = std::vector<std::uint64_t>;
    EXPECT_EQ(all[16].counts, (sizes{4, 8}));
    EXPECT_EQ(all[16].receive_counts, (sizes{3, 4}));
    EXPECT_EQ(all[17].bytes, 4u);
    EXPECT_EQ(all[18].what, op::send);
    EXPECT_EQ(all[18].bytes, 4u);
    EXPECT_EQ(all[19].bytes, 16u);
    EXPECT_EQ(all[20].counts, (sizes{8, 12}));
    EXPECT_EQ(all[21].bytes, 8u);
    EXPECT_EQ(all[22].what, op::recv);
    EXPECT_EQ(all[22].bytes, 12u);
    EXPECT_EQ(all[23].counts, (sizes{4, 8}));
    EXPECT_EQ(all[23].flops, 50);
    EXPECT_EQ(all[25].what, op::exscan);
}

TEST(simgrid, ReportsErrorsInOneLine) {
    EXPECT_EQ(simgrid_error("0 init\n0 finalize\n"), "");
    EXPECT_EQ(simgrid_error("0 init\n0 send 1 0\n0 finalize\n"),
              "r0:2:1: task 0, event 2: the line is too short; 'send' needs: partner tag count [datatype]");
    EXPECT_EQ(simgrid_error("0 init\n0\n"),
              "r0:2:1: task 0, event 2: the line is too short; it needs: rank action");
    EXPECT_EQ(simgrid_error("0 init\n0 sned 1 0 1\n"),
              "r0:2:1: task 0, event 2: unknown action 'sned'; did you mean 'send'?");
    EXPECT_EQ(simgrid_error("0 init\n0 send 2 0 1\n"),
              "r0:2:1: task 0, event 2: the partner 2 is out of range; tasks are 0 to 1");
    EXPECT_EQ(simgrid_error("0 init\n0 send 1 0 -4\n"), "r0:2:1: task 0, event 2: the size is negative: -4");
    EXPECT_EQ(simgrid_error("0 init\n0 send 1 0 4x\n"),
              "r0:2:1: task 0, event 2: the size must be a number, not '4x'");
    EXPECT_EQ(simgrid_error("0 init\n0 send 1 0 1.5\n"),
              "r0:2:1: task 0, event 2: the size must be an integer, not '1.5'");
    EXPECT_EQ(simgrid_error("0 init\n0 send 1 a 4\n"),
              "r0:2:1: task 0, event 2: the tag must be an integer, not 'a'");
    EXPECT_EQ(simgrid_error("0 init\n1 barrier\n"), "r0:2:1: task 0, event 2: the line is of rank 1");
    EXPECT_EQ(simgrid_error("0 init\n0 compute 1\n"),
              "r0:2:1: task 0, event 2: the trace ends early; 'finalize' is missing");
    EXPECT_EQ(simgrid_error("0 finalize\n0 barrier\n"), "r0:2:1: task 0, event 2: 'barrier' after finalize");
    trace_files files;
    files.write("r0", "0 init\n0 finalize\n");
    EXPECT_EQ(read_error(files, files.write("index", "r0\nr7\n")),
              "index:2:1: cannot read 'r7': No such file or directory; did you mean 'r0'?");
    EXPECT_EQ(read_error(files, files.write("index", "\n")),
              "index:1:1: the index names no file; it needs that of each rank, a line each, or one of all");
}

TEST(sare_format, ReadsOneFileOrOnePerTask) {
    trace_files files;
    const std::string head = "sare-trace 1\ntasks 2\n";
    const std::string zero = "0 isend 1 8 3 77\n\n# nothing\n0 wait 77\n0 alltoallv 0 5 0 6\n";
    const std::string one = "1 recv 0 8 3\n1 alltoallv 6 0 5 0\n";
    files.write("zero", zero);
    files.write("one", one);
    for (const auto& content : {head + zero + one, head + one + zero, head + "file 0 zero\nfile 1 one\n"}) {
        auto reader = open_trace(files.write("t", content));
        event e;
        ASSERT_TRUE(reader->next(0, e));
        EXPECT_EQ(e.what, op::isend);
        const auto request = e.request;
        ASSERT_TRUE(reader->next(0, e));
        EXPECT_EQ(e.what, op::wait);
        EXPECT_EQ(e.request, request);
        ASSERT_TRUE(reader->next(1, e));
        EXPECT_EQ(e.tag, 3);
        ASSERT_TRUE(reader->next(0, e));
        EXPECT_EQ(e.counts, (std::vector<std::uint64_t>{0, 5}));
        EXPECT_EQ(e.receive_counts, (std::vector<std::uint64_t>{0, 6}));
        EXPECT_EQ(e.number, 3u);
        EXPECT_FALSE(reader->next(0, e));
        ASSERT_TRUE(reader->next(1, e));
        EXPECT_FALSE(reader->next(1, e));
        EXPECT_EQ(check_trace(*open_trace(files.path("t"))), std::vector<std::string>{});
    }
}

TEST(sare_format, ReportsErrorsInOneLine) {
    const std::string head = "sare-trace 1\ntasks 2\n";
    EXPECT_EQ(sare_error("sare-trace 4\n"),
              "t:1:1: version ' 4' of the format is not known; this reader knows 1 to 3");
    for (const char* count : {"4x", "0", "-1", "+4", "16777217", "99999999999999999999"})
        EXPECT_EQ(sare_error("sare-trace 1\ntasks " + std::string(count) + "\n"),
                  "t:2:1: the second line must be 'tasks N', N from 1 to 16777216");
    EXPECT_EQ(sare_error("sare-trace 1\n"), "t:1:1: the second line must be 'tasks N', N from 1 to 16777216");
    EXPECT_EQ(sare_error("sare-trace 1\ntasks 0\n"),
              "t:2:1: the second line must be 'tasks N', N from 1 to 16777216");
    EXPECT_EQ(sare_error(head + "x barrier\n"), "t:3:1: a line must begin with a task, 0 to 1, not 'x'");
    EXPECT_EQ(sare_error(head + "2 barrier\n"), "t:3:1: a line must begin with a task, 0 to 1, not '2'");
    EXPECT_EQ(sare_error(head + "0 barier\n"),
              "t:3:1: task 0, event 1: unknown action 'barier'; did you mean 'barrier'?");
    EXPECT_EQ(sare_error(head + "0 barrier\n0 send 1\n"),
              "t:4:1: task 0, event 2: the line is too short; 'send' needs: destination bytes [tag]");
    EXPECT_EQ(sare_error(head + "0 barrier 1\n"),
              "t:3:1: task 0, event 1: the line is too long; 'barrier' needs: nothing");
    EXPECT_EQ(sare_error(head + "0 send 1 -8\n"), "t:3:1: task 0, event 1: the size is negative: -8");
    EXPECT_EQ(sare_error(head + "0 send 9 8\n"),
              "t:3:1: task 0, event 1: the partner 9 is out of range; tasks are 0 to 1");
    EXPECT_EQ(sare_error(head + "0 irecv 1 8 0 5\n0 irecv 1 8 0 5\n"),
              "t:4:1: task 0, event 2: request 5 is open already; wait for it first");
    EXPECT_EQ(sare_error(head + "file 0 none\n"), "t:3:1: cannot read 'none': No such file or directory");
    EXPECT_EQ(sare_error(head + "file 0 t\n"),
              "t:3:1: task 1 has no 'file' line; either every task has one or none");
    EXPECT_EQ(sare_error(head + "file 0 t\nfile 0 t\n"), "t:4:1: task 0 has two files");
    EXPECT_EQ(sare_error(head + "file 5 t\n"), "t:3:1: task 5 is out of range; tasks are 0 to 1");
}

TEST(sare_format, ReportsErrorsOfOptionsAndCommunicators) {
    const std::string head = "sare-trace 2\ntasks 3\ncommunicator 4 2 0\n", at = "t:4:1: task 0, event 1: ";
    EXPECT_EQ(sare_error(head + "0 barrier on=5\n"),
              at + "there is no communicator 5; a line 'communicator NUMBER TASK ...' before makes one");
    EXPECT_EQ(sare_error(head + "0 barrier on=-1\n"), at + "there is no communicator -1");
    EXPECT_EQ(sare_error(head + "1 barrier on=4\n"),
              "t:4:1: task 1, event 1: the task is not in communicator 4");
    EXPECT_EQ(sare_error(head + "0 send 2 8 on=4\n"), at + "the partner 2 is out of range; tasks are 0 to 1");
    EXPECT_EQ(sare_error(head + "0 send any 8\n"), at + "the partner must be an integer, not 'any'");
    EXPECT_EQ(sare_error(head + "0 barrier bside\n"), at + "the line is too long; 'barrier' needs: nothing");
    EXPECT_EQ(
        sare_error(head + "0 barrier nam=3\n"),
        at + "unknown option 'nam=3'; there are on=, name=, after=, begun=, seconds=, flops= and beside");
    EXPECT_EQ(sare_error(head + "0 barrier name=\n"), at + "'name=' needs a value");
    EXPECT_EQ(sare_error(head + "0 barrier name=1,2\n"), at + "'name=1,2' has more than one value");
    EXPECT_EQ(sare_error(head + "0 compute 1 beside after=x\n"), at + "the name must be an integer, not 'x'");
    EXPECT_EQ(sare_error(head + "communicator 4 1\n"), "t:4:1: communicator 4 is there already");
    EXPECT_EQ(sare_error(head + "communicator 0 1\n"),
              "t:4:1: the number of a communicator must be from 1 to 2147483647");
    EXPECT_EQ(sare_error(head + "0 barrier\ncommunicator 5 1 1\n"), "t:5:1: task 1 is named twice");
    EXPECT_EQ(sare_error(head + "communicator 5\n"),
              "t:4:1: the line must be 'communicator NUMBER TASK ...'");
    EXPECT_EQ(sare_error(head + "communicator 5 3\n"), "t:4:1: task 3 is out of range; tasks are 0 to 2");
}

TEST(checker, LooksIntoCommunicatorsAndWildcards) {
    const trace_files files;
    const std::string path = files.write("t", R"(sare-trace 2
tasks 3
communicator 1 2 1
1 send 0 8 on=1
0 barrier
2 recv any 8 any on=1
1 barrier on=1
2 bcast 0 8 on=1
2 recv 0 8 any
2 recv any 8
0 send 2 8
)");
    std::vector<std::string> wanted;
    for (const char* line : {"8:1: task 2, event 2: bcast meets barrier of task 1, event 2",
                             "10:1: task 2, event 4: recv from any task or of any tag has no message",
                             "5:1: task 0, event 1: barrier is called by 1 of 3 tasks"})
        wanted.push_back(path + ":" + line);
    auto found = check_trace(*open_trace(path));
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(found, wanted);
}

TEST(checker, FindsWhatDoesNotMatch) {
    trace_files files;
    const std::string path = files.write("t", R"(sare-trace 1
tasks 3
0 send 1 8 4
0 barrier
0 wait 3
0 bcast 0 8
1 recv 0 4 4
1 recv 2 8 1
1 bcast 0 8
1 bcast 1 8
2 isend 0 8 1 1
2 barrier
2 bcast 0 16
2 barrier
)");
    std::vector<std::string> wanted;
    // NOLINTBEGIN(bugprone-suspicious-missing-comma): the first is one line in two pieces.
    for (const char* line :
         {"7:1: task 1, event 1: the receive of 4 bytes is too small for the message of 8 bytes from task 0, "
          "event 1",
          "5:1: task 0, event 3: wait for a request that is not open",
          "9:1: task 1, event 3: bcast meets barrier of task 0, event 2",
          "13:1: task 2, event 3: bcast of 16 bytes meets one of 8 bytes of task 0, event 4",
          "10:1: task 1, event 4: bcast with root 1 meets root 0 of task 0, event 4",
          "11:1: task 2, event 1: isend to 0, tag 1, is never received",
          "8:1: task 1, event 2: recv from 2, tag 1, has no message",
          "14:1: task 2, event 4: barrier is called by 1 of 3 tasks"})
        wanted.push_back(path + ":" + line);
    // NOLINTEND(bugprone-suspicious-missing-comma)
    auto found = check_trace(*open_trace(path));
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(found, wanted);
    EXPECT_EQ(check_trace(*open_trace(path), 3).size(), 3u);
}

TEST(checker, ReportsErrorsOfTheFormat) {
    trace_files files;
    const std::string path = files.write("t", "sare-trace 1\ntasks 2\n0 barrier\n0 nonsense\n1 barrier\n");
    const auto found = check_trace(*open_trace(path));
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0], path + ":4:1: task 0, event 2: unknown action 'nonsense'");
}

class compressed : public testing::TestWithParam<const char*> {};

TEST_P(compressed, ReadsTheSameAndNoticesACut) {
    const std::string tool = GetParam();
    if (std::system((tool + " --version > /dev/null 2>&1 < /dev/null").c_str()) != 0)
        GTEST_SKIP() << "no " << tool;
    trace_files files;
    std::string content = "sare-trace 1\ntasks 2\n";
    for (int i = 0; i < 3000; ++i)
        content += "0 compute " + std::to_string(i * 7919 % 10007) + "\n1 flops " +
                   std::to_string(i * 31 % 1009) + "\n";
    files.write("plain", content);
    ASSERT_EQ(std::system((tool + " -c < " + files.path("plain") + " > " + files.path("packed")).c_str()), 0);
    const auto plain = describe_trace(*open_trace(files.path("plain")));
    const auto packed = describe_trace(*open_trace(files.path("packed")));
    EXPECT_EQ(packed.events, plain.events);
    EXPECT_EQ(packed.seconds, plain.seconds);
    EXPECT_EQ(packed.flops, plain.flops);
    std::ifstream in(files.path("packed"), std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    const std::string whole = bytes.str();
    for (const std::size_t left : {whole.size() - 1, whole.size() - 4, whole.size() / 2, std::size_t{40}}) {
        const std::string message = read_error(files, files.write("cut", whole.substr(0, left)));
        EXPECT_NE(message.find(": the compressed data is damaged or cut short"), std::string::npos)
            << left << " of " << whole.size() << ": '" << message << "'";
    }
}
INSTANTIATE_TEST_SUITE_P(trace, compressed, testing::Values("gzip", "bzip2", "xz", "zstd"),
                         [](const auto& which) { return std::string(which.param); });

}  // namespace
}  // namespace sare::testing_support::reader_test
