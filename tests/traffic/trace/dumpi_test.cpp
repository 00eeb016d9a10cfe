// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/any_order.h"
#include "tests/traffic/trace/dumpi_support.h"

#include <gtest/gtest.h>

namespace sare::testing_support::dumpi_test {
namespace {

const std::string recorded = std::string(SARE_SOURCE_DIR) + "/tests/data/";
const std::string is = recorded + "dumpi-is.A.16/dumpi-2026.11.20.18.54.36.meta";
const std::string ft = recorded + "dumpi-ft.A.16/dumpi-2026.11.20.18.59.15.meta";

std::vector<event> first_of(const std::vector<dumpi_writer>& processes) {
    trace_files files;
    std::vector<std::string> texts;
    for (const auto& p : processes) texts.push_back(p.text());
    return events_of(*open_trace(write(files, texts)), 0);
}
std::string error_in(const std::string& process) {
    const trace_files files;
    return read_error(files, write(files, {process, dumpi_writer().text()}));
}
std::string error_in(const dumpi_writer& process) {
    return error_in(process.text());
}

TEST(dumpi, CountsTheCallsOfIsClassA) {
    const auto info = describe_trace(*open_trace(is));
    EXPECT_EQ(info.tasks, 16u);
    // What the recording counted itself, in the tables behind its calls: 11 of each a process.
    EXPECT_EQ(count_of(info, op::alltoall), 16u * 11);
    EXPECT_EQ(count_of(info, op::alltoallv), 16u * 11);
    EXPECT_EQ(count_of(info, op::allreduce), 16u * 11);
    EXPECT_EQ(count_of(info, op::reduce), 16u * 2);
    EXPECT_EQ(count_of(info, op::send), 15u);
    EXPECT_EQ(count_of(info, op::wait), 15u);
    EXPECT_EQ(info.bytes, 60u);
    EXPECT_EQ(check_trace(*open_trace(is)), std::vector<std::string>{});
}

/// All keys change hands in each of the 11 exchanges: 2^23 integers, of 4 bytes.
TEST(dumpi, FindsTheBytesOfTheKeysOfIs) {
    const auto reader = open_trace(is);
    std::uint64_t sent = 0, received = 0;
    for (std::uint32_t task = 0; task < 16; ++task)
        for (const event& e : events_of(*reader, task)) {
            for (const auto n : e.counts) sent += n;
            for (const auto n : e.receive_counts) received += n;
        }
    EXPECT_EQ(sent, 11u * (1u << 23) * 4);
    EXPECT_EQ(received, sent);
}

TEST(dumpi, FindsTheCommunicatorsOfFt) {
    const auto reader = open_trace(ft);
    EXPECT_EQ(check_trace(*open_trace(ft)), std::vector<std::string>{});
    std::uint64_t exchanged = 0;
    for (std::uint32_t task = 0; task < 16; ++task)
        for (const event& e : events_of(*reader, task)) {
            if (e.what != op::alltoall) continue;
            ASSERT_NE(e.communicator, 0u);
            EXPECT_EQ(reader->group(e.communicator).size(), 16u);
            exchanged += e.bytes * 16;
        }
    // Eight transpositions of 256 x 256 x 128 complex numbers.
    EXPECT_EQ(exchanged, 8u * 256 * 256 * 128 * 16);
}

TEST(dumpi, ReplaysIsAndFtToTheirEnd) {
    for (const auto& path : {is, ft}) {
        fake_port port(16);
        auto w = make_workload(section({{"workload", "trace"}, {"file", path}, {"cpu_factor", "0"}}), 16);
        w->start(port);
        port.run(*w, 100000000);
        EXPECT_TRUE(w->finished()) << w->stuck().text();
    }
}

TEST(dumpi, TakesTheTimeBetweenCallsAsComputation) {
    const auto all = first_of({dumpi_writer()
                                   .call(124, 0, 500)
                                   .i(0)
                                   .call(52, 1500, 1600)
                                   .h(2)
                                   .call(52, 1600, 1700)
                                   .h(2)
                                   .call(52, 2000, 2100)
                                   .h(2)});
    ASSERT_EQ(all.size(), 5u);
    EXPECT_DOUBLE_EQ(all[0].seconds, 1e-6);
    EXPECT_EQ(all[1].what, op::barrier);
    EXPECT_EQ(all[2].what, op::barrier);
    EXPECT_NEAR(all[3].seconds, 3e-7, 1e-15);
    EXPECT_EQ(all[4].number, 5u);
}

TEST(dumpi, ReadsMessagesAndRequests) {
    const auto all = first_of({dumpi_writer()
                                   .message(0, 10, 1, 1, 5)  // send
                                   .message(1, 10, 1, -1, -1)
                                   .status(1, 7)  // recv, from any source
                                   .message(8, 3, 0, 1, 5)
                                   .i(40)  // isend
                                   .message(12, 3, 0, -1, -1)
                                   .i(41)  // irecv
                                   .call(18, 0, 0)
                                   .i(2)
                                   .array({41, 40})
                                   .i(0)  // waitall
                                   .message(8, 3, 0, -1, 5)
                                   .i(40)  // to no process
                                   .call(13, 0, 0)
                                   .i(40)
                                   .i(0)  // wait
                                   .message(26, 9, 0, 1, 6)
                                   .i(50)  // send_init
                                   .call(31, 0, 0)
                                   .i(50)  // start
                                   .call(14, 0, 0)
                                   .i(50)
                                   .i(0)
                                   .i(0)                    // test, in vain
                                   .message(0, 2, 0, 1, 5)  // send, before it is seen complete
                                   .call(14, 0, 0)
                                   .i(50)
                                   .i(1)
                                   .i(0)  // test
                                   .call(32, 0, 0)
                                   .i(1)
                                   .array({50})  // startall
                                   .call(16, 0, 0)
                                   .i(2)
                                   .array({1, 50})
                                   .i(1)
                                   .i(0),  // waitany
                               dumpi_writer()});
    std::vector<op> kinds;
    for (const auto& e : all) kinds.push_back(e.what);
    EXPECT_EQ(kinds, (std::vector<op>{op::send, op::recv, op::isend, op::irecv, op::wait, op::wait, op::isend,
                                      op::send, op::wait, op::isend, op::wait}));
    ASSERT_EQ(all.size(), 11u);
    EXPECT_EQ(all[0].bytes, 80u);
    EXPECT_EQ(all[1].peer, 1u);
    EXPECT_EQ(all[1].tag, 7);
    EXPECT_EQ(all[3].peer, traffic::any_source);
    EXPECT_EQ(all[3].tag, traffic::any_tag);
    EXPECT_EQ(all[4].request, all[3].request);
    EXPECT_EQ(all[5].request, all[2].request);
    EXPECT_EQ(all[8].request, all[6].request);
    EXPECT_EQ(all[10].request, all[9].request);
}

/// Tasks 0 and 2 with color 0, the others with color 1, by falling rank.
TEST(dumpi, SplitsCommunicatorsByColorAndKey) {
    trace_files files;
    std::vector<std::string> texts;
    for (int p = 0; p < 4; ++p)
        texts.push_back(dumpi_writer()
                            .call(84, 0, 0)
                            .h(2)
                            .h(9)
                            .call(86, 0, 0)
                            .h(9)
                            .i(p % 2)
                            .i(-p)
                            .h(7 + p % 2)
                            .call(52, 0, 0)
                            .h(7 + p % 2)
                            .call(52, 0, 0)
                            .h(3)
                            .text());
    const std::string path = write(files, texts);
    const auto reader = open_trace(path);
    event e;
    ASSERT_TRUE(reader->next(0, e));
    EXPECT_EQ(reader->group(e.communicator).size(), 2u);
    EXPECT_EQ(reader->group(e.communicator).task(0), 2u);
    EXPECT_EQ(reader->group(e.communicator).task(1), 0u);
    ASSERT_TRUE(reader->next(3, e));
    EXPECT_EQ(reader->group(e.communicator).task(0), 3u);
    ASSERT_TRUE(reader->next(3, e));
    EXPECT_EQ(reader->group(e.communicator).size(), 1u);
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    expect_the_same_in_any_order(path);
}

/// What only the root's record has: a message of each.
TEST(dumpi, ReadsGathervAsMessagesToTheRoot) {
    trace_files files;
    const auto gatherv = [](int rank) {
        return dumpi_writer().call(55, 0, 0).i(rank).i(3).i(10 * rank).h(1).i(0).h(2);
    };
    const std::string path = write(files, {gatherv(0).array({0, 10, 20}).array({0, 0, 0}).h(1).text(),
                                           gatherv(1).h(1).text(), gatherv(2).h(1).text()});
    const auto info = describe_trace(*open_trace(path));
    EXPECT_EQ(info.messages, 2u);
    EXPECT_EQ(info.bytes, 240u);
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
}

/// In a window of a communicator whose ranks 0 and 1 are tasks 1 and 0.
TEST(dumpi, ReadsOneSidedCalls) {
    const auto process = [](int p) {
        return dumpi_writer()
            .call(86, 0, 0)
            .h(2)
            .i(0)
            .i(-p)
            .h(7)  // comm_split
            .call(145, 0, 0)
            .i(4096)
            .i(1)
            .h(0)
            .h(7)
            .h(1)  // win_create
            .call(146, 0, 0)
            .b(0)
            .h(1);  // win_fence
    };
    const auto moves = [](dumpi_writer w, int function, int count, int target) {
        w.call(function, 0, 0).i(count).h(1).i(target).i(64).i(2 * count).h(0);
        return function == 141 ? w.b(3).h(1) : w.h(1);
    };
    dumpi_writer first = moves(moves(process(0), 143, 10, 0), 142, 20, 0);  // put, get
    first = moves(moves(first, 141, 30, 1), 143, 40, -2);                   // accumulate; put to no process
    first.call(149, 0, 0).b(1).i(0).b(0).h(1);                              // win_lock
    first.call(153, 0, 0).i(0).h(1);                                        // win_unlock
    first.call(144, 0, 0).h(1);                                             // win_complete
    first.call(146, 0, 0).b(0).h(1).call(147, 0, 0).h(1);                   // win_fence, win_free
    dumpi_writer second = process(1);
    second.call(146, 0, 0).b(0).h(1);
    trace_files files;
    const std::string path = write(files, {first.text(), second.text()});
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    const auto reader = open_trace(path);
    const auto all = events_of(*reader, 0);
    std::vector<std::string> texts;
    for (const auto& e : all) texts.push_back(operation_text(e));
    EXPECT_EQ(texts, (std::vector<std::string>{"fence", "put to 0, 80 bytes", "get from 0, 160 bytes",
                                               "put to 1, 240 bytes", "flush to 0", "flush", "fence"}));
    ASSERT_NE(all[1].communicator, 0U);
    EXPECT_EQ(reader->task_of(all[1], 0), 1U);
    EXPECT_EQ(reader->warnings(), std::vector<std::string>{"waits of MPI_Win_lock, MPI_Win_start and "
                                                           "MPI_Win_wait of the trace are left out"});
    const auto info = describe_trace(*open_trace(path));
    EXPECT_EQ(info.matrix.at({0, 1}).bytes, 80U);
    EXPECT_EQ(info.matrix.at({1, 0}).bytes, 160U);
    EXPECT_EQ(info.matrix.at({0, 0}).bytes, 240U);
    fake_port port(2);
    auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 2);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished()) << w->stuck().text();
}

/// One that found nothing is nothing; the others have the source and tag that were recorded.
TEST(dumpi, ReadsProbes) {
    const auto all = first_of({dumpi_writer()
                                   .call(22, 0, 0)
                                   .i(-1)
                                   .i(-1)
                                   .h(2)
                                   .i(0)
                                   .i(0)  // iprobe, in vain
                                   .call(22, 0, 0)
                                   .i(-1)
                                   .i(-1)
                                   .h(2)
                                   .i(1)
                                   .status(1, 7)  // iprobe
                                   .call(23, 0, 0)
                                   .i(1)
                                   .i(-1)
                                   .h(2)
                                   .i(0)  // probe, without a status
                                   .call(23, 0, 0)
                                   .i(-2)
                                   .i(0)
                                   .h(2)
                                   .i(0),  // of no process
                               dumpi_writer()});
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(operation_text(all[0]), "probe from 1, tag 7");
    EXPECT_EQ(operation_text(all[1]), "probe from 1, tag any");
}

/// Each pair has its own datatype: the first has 1 byte, the second 8.
TEST(dumpi, TakesTheBytesOfDatatypesInAlltoallw) {
    const auto types = [](dumpi_writer& w, int a, int b) { w.i(2).h(a).h(b); };
    const auto process = [&](int p) {
        dumpi_writer w;
        w.call(155, 0, 0).i(2).array({3, 5 - p}).array({0, 0});
        types(w, 0, p == 0 ? 1 : 0);
        w.array({p == 0 ? 3 : 5, 4}).array({0, 0});
        types(w, p == 0 ? 0 : 1, 0);
        return w.h(2).text();
    };
    trace_files files;
    const std::string path = write(files, {process(0), process(1)});
    const auto reader = open_trace(path);
    const auto all = events_of(*reader, 0);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].what, op::alltoallv);
    EXPECT_EQ(all[0].counts, (std::vector<std::uint64_t>{3, 40}));
    EXPECT_EQ(all[0].receive_counts, (std::vector<std::uint64_t>{3, 4}));
    EXPECT_EQ(events_of(*reader, 1)[0].receive_counts, (std::vector<std::uint64_t>{40, 4}));
    EXPECT_TRUE(reader->warnings().empty());
}

TEST(dumpi, SaysOnceWhatIsLeftOut) {
    trace_files files;
    const auto put = [] {
        return dumpi_writer()
            .call(143, 0, 0)
            .i(1)
            .h(0)
            .i(0)
            .i(0)
            .i(1)
            .h(0)
            .h(1)
            .call(146, 0, 0)
            .b(0)
            .h(1)
            .text();
    };
    const auto reader = open_trace(write(files, {put(), put()}));
    describe_trace(*reader);
    EXPECT_EQ(reader->warnings(),
              std::vector<std::string>{
                  "one-sided calls in windows that MPI_Win_create has not made of the trace are left out"});
}

TEST(dumpi, NamesTheCallOfAnError) {
    EXPECT_EQ(error_in("hello, world and more"), "d-0000.bin: a file of DUMPI begins with ff aa dd 'DUMPI'");
    EXPECT_EQ(error_in(dumpi_writer().call(128, 0, 0)),
              "d-0000.bin: call 1: function 128 of DUMPI is not known here");
    EXPECT_EQ(error_in(dumpi_writer().call(52, 0, 0).h(2).message(0, 1, 0, 2, 0)),
              "d-0000.bin: call 2: the destination 2 is out of range; ranks are 0 to 1");
    EXPECT_EQ(error_in(dumpi_writer().message(0, 1, 2, 1, 0)),
              "d-0000.bin: call 1: datatype 2 is not in the table, which has 2");
    EXPECT_EQ(error_in(dumpi_writer().message(0, -1, 0, 1, 0)),
              "d-0000.bin: call 1: the count -1 is negative");
    EXPECT_EQ(error_in(dumpi_writer().message(1, 1, 0, -1, 0).status(2, 0)),
              "d-0000.bin: call 1: the source 2 is out of range; ranks are 0 to 1");
    EXPECT_EQ(error_in(dumpi_writer().call(52, 0, 0).h(5)),
              "d-0000.bin: call 1: who is in communicator 5 is not known: no call of the file has made it");
    EXPECT_EQ(
        error_in(
            dumpi_writer().call(61, 0, 0).i(1).array({1}).array({0}).h(0).array({1}).array({0}).h(0).h(2)),
        "d-0000.bin: call 1: the call has 1 counts, its communicator 2 processes");
    EXPECT_EQ(error_in(dumpi_writer()
                           .call(145, 0, 0)
                           .i(8)
                           .i(1)
                           .h(0)
                           .h(2)
                           .h(4)
                           .call(143, 0, 0)
                           .i(1)
                           .h(0)
                           .i(2)
                           .i(0)
                           .i(1)
                           .h(0)
                           .h(4)),
              "d-0000.bin: call 2: the target 2 is out of range; ranks are 0 to 1");
    EXPECT_EQ(error_in(dumpi_writer().call(31, 0, 0).i(9)),
              "d-0000.bin: call 1: request 9 is started, but was never made");
    EXPECT_EQ(error_in(dumpi_writer().call(18, 0, 0).i(1).i(0x7fffffff)),
              "d-0000.bin: call 1: the file is cut short");
    std::string no_index = dumpi_writer().text();
    no_index[no_index.size() - 64] = 'x';
    EXPECT_EQ(error_in(no_index), "d-0000.bin: call 1: the index at the end of the file is missing");
    std::string many = dumpi_writer().text();
    many[many.size() - 64 - 12] = 0x7f;
    EXPECT_EQ(error_in(many),
              "d-0000.bin: call 1: the table of datatypes claims 2130706434 of them, more than there are");
}

TEST(dumpi, ReportsErrorsOfTheMetaFile) {
    trace_files files;
    const auto error = [&files](const std::string& meta) {
        return read_error(files, files.write("d.meta", meta));
    };
    EXPECT_EQ(error("numprocs=0\nfileprefix=d\n"),
              "d.meta:1:1: numprocs must be a number of processes, not '0'");
    EXPECT_EQ(error("fileprefix=\nnumprocs=2\n"),
              "d.meta: a .meta file of DUMPI needs numprocs= and fileprefix=");
    EXPECT_EQ(error("numprocs=99999999\nfileprefix=d\n"),
              "d.meta: cannot read 'd-0000.bin': No such file or directory");
}

/// Whatever byte is changed, and wherever the file ends: the answer is good, or one line.
TEST(dumpi, SurvivesBrokenFiles) {
    const std::string good = dumpi_writer()
                                 .call(124, 0, 5)
                                 .i(1)
                                 .i(2)
                                 .b('a')
                                 .b('b')
                                 .call(86, 9, 9)
                                 .h(2)
                                 .i(0)
                                 .i(0)
                                 .h(7)
                                 .message(8, 3, 0, 1, 5, 7)
                                 .i(40)
                                 .call(18, 0, 0)
                                 .i(1)
                                 .array({40})
                                 .i(0)
                                 .call(61, 0, 0)
                                 .i(2)
                                 .array({1, 1})
                                 .array({0, 0})
                                 .h(0)
                                 .array({1, 1})
                                 .array({0, 0})
                                 .h(0)
                                 .h(7)
                                 .call(54, 0, 0)
                                 .i(0)
                                 .i(1)
                                 .h(0)
                                 .i(0)
                                 .h(2)
                                 .i(1)
                                 .h(0)
                                 .text();
    trace_files files;
    const std::string path = write(files, {good, good});
    EXPECT_GT(errors_of_changes(files, "d-0000.bin", good, path), 60u + good.size());
}

}  // namespace
}  // namespace sare::testing_support::dumpi_test
