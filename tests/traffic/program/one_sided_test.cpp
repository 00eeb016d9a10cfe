// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/observed.h"
#include "tests/traffic/scripted.h"
#include "tests/traffic/trace/trace_files.h"
#include "traffic/trace/tools/check.h"
#include "traffic/trace/write/write.h"

#include <gtest/gtest.h>

/// Puts, gets, flushes, fences and probes: closed forms without load, where they are counted, how they are
/// written.
namespace sare::testing_support::one_sided_test {
namespace {

using traffic::any_source;
using traffic::any_tag;
using traffic::executor_parameters;

constexpr double ns = 1e-9;  // a cycle
using script_of_tasks = std::vector<std::vector<operation>>;

operation put(std::uint32_t to, std::uint64_t bytes, std::uint64_t request = 0) {
    return message(op::put, to, bytes, 0, request);
}
operation get(std::uint32_t from, std::uint64_t bytes, std::uint64_t request = 0) {
    return message(op::get, from, bytes, 0, request);
}
operation flush(std::uint32_t to = any_source) {
    return message(op::flush, to, 0);
}
operation probe(std::uint32_t source, std::int64_t tag) {
    return message(op::probe, source, 0, tag);
}

/// Alone in the network a message of so many flits takes 9 cycles more; a control message has one flit.
constexpr std::uint64_t latency(std::uint64_t bytes) {
    return 9 + (bytes == 0 ? 1 : (bytes + 7) / 8);
}

TEST(OneSided, EndsAPutWithItsAcknowledgement) {
    for (const std::uint64_t bytes : {0U, 1U, 80U, 8000U}) {
        const scripted_run r({{put(1, bytes), flush()}, {}});
        EXPECT_EQ(r.finish(0), latency(bytes) + latency(0)) << bytes;
        EXPECT_EQ(r.finish(1), 0U);
        EXPECT_EQ(r.port.sent.size(), 2U);
    }
}

TEST(OneSided, EndsAGetWithItsData) {
    for (const std::uint64_t bytes : {0U, 1U, 80U, 8000U}) {
        EXPECT_EQ(scripted_run({{get(1, bytes), flush()}, {}}).finish(0), latency(0) + latency(bytes));
        // The target computes meanwhile: its node answers.
        EXPECT_EQ(scripted_run({{get(1, bytes, 4), plain(op::wait, 4)}, {compute(1e-3)}}).finish(0),
                  latency(0) + latency(bytes));
    }
}

TEST(OneSided, LetsATaskGoOnAtOnce) {
    EXPECT_EQ(scripted_run({{put(1, 80), get(1, 80), compute(3 * ns)}, {}}).finish(0), 3U);
    // A wait for all is for what has a name.
    EXPECT_EQ(scripted_run({{put(1, 80), plain(op::waitall)}, {}}).finish(0), 0U);
    EXPECT_EQ(scripted_run({{put(1, 80, 1), plain(op::waitall)}, {}}).finish(0), 29U);
    EXPECT_EQ(scripted_run({{put(1, 80, 1), compute(20 * ns), plain(op::wait, 1)}, {}}).finish(0), 29U);
    EXPECT_EQ(scripted_run({{put(1, 80, 1), compute(40 * ns), plain(op::wait, 1)}, {}}).finish(0), 40U);
    executor_parameters p;
    p.eager_limit = 8;  // is nothing to them
    p.overhead_send = 5 * ns;
    p.overhead_receive = 7 * ns;
    const scripted_run costs({{put(1, 80), get(1, 80, 2), plain(op::wait, 2), flush()}, {}}, p);
    EXPECT_EQ(costs.finish(0),
              10 + 5 + 10 + 19U);  // twice the overhead; behind 5 flits of the put that is left
    EXPECT_EQ(costs.cell(0, 6), 10U);
    EXPECT_EQ(costs.cell(1, 6), 0U);
}

TEST(OneSided, FlushesOnlyItsTarget) {
    const auto flushed = [](const operation& how) {
        return scripted_run({{put(1, 80), put(2, 800), how}, {}, {}}).finish(0);
    };
    EXPECT_EQ(flushed(flush(1)), 29U);
    EXPECT_EQ(flushed(flush(2)), 10 + latency(800) + latency(0));
    EXPECT_EQ(flushed(flush()), 10 + latency(800) + latency(0));
    EXPECT_EQ(flushed(flush(0)), 0U);
}

/// A flush in a communicator is for what was put and got in it, one of all tasks for everything.
TEST(OneSided, FlushesOnlyItsCommunicator) {
    const auto flushed = [](std::uint32_t put_in, std::uint32_t flush_in) {
        operation first = put(0, 80), then = flush();
        if (put_in == 0) first.peer = 2;
        first.communicator = put_in;
        then.communicator = flush_in;
        auto p = std::make_unique<scripted>(script_of_tasks{{first, then}, {}, {}});
        p->groups.emplace(1, traffic::listed_tasks({2, 0}));
        p->groups.emplace(2, traffic::listed_tasks({0, 2}));
        return scripted_run(std::move(p)).finish(0);
    };
    EXPECT_EQ(flushed(1, 1), 29U);
    EXPECT_EQ(flushed(1, 0), 29U);
    EXPECT_EQ(flushed(0, 0), 29U);
    EXPECT_EQ(flushed(0, 1), 0U);
    EXPECT_EQ(flushed(1, 2), 0U);
}

/// The slowest flush, then a barrier of two rounds; what is under way in another communicator does not count.
TEST(OneSided, FencesByAFlushAndABarrier) {
    const operation fence = plain(op::fence), barrier = plain(op::barrier);
    const scripted_run r({{put(1, 80), fence}, {fence}, {put(3, 800), fence}, {fence}});
    EXPECT_EQ(r.cycles(), latency(800) + latency(0) + 20);
    EXPECT_EQ(config::flow_style(*r.w->results().find("collectives")),
              "{fence: {count: 1, algorithm: dissemination}}");
    const scripted_run nothing({{fence}, {fence}, {fence}, {fence}});
    EXPECT_EQ(nothing.cycles(), scripted_run({{barrier}, {barrier}, {barrier}, {barrier}}).cycles());
    auto two = std::make_unique<scripted>(
        script_of_tasks{{put(1, 80), collective(op::fence, 0, 1)}, {collective(op::fence, 0, 1)}});
    two->groups.emplace(1, traffic::listed_tasks({1, 0}));
    EXPECT_EQ(scripted_run(std::move(two)).finish(0), 10U);
    // With a name, beside its task.
    const operation named = plain(op::fence, 6);
    const scripted_run beside({{put(1, 80), named, compute(5 * ns), plain(op::wait, 6)}, {named}});
    EXPECT_EQ(beside.finish(0), 29U);  // the other one has been there since cycle 0
    EXPECT_EQ(beside.finish(1), 29 + 10U);
    EXPECT_EQ(beside.cell(0, 5), 5U);
}

TEST(OneSided, WorksInsideANode) {
    executor_parameters p;
    p.tasks_per_node = 2;
    p.local_latency = 5 * ns;
    p.local_bandwidth = 8e9;  // a flit a cycle
    const auto run = [&](const std::vector<operation>& first) {
        return scripted_run(std::make_unique<scripted>(script_of_tasks{first, {}}), p, 1);
    };
    EXPECT_EQ(run({put(1, 80), flush()}).finish(0), 15 + 5U);
    const scripted_run got = run({get(1, 80), flush()});
    EXPECT_EQ(got.finish(0), 5 + 15U);
    EXPECT_EQ(got.number("local_messages"), 2U);
    EXPECT_TRUE(got.port.sent.empty());
    EXPECT_EQ(run({put(0, 80), flush()}).finish(0), 20U);  // its own memory
}

/// It ends, for what needs it, when it is complete.
TEST(OneSided, WorksInAGraph) {
    const scripted_run r({{graph(put(1, 80), 1), graph(compute(5 * ns), 2, {{1, false}}),
                           graph(compute(3 * ns), 3, {{1, true}}), graph(get(1, 80), 4, {{2, false}}),
                           graph(compute(2 * ns), 5, {{4, false}})},
                          {}});
    EXPECT_EQ(r.finish(0), 29 + 5 + 29 + 2U);
    EXPECT_EQ(r.cell(0, 5), 10U);
}

TEST(OneSided, WaitsForNothingAtWill) {
    executor_parameters p;
    p.mode = traffic::execution::at_will;
    const scripted_run r(
        {{put(1, 80), get(1, 80, 1), plain(op::wait, 1), flush(), probe(1, 3), plain(op::fence)}, {}}, p);
    EXPECT_TRUE(r.w->finished());
    EXPECT_EQ(r.finish(0), 0U);
    EXPECT_EQ(r.port.sent.size(),
              5U);  // put, its acknowledgement; get request, the data; a step of the fence
}

/// The bytes of a get are its target's.
TEST(OneSided, CountsTheBytesOfAGetAtItsTarget) {
    executor_parameters p;
    fake_port port(2);
    traffic::executor w(std::make_unique<scripted>(script_of_tasks{{put(1, 80), get(1, 160), flush()}, {}}),
                        p, config::location{"test.yaml", 1, 2});
    w.observe(observed(10, everything()));
    w.start(port);
    port.run(w, 10000);
    const auto tasks = rows_of(file_of(w, "tasks.csv"));
    EXPECT_EQ(tasks[0][3] + " " + tasks[0][4], "1 80");
    EXPECT_EQ(tasks[1][3] + " " + tasks[1][4], "1 160");
    EXPECT_EQ(rows_of(file_of(w, "task_matrix.csv")),
              (csv_rows{{"0", "1", "1", "80"}, {"1", "0", "1", "160"}}));
    EXPECT_EQ(w.results().find("bytes")->text(), "240");
    EXPECT_EQ(w.results().find("rendezvous_messages")->text(), "0");
    EXPECT_EQ(w.results().find("one_sided_control_messages")->text(), "2");
    // 10 flits and one go ahead; the get request is there in cycle 20, its 20 flits of data in 49, behind the
    // acknowledgement.
    EXPECT_EQ(rows_of(file_of(w, "timeline.csv")),
              (csv_rows{{"0", "0", "49", "wait"}, {"1", "0", "49", "idle"}}));
    EXPECT_EQ(rows_of(file_of(w, "critical_path.csv")),
              (csv_rows{{"0", "20", "handshake", "0", "1"}, {"20", "49", "transit", "1", "0"}}));
}

TEST(Probe, WaitsForAMessageAndTakesNone) {
    const std::vector<operation> sender{compute(40 * ns), message(op::send, 0, 80, 7), compute(100 * ns),
                                        message(op::send, 0, 80, 8)};
    const auto ends = [&](std::vector<operation> receiver) {
        const scripted_run r({std::move(receiver), sender});
        EXPECT_TRUE(r.w->finished()) << r.w->stuck().text();
        return r.finish(0);
    };
    EXPECT_EQ(ends({probe(1, 7)}), 59U);
    EXPECT_EQ(ends({probe(any_source, any_tag), probe(any_source, 7), probe(1, any_tag)}), 59U);
    EXPECT_EQ(ends({probe(1, 8)}), 159U);
    EXPECT_EQ(ends({probe(1, 7), message(op::recv, 1, 80, 7)}), 59U);
    // What a receive that was posted before takes is nothing for a probe.
    EXPECT_EQ(ends({message(op::irecv, 1, 80, 7, 1), probe(any_source, any_tag)}), 159U);
    EXPECT_EQ(ends({message(op::irecv, 1, 80, 8, 1), probe(any_source, any_tag)}), 59U);
    EXPECT_EQ(ends({probe(1, 7), message(op::recv, 1, 80, 7), probe(any_source, any_tag)}), 159U);
}

/// The RTS of a rendezvous message is enough.
TEST(Probe, FindsARendezvousMessageByItsRequest) {
    executor_parameters p;
    p.eager_limit = 8;
    p.overhead_receive = 7 * ns;
    const scripted_run r({{probe(1, any_tag), mark(1), message(op::recv, 1, 80)}, {message(op::send, 0, 80)}},
                         p);
    EXPECT_EQ(r.w->results().find("phases")->find("phase 1")->find("first_cycle")->text(), "10");
    EXPECT_EQ(r.finish(0), 10 + 10 + 19 + 7U);
}

/// Several at a time find the same message.
TEST(Probe, RunsBesideItsTask) {
    const scripted_run r({{graph(probe(1, 7), 1), graph(probe(any_source, any_tag), 2),
                           graph(compute(3 * ns), 3, {{1, false}, {2, false}})},
                          {message(op::send, 0, 80, 7)}});
    EXPECT_EQ(r.finish(0), 22U);
}

TEST(OneSided, TellsWhatItWaitsFor) {
    const auto text = [](script_of_tasks all) { return scripted_run(std::move(all)).w->stuck().text(); };
    EXPECT_EQ(text({{probe(1, 4)}, {}}),
              "task 0, operation 1 waits for a message from task 1, tag 4, that never comes");
    EXPECT_EQ(text({{put(1, 8), plain(op::fence)}, {}}),
              "task 0, operation 2 waits for a message from task 1, tag 1, that never comes");
}

/// A message of another tag that a put has overtaken: the put is handled behind it, as a message would be.
TEST(OneSided, KeepsTheOrderOfMessages) {
    executor_parameters p;
    p.tasks_per_node = 2;
    p.local_bandwidth = 1e9;  // a byte a cycle
    const scripted_run r(std::make_unique<scripted>(script_of_tasks{
                             {message(op::isend, 1, 1000, 1), put(1, 10), flush(), mark(1)}, {}}),
                         p, 1);
    EXPECT_EQ(r.finish(0), 1001U);
}

// ---- as text

const char* const text_of_all =
    "sare-trace 3\ntasks 3\ncommunicator 7 2 0\n0 put 1 80\n1 get 0 160\n2 put 1 8 on=7 name=4\n0 flush\n1 "
    "flush "
    "0\n2 wait 4\n0 put 2 24 beside name=5\n1 probe any any\n2 send 1 8 6\n0 compute 5e-08 after=5\n1 recv 2 "
    "8 "
    "6\n"
    "2 get 0 8 seconds=2.5e-08\n0 flush 0 on=7\n1 fence\n2 fence\n0 fence\n2 fence on=7\n0 fence on=7\n";

TEST(OneSidedTrace, IsReadAndWritten) {
    const trace_files files;
    const std::string path = files.write("t", text_of_all);
    const auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 3);
    std::ostringstream out;
    traffic::write_trace(dynamic_cast<traffic::executor&>(*w).what(), out);
    const std::string again = files.write("again", out.str());
    const auto events = [](const std::string& of) {
        const auto reader = traffic::open_trace(of);
        std::vector<std::string> all;
        for (std::uint32_t t = 0; t < 3; ++t)
            for (traffic::event e; reader->next(t, e);)
                all.push_back(std::to_string(t) + operation_text(e) + ' ' + std::to_string(e.request) + ' ' +
                              std::to_string(e.communicator) + ' ' + std::to_string(e.needs.size()));
        return all;
    };
    EXPECT_EQ(events(path), events(again));
    EXPECT_EQ(traffic::check_trace(*traffic::open_trace(path)), std::vector<std::string>{});
    const auto info = traffic::describe_trace(*traffic::open_trace(path));
    EXPECT_EQ(info.messages, 6U);
    EXPECT_EQ(info.bytes, 80U + 160 + 8 + 24 + 8 + 8);
    const auto bytes = [&](std::uint32_t from, std::uint32_t to) { return info.matrix.at({from, to}).bytes; };
    EXPECT_EQ(bytes(0, 1), 80U + 160);  // put and got
    EXPECT_EQ(bytes(2, 0), 8U);
    EXPECT_EQ(bytes(0, 2), 24U + 8);
    fake_port port(3);
    w->start(port);
    port.run(*w, 100000);
    EXPECT_TRUE(w->finished()) << w->stuck().text();
}

/// All lines of what a check says, without the file's name.
std::vector<std::string> problems(const std::string& lines) {
    const trace_files files;
    const std::string path = files.write("t", "sare-trace 3\ntasks 3\ncommunicator 1 2 0\n" + lines);
    std::vector<std::string> all = traffic::check_trace(*traffic::open_trace(path));
    for (auto& line : all) line.erase(0, path.size() + 1);
    return all;
}

TEST(OneSidedTrace, ReportsMistakesInOneLine) {
    using lines = std::vector<std::string>;
    EXPECT_EQ(problems("0 put 3 8\n"),
              lines{"4:1: task 0, event 1: the partner 3 is out of range; tasks are 0 to 2"});
    EXPECT_EQ(problems("0 get 2 8 on=1\n"),
              lines{"4:1: task 0, event 1: the partner 2 is out of range; tasks are 0 to 1"});
    EXPECT_EQ(problems("0 flush 4\n"),
              lines{"4:1: task 0, event 1: the partner 4 is out of range; tasks are 0 to 2"});
    EXPECT_EQ(problems("0 put any 8\n"),
              lines{"4:1: task 0, event 1: the partner must be an integer, not 'any'"});
    EXPECT_EQ(problems("0 put 1\n"),
              lines{"4:1: task 0, event 1: the line is too short; 'put' needs: destination bytes"});
    EXPECT_EQ(problems("0 probe 1\n"),
              lines{"4:1: task 0, event 1: the line is too short; 'probe' needs: source tag"});
    EXPECT_EQ(problems("0 flush 1 2\n"),
              lines{"4:1: task 0, event 1: the line is too long; 'flush' needs: [destination]"});
    EXPECT_EQ(problems("0 fence 1\n"),
              lines{"4:1: task 0, event 1: the line is too long; 'fence' needs: nothing"});
    EXPECT_EQ(problems("1 fence on=1\n"), lines{"4:1: task 1, event 1: the task is not in communicator 1"});
    EXPECT_EQ(problems("0 put 1 8 name=3\n0 get 1 8 name=3\n"),
              lines{"5:1: task 0, event 2: request 3 is open already; wait for it first"});
    EXPECT_EQ(problems("0 fence on=1\n"), lines{"4:1: task 0, event 1: fence is called by 1 of 2 tasks"});
    EXPECT_EQ(problems("0 fence on=1\n2 barrier on=1\n"),
              lines{"5:1: task 2, event 1: barrier meets fence of task 0, event 1"});
    EXPECT_EQ(problems("0 put 1 8\n0 wait 1\n"),
              lines{"5:1: task 0, event 2: wait for a request that is not open"});
}

TEST(OneSidedTrace, NeedsAMessageForAProbe) {
    using lines = std::vector<std::string>;
    const std::string sent = "1 send 0 8 5\n", received = "0 recv 1 8 5\n";
    for (const char* const fits : {"1 5", "any 5", "1 any", "any any"})
        for (const bool late : {false, true}) {
            const std::string all = std::string("0 probe ") + fits + '\n' + received;
            EXPECT_EQ(problems(late ? all + sent : sent + all), lines{}) << fits;
        }
    EXPECT_EQ(problems("0 probe 1 6\n" + received + sent),
              lines{"4:1: task 0, event 1: probe finds no message"});
    EXPECT_EQ(problems("0 probe 2 any\n" + received + sent),
              lines{"4:1: task 0, event 1: probe finds no message"});
    // The receive before it has taken the only one.
    EXPECT_EQ(problems(sent + received + "0 probe any any\n"),
              lines{"6:1: task 0, event 2: probe finds no message"});
    EXPECT_EQ(problems("2 probe any any\n" + sent + received),
              lines{"4:1: task 2, event 1: probe finds no message"});
}

}  // namespace
}  // namespace sare::testing_support::one_sided_test
