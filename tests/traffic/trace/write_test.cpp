// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/write/write.h"

#include "tests/traffic/scripted.h"
#include "tests/traffic/trace/trace_files.h"
#include "traffic/trace/tools/check.h"

#include <gtest/gtest.h>

/// Programs written as traces do the same when they are replayed.
namespace sare::testing_support::write_test {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;

/// Name and text of all results.
std::string done_by(const settings& of, std::uint32_t nodes) {
    fake_port port(nodes);
    const auto w = make_workload(section(of), nodes);
    w->start(port);
    port.run(*w, 10000000);
    EXPECT_TRUE(w->finished()) << w->stuck().text();
    return config::flow_style(w->results());
}

std::string written(const config::value& v, std::uint32_t nodes) {
    const auto w = make_workload(v, nodes);
    std::ostringstream out;
    traffic::write_trace(dynamic_cast<traffic::executor&>(*w).what(), out);
    return out.str();
}

/// `executor`: what is said of the run, and not of the program.
void same(const settings& kernel, std::uint32_t nodes, const settings& run = {}) {
    SCOPED_TRACE(kernel.front().second);
    const trace_files files;
    settings replay{{"workload", "trace"}, {"file", files.write("t", written(section(kernel), nodes))}};
    EXPECT_TRUE(traffic::check_trace(*traffic::open_trace(files.path("t"))).empty());
    settings both = kernel;
    both.insert(both.end(), run.begin(), run.end());
    replay.insert(replay.end(), run.begin(), run.end());
    // Events are counted differently: nothing else is.
    EXPECT_EQ(done_by(both, nodes), done_by(replay, nodes));
}

TEST(WriteTrace, KeepsTheReplayOfEveryKernel) {
    for (const auto& [name, v] : workload_registry::instance().variants()) {
        const auto parameters = v.parameters();
        const bool kernel = std::any_of(parameters.begin(), parameters.end(),
                                        [](const auto& p) { return p.name == "repetitions"; });
        if (!kernel) continue;
        const std::pair<std::string, std::string> fast{"flops_per_second", "1e15"};
        same({{"workload", name}, {"bytes", "1000"}, {"compute", "1.7e-9"}, {"repetitions", "3"}}, 16,
             {fast});
        same({{"workload", name}, {"bytes", "1000"}}, 16,
             {fast, {"eager_limit", "500"}, {"overhead_receive", "3e-9"}, {"overhead_send", "2e-9"}});
    }
}

/// A trace of every action, written as it was.
TEST(WriteTrace, WritesATraceAsItWas) {
    const trace_files files;
    const std::string text =
        "sare-trace 3\ntasks 2\n0 compute 0.5\n1 flops 3000\n0 sendrecv 1 8 1 16 0\n1 sendrecv 0 16 0 8 0\n"
        "0 isend 1 8 5 1\n1 irecv 0 8 5 1\n0 mark 3\n1 wait 1\n0 waitall\n1 barrier\n0 barrier\n"
        "1 bcast 1 80\n0 bcast 1 80\n1 alltoallv 1 2 3 4\n0 alltoallv 4 3 2 1\n1 gatherv 0 7 8\n0 gatherv 0 "
        "7 8\n"
        "1 send 0 9 -4\n0 recv 1 9 -4\n1 sleep 0.5\n0 compute 1 flops=7\n";
    EXPECT_EQ(written(section({{"workload", "trace"}, {"file", files.write("t", text)}}), 2), text);
}

/// Communicators, wildcards, collectives beside a task, graphs.
TEST(WriteTrace, WritesWhatMpiAndGraphsCanSay) {
    const trace_files files;
    const std::string text =
        "sare-trace 3\ntasks 3\n0 recv any 80 any\ncommunicator 7 2 1\n1 send 0 80 5 on=7\n2 compute 0.25 "
        "beside name=3\n0 irecv any 8 any 9\n1 send 0 80 6\n2 irecv 0 4 0 -\n0 isend 2 4 0 -\n1 allreduce 80 "
        "seconds=0.5 on=7 name=4\n2 recv 1 80 5 on=7\n0 wait 9\n1 wait 4\n2 isend 0 8 0 -1 beside after=3 "
        "begun=1,2\n2 allreduce 80 seconds=0.5 on=7 name=4\n2 waitall\n2 compute 0 after=3\n";
    EXPECT_EQ(written(section({{"workload", "trace"}, {"file", files.write("t", text)}}), 3), text);
    EXPECT_TRUE(traffic::check_trace(*traffic::open_trace(files.path("t"))).empty());
}

TEST(WriteTrace, KeepsTheReplayOfGraphsAndCommunicators) {
    const auto program = [] {
        operation on_two = message(op::send, 0, 800, 3);
        on_two.communicator = 2;
        operation from_any = message(op::recv, traffic::any_source, 800, 3);
        from_any.communicator = 2;
        operation last = compute(1e-8);
        last.needs = {{2, false}};
        auto p = std::make_unique<scripted>(std::vector<std::vector<operation>>{
            {graph(compute(5e-8), 1), graph(message(op::isend, 1, 400), 2, {{1, false}}), last},
            {message(op::recv, traffic::any_source, 400), collective(op::allreduce, 400, 1, 9), compute(2e-8),
             plain(op::wait, 9), on_two},
            {collective(op::allreduce, 400, 1), from_any}});
        p->groups.emplace(1, traffic::listed_tasks({2, 1}));
        p->groups.emplace(2, traffic::listed_tasks({2, 1}));
        return p;
    };
    std::ostringstream out;
    traffic::write_trace(*program(), out);
    const trace_files files;
    const scripted_run run(program());
    EXPECT_EQ(config::flow_style(run.w->results()),
              done_by({{"workload", "trace"}, {"file", files.write("t", out.str())}}, 3));
    EXPECT_GT(run.cycles(), 150U);
}

}  // namespace
}  // namespace sare::testing_support::write_test
