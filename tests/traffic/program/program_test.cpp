// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/scripted.h"

#include <gtest/gtest.h>

/// The executor: dependencies, requests, collectives on communicators, cores, wildcards.
namespace sare::testing_support::program_test {
namespace {

using traffic::any_source;
using traffic::any_tag;
using traffic::executor_parameters;

constexpr double ns = 1e-9;  // a cycle

/// 1 -> 2 and 3 -> 4: the longer way counts.
std::vector<operation> diamond(double left, double right, bool begun = false) {
    return {graph(compute(5 * ns), 1), graph(compute(left * ns), 2, {{1, begun}}),
            graph(compute(right * ns), 3, {{1, begun}}), graph(compute(7 * ns), 4, {{2, false}, {3, false}})};
}

TEST(Dependencies, TakeTheLongerSideOfADiamond) {
    executor_parameters many;
    many.cores = 2;
    for (const auto& [left, right] : {std::pair{30.0, 20.0}, {10.0, 40.0}, {15.0, 15.0}})
        EXPECT_EQ(scripted_run({diamond(left, right)}, many).cycles(), 12 + std::max(left, right));
    EXPECT_EQ(scripted_run({diamond(30, 20)}).cycles(), 62U);  // one core: one after the other
    many.cores = 0;
    EXPECT_EQ(scripted_run({diamond(30, 20, true)}, many).cycles(), 37U);  // 2, 3 begin with 1
}

/// Tasks of a node that compute 100 cycles each, all from the first cycle on.
TEST(Cores, ComputeAsManyTasksAtATimeAsThereAre) {
    for (const std::uint32_t cores : {1U, 2U, 3U, 0U}) {
        executor_parameters p;
        p.tasks_per_node = 6;
        p.node_cores = cores;
        const scripted_run r(std::vector<std::vector<operation>>(7, {compute(100 * ns)}), p);
        for (std::uint32_t t = 0; t < 6; ++t) {
            EXPECT_EQ(r.finish(t), cores == 0 ? 100 : 100 * (t / cores + 1)) << cores;
            EXPECT_EQ(r.cell(t, 8), r.finish(t) - 100);  // waited for its core
        }
        EXPECT_EQ(r.finish(6), 100U);  // on the next node
    }
}

/// A core that is free goes to the next task that may compute, past one that has no core of its own left.
TEST(Cores, ServeTasksPastOneWithoutItsOwnCore) {
    executor_parameters p;
    p.tasks_per_node = 3;
    p.node_cores = 2;
    const std::vector<operation> two{graph(compute(10 * ns), 1), graph(compute(10 * ns), 2)};
    const scripted_run r({two, {compute(4 * ns)}, {compute(5 * ns)}}, p);
    EXPECT_EQ(r.finish(1), 4U);
    EXPECT_EQ(r.finish(2), 9U);  // from 4 on, though the second one of task 0 has waited longer
    EXPECT_EQ(r.finish(0), 20U);
    p.node_cores = 1;
    const scripted_run in_line({two, {compute(4 * ns)}, {compute(5 * ns)}}, p);
    EXPECT_EQ(in_line.finish(0), 20U);  // in the order in which they asked
    EXPECT_EQ(in_line.finish(1), 24U);
    EXPECT_EQ(in_line.finish(2), 29U);
}

TEST(Dependencies, WaitForTheBeginningOrTheEndOfMessages) {
    // 2 needs that the receive has ended, 3 that it has begun: at once.
    const std::vector<operation> task{graph(message(op::recv, 1, 80), 1),
                                      graph(compute(5 * ns), 2, {{1, false}}),
                                      graph(compute(3 * ns), 3, {{1, true}})};
    const scripted_run r({task, {compute(100 * ns), message(op::send, 0, 80)}});
    EXPECT_EQ(r.finish(0), 100 + 19 + 5U);
    EXPECT_EQ(r.cell(0, 5), 8U);  // computed
    EXPECT_TRUE(r.w->finished());
}

/// Operations that one has held up go on in the order of their lines: task t + 1 gets its message before t
/// + 2.
TEST(Dependencies, AreReleasedTogetherInTheOrderOfLines) {
    constexpr std::uint32_t n = 5;
    std::vector<operation> first{graph(compute(9 * ns), 1), graph(compute(10 * ns), 2, {{1, false}})};
    for (std::uint32_t t = 1; t <= n; ++t)  // some wait for 1 to end, some for 2 to begin
        first.push_back(graph(message(op::send, t, 80), 2 + t, {{t % 2 == 0 ? 2U : 1U, t % 2 == 0}}));
    std::vector<std::vector<operation>> all{first};
    for (std::uint32_t t = 1; t <= n; ++t) all.push_back({message(op::recv, 0, 80)});
    for (const std::uint32_t cores : {1U, 2U, 0U}) {
        executor_parameters p;
        p.cores = cores;
        p.overhead_send = 3 * ns;
        const scripted_run r(all, p);
        ASSERT_EQ(r.port.sent.size(), n);
        for (std::uint32_t t = 1; t <= n; ++t) EXPECT_EQ(r.port.sent[t - 1].destination, t) << cores;
    }
}

/// Two sends of one tag meet two receives in order, whichever way the four were held up.
TEST(Dependencies, KeepMessagesOfOneTagInOrder) {
    const std::vector<operation> from{graph(compute(10 * ns), 1),
                                      graph(message(op::send, 1, 80, 7), 2, {{1, false}}),
                                      graph(message(op::send, 1, 8000, 7), 3, {{1, false}})};
    const std::vector<operation> to{graph(compute(5 * ns), 1),
                                    graph(message(op::recv, 0, 80, 7), 2, {{1, false}}),
                                    graph(message(op::recv, 0, 8000, 7), 3, {{1, false}}),
                                    graph(message(op::send, 2, 8, 9), 4, {{2, false}})};
    const scripted_run r({from, to, {message(op::recv, 1, 8, 9)}});
    EXPECT_TRUE(r.w->finished());
    EXPECT_LT(r.finish(2), 100U);  // behind the short one
}

TEST(Dependencies, FollowLongChainsWithoutRecursion) {
    std::vector<operation> chain{graph(compute(1 * ns), 1)};
    for (std::uint64_t n = 2; n <= 60000; ++n) chain.push_back(graph(compute(0), n, {{n - 1, false}}));
    const scripted_run r({chain});
    EXPECT_EQ(r.cycles(), 1U);
    EXPECT_EQ(r.number("events"), 60000U);
}

TEST(Dependencies, LetASequenceNeedWhatRunsBesideIt) {
    operation last = compute(1 * ns);
    last.needs = {{9, false}};
    EXPECT_EQ(
        scripted_run({{graph(message(op::recv, 1, 8), 9), compute(2 * ns), last}, {message(op::send, 0, 8)}})
            .finish(0),
        11U);
}

/// With room for one operation at a time a task does not get ahead; but it gets through.
TEST(Dependencies, KeepWithinTheLookahead) {
    executor_parameters p;
    p.lookahead = 1;
    p.cores = 0;
    EXPECT_EQ(scripted_run({diamond(30, 20)}, p).cycles(), 62U);
    p.lookahead = 2;
    EXPECT_EQ(scripted_run({diamond(30, 20)}, p).cycles(), 42U + 0U);
}

TEST(Requests, WaitForOneOrForAll) {
    // Messages arrive in cycles 19 and 29 (10 flits behind 10).
    const std::vector<operation> sender{message(op::isend, 0, 80, 1), message(op::isend, 0, 80, 2)};
    const auto receiver = [](std::vector<operation> more) {
        std::vector<operation> all{message(op::irecv, 1, 80, 1, 5), message(op::irecv, 1, 80, 2, 6)};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    EXPECT_EQ(scripted_run({receiver({plain(op::wait, 5)}), sender}).finish(0), 19U);
    EXPECT_EQ(scripted_run({receiver({plain(op::wait, 6)}), sender}).finish(0), 29U);
    EXPECT_EQ(scripted_run({receiver({plain(op::waitall)}), sender}).finish(0), 29U);
    EXPECT_EQ(scripted_run({receiver({}), sender}).finish(0), 0U);
    EXPECT_EQ(scripted_run({receiver({plain(op::wait, 77)}), sender}).finish(0), 0U);  // never was
    executor_parameters p;
    p.overhead_receive = 4 * ns;
    EXPECT_EQ(scripted_run({receiver({plain(op::wait, 6), plain(op::wait, 5)}), sender}, p).finish(0), 37U);
    EXPECT_EQ(scripted_run({receiver({plain(op::waitall)}), sender}, p).finish(0), 37U);
}

/// What has no name is waited for by a wait for all, and by no blocking operation in between.
TEST(Requests, WaitTogetherWhenTheyHaveNoName) {
    const scripted_run r(
        {{message(op::irecv, 1, 8, 1), message(op::send, 1, 8, 3), compute(2 * ns), plain(op::waitall)},
         {message(op::recv, 0, 8, 3), compute(50 * ns), message(op::send, 0, 8, 1)}});
    EXPECT_EQ(r.finish(0), 70U);
    EXPECT_EQ(r.cell(0, 8), 68U);  // blocked: from 2 on
}

TEST(Rendezvous, WaitsForItsReceive) {
    executor_parameters p;
    p.eager_limit = 79;
    const scripted_run r({{message(op::isend, 1, 80, 0, 1), compute(5 * ns), plain(op::wait, 1)},
                          {compute(500 * ns), message(op::recv, 0, 80)}},
                         p);
    EXPECT_EQ(r.finish(0), 510U);
    EXPECT_EQ(r.finish(1), 529U);
    EXPECT_EQ(r.number("rendezvous_messages"), 2U);
    // The receive is posted first: RTS, CTS, data.
    const scripted_run early({{compute(100 * ns), message(op::send, 1, 80)}, {message(op::recv, 0, 80)}}, p);
    EXPECT_EQ(early.finish(1), 100 + 10 + 10 + 19U);
}

TEST(Wildcards, TakeWhatArrivesFirst) {
    const scripted_run r(
        {{message(op::recv, any_source, 8, 1), mark(1), message(op::recv, any_source, 8, any_tag), mark(2),
          message(op::recv, 1, 8, any_tag), mark(3)},
         {compute(40 * ns), message(op::send, 0, 8, 1), compute(10 * ns), message(op::send, 0, 8, 7)},
         {compute(20 * ns), message(op::send, 0, 8, 1)}});
    EXPECT_TRUE(r.w->finished());
    EXPECT_EQ(config::flow_style(*r.w->results().find("phases")),
              "{phase 1: {first_cycle: 30, last_cycle: 30, count: 1}, "
              "phase 2: {first_cycle: 50, last_cycle: 50, count: 1}, "
              "phase 3: {first_cycle: 60, last_cycle: 60, count: 1}}");
}

/// Ranks 0, 1, 2 are tasks 4, 2, 0; the others take no part, or use all tasks meanwhile.
TEST(Collectives, RunOnACommunicator) {
    std::vector<std::vector<operation>> all(5);
    for (const std::uint32_t t : {0U, 2U, 4U}) {
        all[t].push_back(collective(op::bcast, 80, 3));
        all[t].push_back(collective(op::bcast, 160, 3));
    }
    auto p = std::make_unique<scripted>(all);
    p->groups.emplace(3, traffic::listed_tasks({4, 2, 0}));
    const scripted_run r(std::move(p));
    ASSERT_EQ(r.port.sent.size(), 4U);
    for (const auto& m : r.port.sent) EXPECT_EQ(m.source, 4U);
    EXPECT_EQ(r.finish(4), 0U);
    EXPECT_EQ(r.finish(2), 59 + 10U);  // 10 + 10 + 20 + 20 flits; rank 2 (task 0) first
    EXPECT_EQ(r.finish(0), 49U);
    EXPECT_EQ(config::flow_style(*r.w->results().find("collectives")),
              "{bcast: {count: 2, algorithm: binomial}}");
}

/// Messages of a communicator are matched by its ranks, and not with those of another one.
TEST(Communicators, KeepTheirMessagesApart) {
    const auto in = [](operation o, std::uint32_t group) {
        o.communicator = group;
        return o;
    };
    auto p = std::make_unique<scripted>(std::vector<std::vector<operation>>{
        {in(message(op::recv, 0, 8), 1), mark(1), message(op::recv, 2, 8), mark(2)},
        {},
        {message(op::send, 0, 8), compute(90 * ns), in(message(op::send, 1, 8), 1)}});
    p->groups.emplace(1, traffic::listed_tasks({2, 0}));
    const scripted_run r(std::move(p));
    EXPECT_TRUE(r.w->finished());
    EXPECT_EQ(r.finish(0), 100U);
}

TEST(Collectives, RunBesideTheirTaskWhenNamed) {
    const auto task = [](double seconds) {
        return std::vector<operation>{collective(op::barrier, 0, 0, 1), compute(seconds), plain(op::wait, 1)};
    };
    // Two rounds of 10 cycles, under the computation.
    const scripted_run overlapped({task(100 * ns), task(100 * ns), task(100 * ns), task(100 * ns)});
    EXPECT_EQ(overlapped.cycles(), 100U);
    const scripted_run waiting({task(5 * ns), task(5 * ns), task(5 * ns), task(5 * ns)});
    EXPECT_EQ(waiting.cycles(), 20U);
    // Two at a time, waited for together; blocking messages of the task go on meanwhile.
    const auto two = [](std::uint32_t other) {
        return std::vector<operation>{collective(op::barrier, 0, 0, 1), collective(op::allreduce, 80, 0, 2),
                                      message(op::send, other, 8), message(op::recv, other, 8),
                                      plain(op::waitall)};
    };
    const scripted_run both({two(1), two(0)});
    EXPECT_EQ(both.cycles(), 1 + 10 + 10U);  // flits ahead of the last message, and its way
    EXPECT_EQ(both.number("messages"), 6U);
}

/// Task 2 gets the message of the second broadcast from task 1 long before that of the first, which waits for
/// task 3.
TEST(Collectives, KeepTheirCallsApart) {
    const auto task = [](double late) {
        operation first = collective(op::bcast, 8, 1, 1), second = collective(op::bcast, 8, 1, 2);
        first.root = 3;
        second.root = 1;
        return std::vector<operation>{compute(late), first, second, plain(op::wait, 1), mark(1)};
    };
    auto p = std::make_unique<scripted>(
        std::vector<std::vector<operation>>{task(0), task(0), task(0), task(100 * ns)});
    p->groups.emplace(1, traffic::listed_tasks({0, 1, 2, 3}));
    const scripted_run r(std::move(p));
    EXPECT_TRUE(r.w->finished());
    // Tasks 3, 1, 0, 2 have the first in cycles 100, 110, 111, 120; task 2 is the last.
    EXPECT_EQ(config::flow_style(*r.w->results().find("phases")),
              "{phase 1: {first_cycle: 100, last_cycle: 120, count: 4}}");
}

TEST(Stuck, TellsWhoWaitsForWhat) {
    const auto text = [](std::vector<std::vector<operation>> all, executor_parameters p = {}) {
        return scripted_run(std::move(all), p).w->stuck().text();
    };
    EXPECT_EQ(text({{message(op::recv, 1, 8, 4)}, {message(op::recv, 0, 8, 4)}}),
              "task 0, operation 1 waits for a message from task 1, tag 4, that never comes; 1 other task "
              "waits too");
    EXPECT_EQ(text({{message(op::recv, any_source, 8, any_tag)}}),
              "task 0, operation 1 waits for a message from any task, tag any, that never comes");
    EXPECT_EQ(text({{collective(op::barrier, 0, 0, 3), plain(op::wait, 3)}, {}}),
              "task 0, operation 2 waits for a collective that never ends");
    EXPECT_EQ(text({{graph(message(op::recv, 1, 8), 1), graph(compute(0), 2, {{1, false}})}, {}}),
              "task 0, operation 1 waits for a message from task 1, tag 0, that never comes");
    executor_parameters p;
    p.eager_limit = 8;
    EXPECT_EQ(
        text({{message(op::send, 1, 80)}, {message(op::send, 0, 80)}}, p),
        "task 0, operation 1 waits for task 1 to receive its message of tag 0, which never happens; 1 other "
        "task waits too");
}

/// Tasks on a node talk past the network; their computations do not hold each other up.
TEST(Tasks, TalkPastTheNetworkInsideANode) {
    executor_parameters p;
    p.tasks_per_node = 4;
    p.local_latency = 5 * ns;
    p.local_bandwidth = 8e9;  // a flit a cycle
    const scripted_run r(std::make_unique<scripted>(
                             std::vector<std::vector<operation>>{{message(op::send, 1, 80), compute(30 * ns)},
                                                                 {message(op::recv, 0, 80), compute(30 * ns)},
                                                                 {},
                                                                 {}}),
                         p, 1);
    EXPECT_EQ(r.finish(1), 45U);
    EXPECT_EQ(r.number("local_messages"), 1U);
    EXPECT_TRUE(r.port.sent.empty());
}

}  // namespace
}  // namespace sare::testing_support::program_test
