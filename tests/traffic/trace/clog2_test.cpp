// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/any_order.h"
#include "tests/traffic/trace/trace_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

/// Logs as MPE2's clog_record.h and clog_preamble.h describe them, written here.
namespace sare::testing_support::clog2_test {
namespace {

constexpr unsigned block_bytes = 512;

/// A log of CLOG 2.44 in either order of bytes, with communicators made by hand.
class log_writer {
  public:
    explicit log_writer(unsigned processes, bool big = false) : m_big(big) {
        m_text = "CLOG-02.44" + std::string(1, '\0');
        for (const std::string& word :
             {std::string("is_big_endian="), std::string(big ? "TRUE " : "FALSE"),
              std::string("is_finalzed="), std::string("TRUE "), std::string("block_size="),
              std::to_string(block_bytes), std::string("max_comm_world_size="), std::to_string(processes),
              std::string("max_thread_count="), std::string("1")})
            m_text += word + std::string(1, '\0');
        m_text.resize(1024);
        state(2, 4, 5, "MPI_Send");
        state(3, 6, 7, "MPI_Recv");
        state(4, 8, 9, "MPI_Isend");
        state(5, 10, 11, "MPI_Wait");
        state(6, 12, 13, "MPI_Barrier");
        state(7, 14, 15, "MPI_Allreduce");
        state(8, 16, 17, "MPE_Irecv_waited");
        for (unsigned p = 0; p < processes; ++p) member(0, p, p, 0);
    }

    void state(unsigned id, unsigned begin, unsigned end, std::string name) {
        name.resize(32);
        record(0, 0, 0, 2, {id, begin, end, 0}, std::string(24, 'c') + name + std::string(40, '\0'));
    }
    /// Rank `rank` of communicator `id` is process `process`.
    void member(unsigned id, unsigned rank, unsigned process, unsigned how = 100) {
        record(0, 0, process, 9, {how, id, rank, process}, std::string(32, 'u'));
    }
    void event(double time, unsigned process, unsigned which, unsigned comm = 0) {
        record(time, comm, process, 5, {which, 0});
    }
    /// `which`: -101 a send, -102 a receive.
    void message(double time, unsigned process, int which, unsigned peer, unsigned tag, unsigned bytes,
                 unsigned comm = 0) {
        to_other_side(time, process, which, peer, tag, bytes, comm, comm);
    }
    /// A member of `comm` and a rank of `other`.
    void to_other_side(double time, unsigned rank, int which, unsigned peer, unsigned tag, unsigned bytes,
                       unsigned comm, unsigned other) {
        record(time, comm, rank, 7, {static_cast<unsigned>(which), other, peer, tag, bytes, 0});
    }
    void record(double time, unsigned comm, unsigned rank, unsigned kind,
                const std::vector<unsigned>& numbers, const std::string& more = "") {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &time, 8);
        std::string text =
            number(bits, 8) + number(comm, 4) + number(rank, 4) + number(0, 4) + number(kind, 4);
        for (const unsigned n : numbers) text += number(n, 4);
        text += more;
        // An end of a block always has room.
        if (m_in_block + text.size() + 24 > block_bytes) close_block();
        m_text += text;
        m_in_block += text.size();
    }
    std::string finished() {
        record(9, 0, 0, 0, {});
        m_text.resize(m_text.size() + block_bytes - m_in_block);
        return m_text + number(0, 4);  // behind it the table of communicators, here an empty one
    }

  private:
    std::string number(std::uint64_t n, unsigned bytes) const {
        std::string text = little(n, bytes);
        if (m_big) std::reverse(text.begin(), text.end());
        return text;
    }
    void close_block() {
        m_text += number(0, 8) + number(0, 12) + number(1, 4);
        m_text.resize(m_text.size() + block_bytes - m_in_block - 24);
        m_in_block = 0;
    }
    bool m_big;
    std::string m_text;
    std::size_t m_in_block = 0;
};

/// Process 0 computes, sends to 1 and 2 and meets them; 1 and 2 are ranks 1 and 0 of communicator 7.
std::string example(bool big) {
    log_writer w(3, big);
    w.member(7, 1, 1);
    w.member(7, 0, 2);
    for (unsigned p = 0; p < 3; ++p) w.event(1, p, 99);  // no state
    w.event(1.5, 0, 4), w.message(1.5, 0, -101, 1, 5, 4096), w.event(2, 0, 5);
    w.event(2, 0, 8), w.message(2, 0, -101, 2, 6, 100), w.event(2, 0, 9);
    w.event(1, 1, 6), w.message(2.25, 1, -102, 0, 5, 4096), w.event(2.25, 1, 7);
    w.event(1, 2, 10), w.event(1.1, 2, 16), w.message(2.25, 2, -102, 0, 6, 100), w.event(2.25, 2, 11);
    w.event(2.5, 0, 12, 7), w.event(2.75, 0, 13, 7);
    w.event(2.5, 1, 12, 7), w.event(2.75, 1, 13, 7);
    for (unsigned p = 0; p < 3; ++p) w.event(3, p, 14), w.event(3, p, 15);
    return w.finished();
}

TEST(clog2, ReadsCallsAndTheComputationBetweenThem) {
    for (const bool big : {false, true}) {
        const trace_files files;
        const auto reader = open_trace(files.write("t", example(big)));
        ASSERT_EQ(reader->tasks(), 3u);
        const auto zero = events_of(*reader, 0);
        EXPECT_EQ(kinds_of(zero),
                  (std::vector<op>{op::compute, op::send, op::isend, op::compute, op::allreduce}));
        EXPECT_DOUBLE_EQ(zero[0].seconds, 0.5);
        EXPECT_EQ(zero[1].peer, 1u);
        EXPECT_EQ(zero[1].bytes, 4096u);
        EXPECT_EQ(zero[1].tag, 5);
        EXPECT_EQ(zero[2].peer, 2u);
        EXPECT_DOUBLE_EQ(zero[3].seconds, 1);
        // Ranks 0 and 1 of communicator 7 are processes 2 and 1.
        const auto one = events_of(*reader, 1), two = events_of(*reader, 2);
        EXPECT_EQ(kinds_of(two),
                  (std::vector<op>{op::recv, op::compute, op::barrier, op::compute, op::allreduce}));
        EXPECT_EQ(kinds_of(one),
                  (std::vector<op>{op::recv, op::compute, op::barrier, op::compute, op::allreduce}));
        EXPECT_EQ(two[0].peer, 0u);
        EXPECT_DOUBLE_EQ(one[1].seconds, 0.25);
        ASSERT_NE(one[2].communicator, 0u);
        EXPECT_EQ(reader->group(one[2].communicator).task(0), 2u);
        EXPECT_EQ(reader->group(one[2].communicator).task(1), 1u);
        EXPECT_EQ(one[4].communicator, 0u);
        EXPECT_EQ(reader->warnings(),
                  (std::vector<std::string>{"the log has no sizes and roots of collectives: "
                                            "each is empty, and of rank 0"}));
        EXPECT_EQ(check_trace(*open_trace(files.path("t"))), std::vector<std::string>{});
        expect_the_same_in_any_order(files.path("t"));
        EXPECT_GT(replay_cycles(files.path("t"), 3, "0"), 0u);
    }
}

/// A message and its answer in a communicator whose ranks are the other way round.
TEST(clog2, TakesPartnersAsRanksOfTheCommunicator) {
    log_writer w(2);
    w.member(3, 0, 1), w.member(3, 1, 0);
    w.event(1, 0, 4, 3), w.message(1, 0, -101, 1, 2, 80, 3), w.event(1, 0, 5, 3);
    w.event(1, 1, 6, 3), w.message(1, 1, -102, 0, 2, 80, 3), w.event(1, 1, 7, 3);
    const trace_files files;
    const auto reader = open_trace(files.write("t", w.finished()));
    event e;
    ASSERT_TRUE(reader->next(1, e));  // rank 0 of it
    EXPECT_EQ(e.what, op::send);
    EXPECT_EQ(reader->task_of(e, e.peer), 0u);
    EXPECT_EQ(replay_cycles(files.path("t"), 2, "0"), 9u + 10);
}

/// A shifted clock: what is computed from a time below 0 on counts.
TEST(clog2, MayBeginBelowZero) {
    log_writer w(2);
    w.event(-1, 0, 99);
    w.event(1, 0, 4), w.message(1, 0, -101, 1, 5, 80), w.event(1, 0, 5);
    w.event(1, 1, 6), w.message(1, 1, -102, 0, 5, 80), w.event(1, 1, 7);
    const trace_files files;
    const auto zero = events_of(*open_trace(files.write("t", w.finished())), 0);
    EXPECT_EQ(kinds_of(zero), (std::vector<op>{op::compute, op::send}));
    EXPECT_DOUBLE_EQ(zero[0].seconds, 2);
}

/// Each side has a communicator of its own for it: partners of messages are ranks of the other side's.
TEST(clog2, ReadsOnlyMessagesOfIntercommunicators) {
    const auto log = [](bool collective) {
        log_writer w(3);
        w.member(4, 0, 0, 101), w.member(5, 0, 2, 101), w.member(5, 1, 1, 101);  // the local groups
        w.member(6, 0, 0, 1000), w.member(7, 0, 2, 1000), w.member(7, 1, 1, 1000);
        w.event(1, 0, 4, 6), w.to_other_side(1, 0, -101, 1, 5, 80, 6, 5), w.event(1, 0, 5, 6);
        w.event(1, 1, 6, 7), w.to_other_side(1, 1, -102, 0, 5, 80, 7, 4), w.event(1, 1, 7, 7);
        if (collective) w.event(2, 0, 12, 6), w.event(2, 0, 13, 6);
        return w.finished();
    };
    const trace_files files;
    const auto reader = open_trace(files.write("t", log(false)));
    event e;
    ASSERT_TRUE(reader->next(0, e));
    EXPECT_EQ(reader->task_of(e, e.peer), 1u);  // rank 1 of the other side
    EXPECT_EQ(check_trace(*open_trace(files.path("t"))), std::vector<std::string>{});
    EXPECT_NE(read_error(files, files.write("c", log(true)))
                  .find("MPI_Barrier of an intercommunicator is not read"),
              std::string::npos);
}

TEST(clog2, ReportsErrorsInOneLine) {
    const trace_files files;
    const auto error = [&](const std::string& content) {
        return read_error(files, files.write("t", content));
    };
    const std::string good = example(false);
    std::string other = good;
    other[9] = '1';
    EXPECT_EQ(error(other), "t: this is version 'CLOG-02.41' of CLOG; 02.42 to 02.44 are read");
    EXPECT_EQ(error(good.substr(0, 100)), "t: the preamble is cut short");
    EXPECT_EQ(error(good.substr(0, 1024 + 700)),
              "t: record 6: the log ends early: its last record is missing");
    other = good;
    other.replace(other.find("TRUE "), 5, "FALSE");
    EXPECT_EQ(error(other), "t: the log was not finished; clog2_repair of MPE mends it");
    other = good;
    other.replace(other.find("512"), 3, "-12");
    EXPECT_EQ(error(other), "t: the preamble's 'block_size' must be 1 to 67108864, not '-12'");
    log_writer w(2);
    w.event(1, 0, 4, 5);
    EXPECT_EQ(error(w.finished()), "t: record 12: no process tells of communicator 5");
    log_writer missing(2);
    missing.member(8, 1, 1);
    EXPECT_EQ(error(missing.finished()), "t: record 13: rank 0 of communicator 8 does not tell of it");
    log_writer twice(2);
    twice.member(8, 0, 1), twice.member(8, 1, 1);
    EXPECT_NE(error(twice.finished()).find("a process is in communicator 8 twice"), std::string::npos);
    log_writer timeless(2);
    timeless.event(std::nan(""), 0, 4);
    EXPECT_NE(error(timeless.finished()).find("its time is no number"), std::string::npos);
    // Wherever it ends, and whatever is changed: good, or a line.
    const std::string pair = log_writer(2).finished();
    unsigned wrong = 0;
    for (std::size_t k = 1024; k < pair.size(); k += 31) {
        std::string changed = pair;
        changed[k] = static_cast<char>(changed[k] ^ '\x81');
        for (const std::string& text : {error(changed), error(pair.substr(0, k))}) {
            EXPECT_EQ(text.find('\n'), std::string::npos) << k << ": " << text;
            wrong += text.empty() ? 0 : 1;
        }
    }
    EXPECT_GT(wrong, 40u);
}

}  // namespace
}  // namespace sare::testing_support::clog2_test
