// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/any_order.h"
#include "tests/traffic/trace/dumpi_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

namespace sare::testing_support::dumpi_groups_test {
namespace {

using tasks = std::vector<std::uint32_t>;

const std::string recorded =
    std::string(SARE_SOURCE_DIR) + "/tests/data/dumpi-groups.6/groups.meta";  // its source is beside it

/// A trace of processes that are written by their number.
class written {
  public:
    written(int processes, const std::function<void(dumpi_writer&, int)>& calls) {
        std::vector<std::string> texts;
        for (int p = 0; p < processes; ++p) {
            dumpi_writer w;
            calls(w, p);
            texts.push_back(w.text());
        }
        m_path = write(m_files, texts);
    }
    const std::string& path() const { return m_path; }
    std::unique_ptr<traffic::trace_reader> open() const { return open_trace(m_path); }
    std::vector<std::string> problems() const { return check_trace(*open()); }
    std::string error() const { return read_error(m_files, m_path); }
    /// The members of each communicator that a process has a barrier in.
    std::vector<tasks> met_by(std::uint32_t process) const {
        const auto reader = open();
        std::vector<tasks> all;
        for (const event& e : events_of(*reader, process))
            if (e.what == op::barrier) all.push_back(members(*reader, e.communicator));
        return all;
    }
    static tasks members(const traffic::trace_reader& reader, std::uint32_t communicator) {
        tasks all;
        for (std::uint32_t r = 0; r < reader.group(communicator).size(); ++r)
            all.push_back(reader.group(communicator).task(r));
        return all;
    }

  private:
    trace_files m_files;
    std::string m_path;
};

/// MPI_Comm_create of MPI_COMM_WORLD and a barrier, of those that are in it.
void create(dumpi_writer& w, int process, int group, const tasks& in) {
    const bool member = std::count(in.begin(), in.end(), static_cast<std::uint32_t>(process)) > 0;
    w.call_of(85, {2, group, member ? 20 + group : 1});
    if (member) w.barrier(20 + group);
}

/// Recorded with MPICH: every message and collective has its partners, by the ranks that are in the files.
TEST(dumpi_groups, AreReadFromARecordingOfEveryKind) {
    EXPECT_EQ(check_trace(*open_trace(recorded)), std::vector<std::string>{});
    expect_the_same_in_any_order(recorded);
    const auto info = describe_trace(*open_trace(recorded));
    EXPECT_EQ(info.tasks, 6U);
    EXPECT_EQ(info.messages, 291U);
    replay_cycles(recorded, 6);
}

TEST(dumpi_groups, AreMadeOfGroups) {
    const std::vector<tasks> expected = {{0, 2, 4},    {1, 3, 5}, {5, 4, 3, 0}, {1, 2},
                                         {1, 2, 0, 4}, {1},       {2, 0, 4}};
    const written trace(6, [&](dumpi_writer& w, int p) {
        w.call_of(72, {2, 3});                               // the group of all
        w.group_of(76, 3, {0, 2, 4}, 4);                     // incl
        w.group_of(77, 3, {0, 2, 4}, 5);                     // excl
        w.ranges_of(78, 3, {{5, 3, -1}, {0, 1, 2}}, 6);      // range_incl: 5, 4, 3 and 0
        w.ranges_of(79, 3, {{5, 3, -1}, {0, 1, 2}}, 7);      // range_excl
        w.call_of(73, {7, 4, 8}).call_of(74, {8, 5, 9});     // union, intersection
        w.call_of(75, {8, 5, 10}).call_of(75, {10, 10, 2});  // difference; none is left
        for (int group = 4; group <= 10; ++group)
            create(w, p, group, expected[static_cast<std::size_t>(group - 4)]);
        w.call_of(85, {2, 2, 1});
    });
    EXPECT_EQ(trace.problems(), std::vector<std::string>{});
    for (std::uint32_t p = 0; p < 6; ++p) {
        std::vector<tasks> own;
        for (const auto& e : expected)
            if (std::count(e.begin(), e.end(), p) > 0) own.push_back(e);
        EXPECT_EQ(trace.met_by(p), own) << p;
    }
    expect_the_same_in_any_order(trace.path());
}

/// Different processes name different groups in one call.
TEST(dumpi_groups, MayBeDisjointInOneCall) {
    const written trace(5, [](dumpi_writer& w, int p) {
        w.call_of(72, {2, 3}).group_of(76, 3, p % 2 != 0 ? std::vector{3, 1} : std::vector{0, 4}, 4);
        w.call_of(85, {2, 4, p == 2 ? 1 : 5});
        if (p != 2) w.barrier(5).says(82, 5, p == 1 || p == 4 ? 1 : 0).says(81, 5, 2);
    });
    EXPECT_EQ(trace.problems(), std::vector<std::string>{});
    EXPECT_EQ(trace.met_by(0), std::vector<tasks>({{0, 4}}));
    EXPECT_EQ(trace.met_by(1), std::vector<tasks>({{3, 1}}));
}

/// Tasks 0, 2 and 4, and 3 and 1 in this order.
void two_sides(dumpi_writer& w, int p) {
    const bool odd = p % 2 != 0;
    w.split(2, p % 2, odd ? -p : p, 4).intercomm(4, odd ? 0 : 1, 2, odd ? 2 : 3, 5);
    w.says(82, 5, odd ? (p == 3 ? 0 : 1) : p / 2).says(81, 5, odd ? 2 : 3).says(89, 5, odd ? 3 : 2);
}

TEST(dumpi_groups, TakeRanksOfMessagesOnTheOtherSide) {
    const written trace(5, [](dumpi_writer& w, int p) {
        two_sides(w, p);
        if (p == 4) w.message(0, 10, 1, 1, 7, 5);                // to rank 1 of the odd ones
        if (p == 1) w.message(1, 10, 1, -1, 7, 5).status(2, 7);  // from rank 2 of the even ones
        if (p == 3) w.message(0, 1, 1, 0, 7, 5);
        if (p == 0) w.message(1, 1, 1, 0, 7, 5).i(0);
    });
    EXPECT_EQ(trace.problems(), std::vector<std::string>{});
    const auto info = describe_trace(*trace.open());
    EXPECT_EQ(info.matrix.at({4, 1}).bytes, 80U);
    EXPECT_EQ(info.matrix.at({3, 0}).bytes, 8U);
    EXPECT_EQ(info.messages, 2U);
    const written wrong(5, [](dumpi_writer& w, int p) {
        two_sides(w, p);
        if (p == 0) w.message(0, 1, 1, 2, 7, 5);
    });
    EXPECT_EQ(wrong.error(), "d-0000.bin: call 6: the destination 2 is out of range; ranks are 0 to 1");
}

/// Barrier, allreduce, allgather, alltoall.
TEST(dumpi_groups, HaveCollectivesBetweenTwoSides) {
    const written trace(5, [](dumpi_writer& w, int p) {
        two_sides(w, p);
        w.barrier(5).call(65, 0, 0).i(10).h(1).b(3).h(5);
        w.call(58, 0, 0).i(p + 1).h(0).i(p % 2 != 0 ? 2 : 3).h(0).h(5);
    });
    const auto reader = trace.open();
    std::vector<std::string> texts;
    for (const event& e : events_of(*reader, 0)) {
        texts.push_back(operation_text(e) + " in");
        if (e.what != op::wait)
            for (const auto t : written::members(*reader, e.communicator))
                texts.back() += " " + std::to_string(t);
    }
    const std::string all = " in 0 2 4 3 1", own = " in 0 2 4";
    EXPECT_EQ(texts[0], "barrier" + all);
    EXPECT_EQ(texts[1].substr(0, 6), "reduce");
    EXPECT_EQ(texts[1].substr(texts[1].size() - own.size()), own);
    EXPECT_EQ(texts[2], "isend to 3, tag -1003, 80 bytes" + all);
    EXPECT_EQ(texts[3], "recv from 3, tag -1003, 80 bytes" + all);
    EXPECT_EQ(texts[5].substr(0, 5), "bcast");
    EXPECT_EQ(texts[6], "irecv from 3, tag -1004, 3 bytes" + all);
    EXPECT_EQ(texts[9], "isend to 4, tag -1004, 1 bytes" + all);
    EXPECT_EQ(texts.size(), 14U);
    const written alltoall(5, [](dumpi_writer& w, int p) {
        two_sides(w, p);
        w.call(60, 0, 0).i(2).h(1).i(2).h(1).h(5);
    });
    EXPECT_EQ(alltoall.problems(), std::vector<std::string>{});
    EXPECT_EQ(describe_trace(*alltoall.open()).messages, 12U);
    replay_cycles(alltoall.path(), 5);
}

/// Low before high; of two that are both high the one with task 0.
TEST(dumpi_groups, AreMergedWithTheLowSideFirst) {
    const written trace(5, [](dumpi_writer& w, int p) {
        two_sides(w, p);
        w.merge(5, p % 2 == 0, 6).barrier(6).merge(5, 1, 7).barrier(7);
    });
    EXPECT_EQ(trace.met_by(1), (std::vector<tasks>{{3, 1, 0, 2, 4}, {0, 2, 4, 3, 1}}));
    EXPECT_EQ(trace.problems(), std::vector<std::string>{});
}

/// Copied, parted by color, and made of a group of each side; a side's group and the other's.
TEST(dumpi_groups, AreMadeOfTwoSides) {
    const written trace(5, [](dumpi_writer& w, int p) {
        two_sides(w, p);
        const bool odd = p % 2 != 0, low = p == 0 || p == 1 || p == 4;
        w.call_of(84, {5, 6}).barrier(6);
        w.split(5, low ? 0 : 1, -p, 7).barrier(7);
        w.call_of(72, {5, 4}).group_of(76, 4, {1, 0}, 5).call_of(85, {5, 5, p == 4 ? 1 : 8});
        if (p != 4) w.barrier(8);
        w.call_of(90, {5, 6}).call_of(72, {2, 7}).call_of(75, {7, 6, 8}).call_of(85, {2, 8, 9}).barrier(9);
        w.says(81, 9, odd ? 2 : 3);
    });
    EXPECT_EQ(trace.problems(), std::vector<std::string>{});
    EXPECT_EQ(trace.met_by(0), (std::vector<tasks>{{0, 2, 4, 3, 1}, {1, 4, 0}, {1, 3, 2, 0}, {0, 2, 4}}));
    EXPECT_EQ(trace.met_by(3), (std::vector<tasks>{{0, 2, 4, 3, 1}, {2, 3}, {1, 3, 2, 0}, {1, 3}}));
}

/// Rows and columns of 2 x 3, and planes of planes.
TEST(dumpi_groups, AreMadeOfPartsOfGrids) {
    const written trace(6, [](dumpi_writer& w, int) {
        w.cart(2, {2, 3}, 0, 4).cart_sub(4, {0, 1}, 5).barrier(5).cart_sub(4, {1, 0}, 6).barrier(6);
        w.call_of(84, {4, 7}).cart_sub(7, {1, 1}, 8).cart_sub(8, {0, 0}, 9).barrier(9).barrier(8);
    });
    EXPECT_EQ(trace.problems(), std::vector<std::string>{});
    EXPECT_EQ(trace.met_by(1), (std::vector<tasks>{{0, 1, 2}, {1, 4}, {1}, {0, 1, 2, 3, 4, 5}}));
    EXPECT_EQ(trace.met_by(5), (std::vector<tasks>{{3, 4, 5}, {2, 5}, {5}, {0, 1, 2, 3, 4, 5}}));
}

/// Where ranks may be reordered, they are those that the processes were told.
TEST(dumpi_groups, TakeTheRanksInTheFileForGridsAndGraphs) {
    const written trace(4, [](dumpi_writer& w, int p) {
        w.cart(2, {2, 2}, 1, 4).says(82, 4, 3 - p).barrier(4).cart_sub(4, {0, 1}, 5).barrier(5);
        w.call(101, 0, 0).i(0).h(2).i(3).array({1, 2, 3}).array({}).i(0).h(p < 3 ? 6 : 1);
        if (p < 3) w.barrier(6);
        w.cart(2, {3}, 1, p < 3 ? 7 : 1);
        if (p < 3) w.barrier(7);  // none has asked
    });
    EXPECT_EQ(trace.met_by(0), (std::vector<tasks>{{3, 2, 1, 0}, {1, 0}, {0, 1, 2}, {0, 1, 2}}));
    EXPECT_EQ(trace.problems(), std::vector<std::string>{});
}

/// MPI_Comm_group of MPI_COMM_SELF, MPI_Win_get_group.
TEST(dumpi_groups, AreMadeOfOneselfAndOfWindows) {
    const written trace(3, [](dumpi_writer& w, int p) {
        w.split(2, 0, -p, 4).call(145, 0, 0).i(8).i(1).h(0).h(4).h(1);
        w.call_of(148, {1, 3}).call_of(85, {2, 3, 5}).barrier(5);
        w.call_of(72, {3, 4}).call_of(85, {3, 4, 6}).barrier(6).call_of(84, {3, 7}).barrier(7);
    });
    EXPECT_EQ(trace.met_by(1), (std::vector<tasks>{{2, 1, 0}, {1}, {1}}));
    EXPECT_EQ(trace.problems(), std::vector<std::string>{});
}

/// The error of three processes that all do this, and then meet in communicator 5.
std::string error_of_all(const std::function<void(dumpi_writer&, int)>& calls) {
    const std::string text = written(3, [&](dumpi_writer& w, int p) {
                                 w.call_of(72, {2, 3});
                                 calls(w, p);
                                 w.barrier(5);
                             }).error();
    const std::string known = "who is in communicator 5 is not known: ";
    const auto at = text.find(known);
    return at == std::string::npos ? text : text.substr(0, at) + text.substr(at + known.size());
}

TEST(dumpi_groups, ReportWhatIsMissingWhereItIsUsed) {
    const auto of = [](int group) { return [group](dumpi_writer& w, int) { w.call_of(85, {2, group, 5}); }; };
    EXPECT_EQ(error_of_all(of(4)),
              "d-0000.bin: call 3: MPI_Comm_create at call 2: no call of the file has made group 4");
    const auto incl = [&](const std::vector<int>& ranks) {
        return error_of_all([&](dumpi_writer& w, int p) {
            w.group_of(76, 3, ranks, 4);
            of(4)(w, p);
        });
    };
    const std::string begin = "d-0000.bin: call 4: MPI_Comm_create at call 3: ";
    EXPECT_EQ(incl({0, 3}),
              begin + "MPI_Group_incl at call 2: rank 3 is out of range; the group has 3 processes");
    EXPECT_EQ(incl({0, 0}), begin + "MPI_Group_incl at call 2: rank 0 is named twice");
    EXPECT_EQ(incl({1, 2}), begin + "the process is not in group 4");
    EXPECT_EQ(error_of_all([&](dumpi_writer& w, int p) {
                  w.group_of(76, 3, p == 0 ? std::vector{0, 1} : std::vector{1, 2}, 4);
                  of(4)(w, p);
              }),
              begin + "process 1 is in the group, but does not name it");
    EXPECT_EQ(error_of_all([&](dumpi_writer& w, int p) {
                  w.ranges_of(78, 3, {{0, 2, 0}}, 4);
                  of(4)(w, p);
              }),
              begin + "MPI_Group_range_incl at call 2: the step of a range is 0");
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int) {
                  w.ranges_of(79, 3, {{0, 2}}, 4);
              }),
              "d-0000.bin: call 2: a range has 2 numbers, not 3");
    EXPECT_EQ(error_of_all([&](dumpi_writer& w, int p) {
                  w.call_of(90, {2, 4});
                  of(4)(w, p);
              }),
              begin + "MPI_Comm_remote_group at call 2: communicator 2 has no remote group");
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int) {
                  w.call_of(84, {1, 5});
              }),
              "d-0000.bin: call 3: MPI_Comm_dup at call 2: communicator 1 is MPI_COMM_NULL");
}

TEST(dumpi_groups, ReportCallsThatDoNotMeet) {
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int p) {
                  if (p < 2) w.call_of(84, {2, 5});
              }),
              "d-0000.bin: call 3: MPI_Comm_dup at call 2 waits for process 2, which never comes");
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int p) {
                  if (p < 2)
                      w.call_of(84, {2, 5});
                  else
                      w.split(2, 0, 0, 5);
              }),
              "d-0000.bin: call 3: MPI_Comm_dup at call 2: process 0 calls MPI_Comm_dup at call 2, process 2 "
              "MPI_Comm_split at call 2");
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int p) {
                  w.split(2, p == 2, 0, 4).intercomm(4, 0, 2, 1 + (p != 2), 5);
              }),
              "d-0000.bin: call 4: MPI_Intercomm_create at call 3 waits for process 2, which never comes");
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int) { w.intercomm(3, 0, 2, 7, 5); }),
              "d-0000.bin: call 3: MPI_Intercomm_create at call 2: remote leader 7 is out of range");
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int) { w.merge(2, 0, 5); }),
              "d-0000.bin: call 3: MPI_Intercomm_merge at call 2: the communicator is no intercommunicator");
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int) { w.cart_sub(2, {1}, 5); }),
              "d-0000.bin: call 3: MPI_Cart_sub at call 2: communicator 2 is no grid of 1 dimensions");
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int) {
                  w.cart(2, {2, 2}, 0, 5);
              }),
              "d-0000.bin: call 3: MPI_Cart_create at call 2: the grid does not fit the 3 processes");
    EXPECT_EQ(error_of_all([](dumpi_writer& w, int p) {
                  w.call_of(84, {2, 5}).says(82, 5, 2 - p);
              }),
              "d-0000.bin: call 3: the rank in communicator 5 is 2 here, but 0 by the calls that made it");
}

/// Not replayed between two sides, or not recorded in full.
TEST(dumpi_groups, RefuseSomeCallsBetweenTwoSides) {
    const auto error = [](const std::function<void(dumpi_writer&)>& last) {
        return written(5,
                       [&](dumpi_writer& w, int p) {
                           two_sides(w, p);
                           last(w);
                       })
            .error();
    };
    EXPECT_EQ(error([](dumpi_writer& w) { w.call(53, 0, 0).i(1).h(0).i(0).h(5); }),
              "d-0000.bin: call 6: MPI_Bcast of intercommunicator 5 is not replayed");
    EXPECT_EQ(error([](dumpi_writer& w) { w.call(145, 0, 0).i(8).i(1).h(0).h(5).h(1); }),
              "d-0000.bin: call 6: a window of an intercommunicator is not replayed");
    EXPECT_EQ(error([](dumpi_writer& w) {
                  w.call(61, 0, 0).i(1).array({1}).array({0}).h(0).array({1}).array({0}).h(0).h(5);
              }),
              "d-0000.bin: call 6: the call has 1 counts, its communicator 2 processes on the other side");
}

/// MPICH's MPI_PROC_NULL is written as any source: the status tells.
TEST(dumpi_groups, LeaveOutReceivesFromNoProcess) {
    const written trace(2, [](dumpi_writer& w, int) {
        w.message(1, 1, 1, -1, 7).status(-1, -1);                         // recv
        w.message(12, 1, 1, -1, 7).i(40).message(12, 1, 1, -1, 7).i(41);  // irecv
        w.call(18, 0, 0).i(2).array({41, 40}).i(2);
        for (int k = 0; k < 2; ++k) w.i(0).i(-1).h(0).i(-1);                             // waitall
        w.message(12, 1, 1, -1, 7).i(42).call(14, 0, 0).i(42).i(1).status(-1, -1);       // irecv, test
        w.call(33, 0, 0).i(1).h(0).i(-1).i(5).i(1).h(0).i(-1).i(5).h(2).status(-1, -1);  // sendrecv
        w.call(23, 0, 0).i(-1).i(-1).h(2).status(-1, -1);                                // probe
        w.barrier(2);
    });
    EXPECT_EQ(trace.problems(), std::vector<std::string>{});
    EXPECT_EQ(describe_trace(*trace.open()).messages, 0U);
    EXPECT_EQ(events_of(*trace.open(), 0).size(), 1U);
}

/// Whatever byte is changed, and wherever the file ends: the answer is good, or one line.
TEST(dumpi_groups, SurviveBrokenFiles) {
    const auto process = [](int p) {
        dumpi_writer w;
        w.call_of(72, {2, 3}).group_of(76, 3, {2, 0}, 4).ranges_of(78, 3, {{2, 0, -1}}, 5);
        w.call_of(73, {4, 5, 6}).call_of(85, {2, 4, p == 1 ? 1 : 4});
        if (p != 1) w.barrier(4);
        w.split(2, p == 1, 0, 5).intercomm(5, 0, 2, p == 1 ? 0 : 1, 6).call(65, 0, 0).i(1).h(0).b(3).h(6);
        w.merge(6, 0, 7).barrier(7).cart(2, {3, 1}, 1, 8).cart_sub(8, {1, 0}, 9).barrier(9);
        return w.text();
    };
    trace_files files;
    const std::string good = process(0);
    const std::string path = write(files, {good, process(1), process(2)});
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    EXPECT_GT(errors_of_changes(files, "d-0000.bin", good, path), 60U + good.size());
}

}  // namespace
}  // namespace sare::testing_support::dumpi_groups_test
