// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

/// SimGrid's time-independent traces as SMPI 3.32 writes them.
namespace sare::testing_support::simgrid_test {
namespace {

const std::string every = std::string(SARE_SOURCE_DIR) + "/tests/data/smpi-3.32/every.index";

/// Four processes of that version in which nearly every call of MPI that it records is called.
TEST(smpi, ReadsARecordingOfEveryCall) {
    const auto reader = open_trace(every);
    const auto info = describe_trace(*reader);
    EXPECT_EQ(info.tasks, 4u);
    // Blocking and not.
    EXPECT_EQ(count_of(info, op::allreduce), 2u * 4);
    EXPECT_EQ(count_of(info, op::barrier), 2u * 4);
    EXPECT_EQ(count_of(info, op::reduce_scatter), 2u * 4);
    EXPECT_EQ(count_of(info, op::allgatherv), 3u * 4);
    EXPECT_EQ(count_of(info, op::sendrecv), 1u * 4);
    EXPECT_EQ(count_of(info, op::gatherv), 0u);
    std::vector<std::string> said = reader->warnings();
    std::sort(said.begin(), said.end());
    EXPECT_EQ(
        said,
        (std::vector<std::string>{
            "a source of -333 is any or none (MPI_PROC_NULL), which the format does not tell apart; here "
            "it is any",
            "one-sided calls of the trace are left out",
            "waitany does not say what it waited for: the request that was begun first is meant"}));
    EXPECT_EQ(check_trace(*open_trace(every)), std::vector<std::string>{});
    EXPECT_GT(replay_cycles(every, 4), 0u);
}

/// Of a trace with two ranks, whose first has these lines between init and finalize.
struct first_rank {
    explicit first_rank(const std::string& lines) {
        files.write("r0", "0 init\n" + lines + "0 finalize\n");
        files.write("r1", "1 init\n1 finalize\n");
        reader = open_trace(files.write("index", "r0\nr1\n"));
        events = events_of(*reader, 0);
    }
    trace_files files;
    std::unique_ptr<traffic::trace_reader> reader;
    std::vector<event> events;
};
std::string error_in(const std::string& line) {
    const std::string text = error_of([&] { first_rank("0 " + line + "\n"); });
    return text.substr(std::min(text.find("task 0"), text.size()));
}

/// SMPI's replay also takes one file of all ranks, with their lines mixed.
TEST(smpi, ReadsOneFileOfAllRanks) {
    const trace_files files;
    files.write("r0", "0 init\n0 send 1 5 80 6\n0 compute 7\n0 finalize\n");
    files.write("r1", "1 init\n1 recv 0 5 80 6\n1 finalize\n");
    files.write("all",
                "# of both\n1 init\n0 init\n0 send 1 5 80 6\n\n0 compute 7\n1 recv 0 5 80 6\n"
                "0 finalize\n1 finalize\n");
    const auto apart = open_trace(files.write("index", "r0\nr1\n"));
    const auto together = open_trace(files.write("shared.index", "all\n"));
    ASSERT_EQ(together->tasks(), 2u);
    for (const std::uint32_t task : {1u, 0u}) {
        const auto expected = events_of(*apart, task), found = events_of(*together, task);
        ASSERT_EQ(kinds_of(found), kinds_of(expected));
        EXPECT_EQ(found[0].bytes, 80u * 1);
        EXPECT_EQ(together->where(task, found[0]).text(), files.path("all") + (task == 0 ? ":4:1" : ":7:1"));
    }
    EXPECT_EQ(check_trace(*open_trace(files.path("shared.index"))), std::vector<std::string>{});
    EXPECT_EQ(replay_cycles(files.path("shared.index"), 2), replay_cycles(files.path("index"), 2));
    files.write("all", "0 init\nx init\n");
    EXPECT_EQ(read_error(files, files.path("shared.index")), "all:2:1: the rank must be an integer, not 'x'");
    files.write("all", "0 init\n2 init\n0 finalize\n2 finalize\n");
    EXPECT_NE(read_error(files, files.path("shared.index")).find("task 1, event 0: the trace ends early"),
              std::string::npos);
}

TEST(smpi, NamesANonBlockingCollectiveByItsKind) {
    const first_rank r("0 iallreduce 3 0 1 \n0 ibarrier\n0 wait 0 0 -779\n0 wait -333 -333 -4446\n");
    EXPECT_EQ(kinds_of(r.events), (std::vector<op>{op::allreduce, op::barrier, op::wait, op::wait}));
    EXPECT_NE(r.events[0].request, 0u);
    EXPECT_EQ(r.events[2].request, r.events[1].request);
    EXPECT_EQ(r.events[3].request, r.events[0].request);
}

TEST(smpi, LeavesOutMessagesToNobody) {
    const first_rank r("0 send -333 1 1 1\n0 isend -333 1 1 1\n0 wait 0 -333 1\n0 sendRecv 2 1 3 -666 1 1\n");
    EXPECT_EQ(kinds_of(r.events), std::vector<op>{op::send});
    EXPECT_EQ(r.events[0].bytes, 8u);
    EXPECT_TRUE(r.reader->warnings().empty());
}

TEST(smpi, ReadsReceivesFromAnybodyOfAnyTag) {
    const first_rank r("0 recv -555 -444 5 0\n0 irecv -555 7 5 3\n0 wait -555 0 7\n");
    EXPECT_EQ(kinds_of(r.events), (std::vector<op>{op::recv, op::irecv, op::wait}));
    EXPECT_EQ(r.events[0].peer, traffic::any_source);
    EXPECT_EQ(r.events[0].tag, traffic::any_tag);
    EXPECT_EQ(r.events[1].bytes, 10u);
    EXPECT_EQ(r.events[2].request, r.events[1].request);
}

/// What the others' records do not have: 0 stands for their counts.
TEST(smpi, ReadsGathervAndScattervAsMessages) {
    const first_rank leaf("0 gatherv 3 0 0 1 1 1\n0 scatterv 0 0 5 1 1 1\n");
    ASSERT_EQ(kinds_of(leaf.events), (std::vector<op>{op::send, op::recv}));
    EXPECT_EQ(leaf.events[0].peer, 1u);
    EXPECT_EQ(leaf.events[0].bytes, 12u);
    EXPECT_EQ(leaf.events[1].bytes, 20u);
    const first_rank root("0 gatherv 3 3 4 0 1 1\n0 scatterv 5 6 5 0 1 1\n");
    ASSERT_EQ(kinds_of(root.events), (std::vector<op>{op::recv, op::send}));
    EXPECT_EQ(root.events[0].bytes, 16u);
    EXPECT_EQ(root.events[1].bytes, 24u);
    EXPECT_EQ(root.events[1].number, 3u);
    EXPECT_EQ(root.events[0].tag, leaf.events[0].tag);
}

/// The format does not name communicators: what can be seen of them is said, the rest is in the docs.
TEST(smpi, WarnsOfCollectivesOfOtherCommunicators) {
    const first_rank split("0 comm_split\n0 barrier\n");
    ASSERT_EQ(split.reader->warnings().size(), 1u);
    EXPECT_NE(split.reader->warnings()[0].find("collectives are read as those of all ranks"),
              std::string::npos);
    EXPECT_TRUE(first_rank("0 comm_dup\n").reader->warnings().empty());
    const first_rank smaller("0 allgatherv 1 1 2 1\n0 allgatherv 1 1 2 1\n");
    ASSERT_EQ(smaller.reader->warnings().size(), 1u);
    EXPECT_NE(smaller.reader->warnings()[0].find("fewer words than SMPI writes for 2 ranks"),
              std::string::npos);
    EXPECT_EQ(error_in("gatherv 1 1 2 3 0 1 1"),
              "task 0, event 2: the line is too long for 2 ranks; 'gatherv' needs: count, a count per rank, "
              "[root [datatype [datatype]]]");
    EXPECT_EQ(error_in("reducescatter 1 0"),
              "task 0, event 2: the line is too short; 'reducescatter' needs: a count per rank, flops, "
              "[datatype]");
}

TEST(smpi, ReportsWhatCannotBeRead) {
    EXPECT_EQ(error_in("Start 1 45 12 1"),
              "task 0, event 2: 'Start' (a persistent request) has no source in this format; not read");
    EXPECT_EQ(error_in("send -444 1 1 1"),
              "task 0, event 2: the partner -444 is out of range; tasks are 0 to 1");
    EXPECT_EQ(error_in("waitals 2"), "task 0, event 2: unknown action 'waitals'; did you mean 'waitall'?");
    EXPECT_EQ(error_in("wait 0 x 1"), "task 0, event 2: the destination must be an integer, not 'x'");
    EXPECT_EQ(error_in("scatterv 1 2"),
              "task 0, event 2: the line is too short; 'scatterv' needs: a count per rank, count, [root "
              "[datatype [datatype]]]");
}

TEST(smpi, TakesTheSizesOfDatatypesOfThatVersion) {
    const first_rank r("0 bcast 2 0 26\n0 bcast 2 0 57\n0 bcast 2 0 49\n0 bcast 2 0 -1\n");
    EXPECT_EQ(r.events[0].bytes, 32u);
    EXPECT_EQ(r.events[1].bytes, 2u);
    EXPECT_EQ(r.events[2].bytes, 32u);
    EXPECT_EQ(r.events[3].bytes, 8u);
    EXPECT_EQ(r.reader->warnings(), std::vector<std::string>{"datatype -1 is not known; counted as 4 bytes"});
}

}  // namespace
}  // namespace sare::testing_support::simgrid_test
